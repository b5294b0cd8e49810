import { ServiceError } from '../../../../contract/errors.ts';
import { events as eventDefinitions } from '../../../../contract/schemas/event.ts';
import { createWebhookRequest, updateWebhookRequest } from '../../../../contract/schemas/webhook.ts';
import { eventTypes } from '../../../../domain/webhook/webhook.ts';
import { html } from '../../../../pages/html.ts';
import {
  createWebhook,
  deleteWebhook,
  listWebhooks,
  rotateWebhook,
  updateWebhook,
} from '../../../../services/webhooks/webhooks.ts';
import { type ConsoleCall, type ConsoleReply, redirect } from '../../../call.ts';
import { confirmationPage } from '../../../layout/confirmationPage.ts';
import { cardOf } from '../../../layout/elements.ts';
import {
  emptyForm,
  type FormState,
  field,
  formOf,
  parseForm,
  problemsOf,
  submitForm,
  ticks,
} from '../../../layout/form.ts';
import { layoutTexts } from '../../../layout/layoutTexts.ts';
import { pageOf } from '../../../layout/page.ts';
import { pathOf } from '../../../paths.ts';
import { webhooksTexts as texts } from './webhookTexts.ts';

/** A workspace has 20 at most. */
export const maxWebhooks = 20;

export type ListedWebhook = Awaited<ReturnType<typeof listWebhooks>>['entries'][number];

export const webhookPath = (id: string): string => `/webhooks/${encodeURIComponent(id)}`;

/** A webhook without its secret, which only owners may see; null when there is none. */
export async function webhookOf({ context, parameters }: ConsoleCall): Promise<ListedWebhook | null> {
  const { entries } = await listWebhooks(context, { limit: maxWebhooks, after: undefined });
  return entries.find(({ id }) => id === parameters.id) ?? null;
}

const names = ['name', 'url', 'events', 'enabled'];

function webhookForm(call: ConsoleCall, before: ListedWebhook | null, filled: FormState): ConsoleReply {
  const { language } = call;
  const events = eventTypes.map((value) => ({ value, label: value, hint: eventDefinitions[value].text[language] }));
  const enabled = [{ value: 'yes', label: texts.enabledYes[language], hint: texts.enabledHint[language] }];
  const body = html`${field(filled, language, { name: 'url', label: texts.url[language], type: 'url', value: before?.url ?? '', required: true })}
${field(filled, language, { name: 'name', label: texts.name[language], hint: texts.nameHint[language], value: before?.name ?? '' })}
${ticks(filled, language, { name: 'events', legend: texts.events[language], choices: events, chosen: before?.events ?? [] })}
${ticks(filled, language, { name: 'enabled', legend: texts.enabled[language], choices: enabled, chosen: before?.enabled === false ? [] : ['yes'] })}
<button>${(before ? texts.save : texts.addButton)[language]}</button>`;
  const path = before ? `${webhookPath(before.id)}/edit` : '/webhooks/add';
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    section: 'webhooks',
    parent: before
      ? { label: before.name, path: webhookPath(before.id) }
      : { label: layoutTexts.webhooks[language], path: '/webhooks' },
    title: (before ? texts.edit : texts.add)[language],
    body: cardOf(
      null,
      html`${problemsOf(filled, language, names)}${formOf(call, { action: pathOf(call, path) }, body)}`,
    ),
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

function formValues({ form }: ConsoleCall) {
  return {
    name: form.get('name')?.trim() || undefined,
    url: form.get('url')?.trim() ?? '',
    events: form.getAll('events'),
    enabled: form.get('enabled') === 'yes',
  };
}

async function existing(call: ConsoleCall): Promise<ListedWebhook> {
  const webhook = await webhookOf(call);
  if (!webhook) throw new ServiceError('not_found');
  return webhook;
}

export const showAdd = async (call: ConsoleCall): Promise<ConsoleReply> => webhookForm(call, null, emptyForm);

export async function addOne(call: ConsoleCall): Promise<ConsoleReply> {
  const act = async () => {
    const { id } = await createWebhook(call.context, parseForm(createWebhookRequest, formValues(call)));
    return redirect(pathOf(call, webhookPath(id), { done: 'added' }));
  };
  return submitForm(call, act, (filled) => webhookForm(call, null, filled));
}

export const showEdit = async (call: ConsoleCall): Promise<ConsoleReply> =>
  webhookForm(call, await existing(call), emptyForm);

export async function editOne(call: ConsoleCall): Promise<ConsoleReply> {
  const before = await existing(call);
  const act = async () => {
    await updateWebhook(call.context, { id: before.id, ...parseForm(updateWebhookRequest, formValues(call)) });
    return redirect(pathOf(call, webhookPath(before.id), { done: 'saved' }));
  };
  return submitForm(call, act, (filled) => webhookForm(call, before, filled));
}

export async function askRotate(call: ConsoleCall): Promise<ConsoleReply> {
  const { id, name } = await existing(call);
  return confirmationPage(call, {
    section: 'webhooks',
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
  await rotateWebhook(call.context, { id });
  return redirect(pathOf(call, webhookPath(id), { done: 'saved' }));
}

export async function askDelete(call: ConsoleCall): Promise<ConsoleReply> {
  const { id, name } = await existing(call);
  return confirmationPage(call, {
    section: 'webhooks',
    parent: { label: name, path: webhookPath(id) },
    title: texts.removeTitle[call.language].replace('{name}', () => name),
    what: [texts.removeWhat[call.language]],
    button: texts.remove,
    action: `${webhookPath(id)}/delete`,
  });
}

export async function deleteOne(call: ConsoleCall): Promise<ConsoleReply> {
  await deleteWebhook(call.context, { id: call.parameters.id ?? '' });
  return redirect(pathOf(call, '/webhooks', { done: 'deleted' }));
}
