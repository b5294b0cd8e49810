import { type Html, html } from '../../../pages/html.ts';
import { addSender } from '../../../services/senders/add.ts';
import type { listSenders } from '../../../services/senders/list.ts';
import { removeSender } from '../../../services/senders/remove.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf, redirect } from '../../call.ts';
import { askPage } from '../../frame/ask.ts';
import { type Filled, field, formOf, problemsOf, ticks, untouched } from '../../frame/form.ts';
import { cardOf, tableOf, tag } from '../../frame/parts.ts';
import { frameTexts } from '../../frame/texts.ts';
import { domainsTexts as texts } from './texts.ts';

type Senders = Awaited<ReturnType<typeof listSenders>>;

export function sendersCard(call: ConsoleCall, senders: Senders, filled: Filled): Html {
  const { language } = call;
  const columns = [texts.sender, texts.state, texts.action].map((label) => ({ label: label[language] }));
  const mayOwn = may(call, 'own');
  const rows = senders.map((sender) => [
    html`<bdi>${sender.name ?? ''}</bdi> <span class="soft">${sender.email}</span>`,
    sender.default ? tag(texts.isDefault[language], 'good') : null,
    mayOwn
      ? html`<a href="${placeOf(call, `/senders/at/${encodeURIComponent(sender.email)}/remove`)}">${texts.remove[language]}<span class="quiet"> ${sender.email}</span></a>`
      : null,
  ]);
  const list =
    rows.length > 0
      ? tableOf(texts.senders[language], columns, rows)
      : html`<p class="soft">${texts.noSenders[language]}</p>`;
  return cardOf(texts.senders[language], html`${list}${mayOwn ? senderForm(call, filled) : null}`);
}

function senderForm(call: ConsoleCall, filled: Filled): Html {
  const { language } = call;
  const shown = filled.values.has('mailbox') ? filled : untouched;
  const choices = [{ value: 'yes', label: texts.makeDefault[language] }];
  const body = html`${field(shown, language, { name: 'mailbox', label: texts.mailbox[language], hint: texts.mailboxHint[language] })}
${ticks(shown, language, { name: 'default', legend: texts.isDefault[language], choices })}
<button>${texts.addButton[language]}</button>`;
  return html`<h3>${texts.addSender[language]}</h3>${problemsOf(shown, language, ['mailbox'])}${formOf(call, { action: placeOf(call, '/senders') }, body)}`;
}

export async function addOneSender(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form } = call;
  await addSender(context, { mailbox: form.get('mailbox') ?? '', makeDefault: form.get('default') === 'yes' });
  return redirect(placeOf(call, '/domains', { done: 'added' }));
}

export async function askRemoveSender(call: ConsoleCall): Promise<ConsoleReply> {
  const { language, parameters } = call;
  const { email = '' } = parameters;
  return askPage(call, {
    room: 'domains',
    parent: { label: frameTexts.domains[language], path: '/domains' },
    title: texts.removeTitle[language].replace('{name}', () => email),
    what: [texts.removeSenderWhat[language]],
    button: texts.remove,
    action: `/senders/at/${encodeURIComponent(email)}/remove`,
  });
}

export async function removeOneSender(call: ConsoleCall): Promise<ConsoleReply> {
  await removeSender(call.context, { email: call.parameters.email ?? '' });
  return redirect(placeOf(call, '/domains', { done: 'removed' }));
}
