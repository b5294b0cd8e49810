import { ServiceError } from '../../../contract/errors.ts';
import { createWebhookRequest, updateWebhookRequest } from '../../../contract/schemas/webhook.ts';
import { eventTypes } from '../../../domain/webhook/eventType.ts';
import { html } from '../../../pages/html.ts';
import { createWebhook } from '../../../services/webhooks/create.ts';
import { deleteWebhook } from '../../../services/webhooks/delete.ts';
import { updateWebhook } from '../../../services/webhooks/update.ts';
import { type ConsoleCall, type ConsoleReply, placeOf, redirect } from '../../call.ts';
import { askPage } from '../../frame/ask.ts';
import { type Filled, field, formOf, problemsOf, ticks, untouched } from '../../frame/form.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf } from '../../frame/parts.ts';
import { checked, submitted } from '../../frame/submit.ts';
import { frameTexts } from '../../frame/texts.ts';
import { webhookOf, webhookPath } from './list.ts';
import { webhooksTexts as texts } from './texts.ts';

type Webhook = NonNullable<Awaited<ReturnType<typeof webhookOf>>>;

const names = ['name', 'url', 'events', 'enabled'];

function webhookForm(call: ConsoleCall, before: Webhook | null, filled: Filled): ConsoleReply {
  const { language } = call;
  const events = eventTypes.map((value) => ({ value, label: value }));
  const enabled = [{ value: 'yes', label: texts.enabledYes[language], hint: texts.enabledHint[language] }];
  const body = html`${field(filled, language, { name: 'url', label: texts.url[language], type: 'url', value: before?.url ?? '', required: true })}
${field(filled, language, { name: 'name', label: texts.name[language], hint: texts.nameHint[language], value: before?.name ?? '' })}
${ticks(filled, language, { name: 'events', legend: texts.events[language], choices: events, chosen: before?.events ?? [] })}
${ticks(filled, language, { name: 'enabled', legend: texts.enabled[language], choices: enabled, chosen: before?.enabled === false ? [] : ['yes'] })}
<button>${(before ? texts.save : texts.addButton)[language]}</button>`;
  const path = before ? `${webhookPath(before.id)}/edit` : '/webhooks/add';
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    room: 'webhooks',
    parent: before
      ? { label: before.name, path: webhookPath(before.id) }
      : { label: frameTexts.webhooks[language], path: '/webhooks' },
    title: (before ? texts.edit : texts.add)[language],
    body: cardOf(
      null,
      html`${problemsOf(filled, language, names)}${formOf(call, { action: placeOf(call, path) }, body)}`,
    ),
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

function wantedOf({ form }: ConsoleCall) {
  return {
    name: form.get('name')?.trim() || undefined,
    url: form.get('url')?.trim() ?? '',
    events: form.getAll('events'),
    enabled: form.get('enabled') === 'yes',
  };
}

async function existing(call: ConsoleCall): Promise<Webhook> {
  const webhook = await webhookOf(call);
  if (!webhook) throw new ServiceError('not_found');
  return webhook;
}

export const showAdd = async (call: ConsoleCall): Promise<ConsoleReply> => webhookForm(call, null, untouched);

export async function addOne(call: ConsoleCall): Promise<ConsoleReply> {
  const act = async () => {
    const { id } = await createWebhook(call.context, checked(createWebhookRequest, wantedOf(call)));
    return redirect(placeOf(call, webhookPath(id), { done: 'added' }));
  };
  return submitted(call, act, (filled) => webhookForm(call, null, filled));
}

export const showEdit = async (call: ConsoleCall): Promise<ConsoleReply> =>
  webhookForm(call, await existing(call), untouched);

export async function editOne(call: ConsoleCall): Promise<ConsoleReply> {
  const before = await existing(call);
  const act = async () => {
    await updateWebhook(call.context, { id: before.id, ...checked(updateWebhookRequest, wantedOf(call)) });
    return redirect(placeOf(call, webhookPath(before.id), { done: 'saved' }));
  };
  return submitted(call, act, (filled) => webhookForm(call, before, filled));
}

export async function askRotate(call: ConsoleCall): Promise<ConsoleReply> {
  const { id, name } = await existing(call);
  return askPage(call, {
    room: 'webhooks',
    parent: { label: name, path: webhookPath(id) },
    title: texts.rotate[call.language],
    what: [texts.rotateWhat[call.language]],
    button: texts.rotate,
    isDangerous: false,
    action: `${webhookPath(id)}/rotate`,
  });
}

export async function rotateOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { id } = await existing(call);
  await updateWebhook(call.context, { id, rotate_secret: true });
  return redirect(placeOf(call, webhookPath(id), { done: 'saved' }));
}

export async function askDelete(call: ConsoleCall): Promise<ConsoleReply> {
  const { id, name } = await existing(call);
  return askPage(call, {
    room: 'webhooks',
    parent: { label: name, path: webhookPath(id) },
    title: texts.removeTitle[call.language].replace('{name}', () => name),
    what: [texts.removeWhat[call.language]],
    button: texts.remove,
    action: `${webhookPath(id)}/delete`,
  });
}

export async function deleteOne(call: ConsoleCall): Promise<ConsoleReply> {
  await deleteWebhook(call.context, { id: call.parameters.id ?? '' });
  return redirect(placeOf(call, '/webhooks', { done: 'deleted' }));
}
