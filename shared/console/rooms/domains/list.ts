import { type Html, html } from '../../../pages/html.ts';
import { addDomain } from '../../../services/domains/add.ts';
import { listDomains } from '../../../services/domains/list.ts';
import { listSenders } from '../../../services/senders/list.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf, redirect } from '../../call.ts';
import { type Filled, field, formOf, problemsOf, untouched } from '../../frame/form.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf, emptyOf, tableOf, tag } from '../../frame/parts.ts';
import { submitted } from '../../frame/submit.ts';
import { frameTexts } from '../../frame/texts.ts';
import { sendersCard } from './senders.ts';
import { domainsTexts as texts } from './texts.ts';

export const domainPath = (name: string): string => `/domains/at/${encodeURIComponent(name)}`;

export async function showDomains(call: ConsoleCall, filled: Filled = untouched): Promise<ConsoleReply> {
  const { context, language } = call;
  const [domains, senders] = await Promise.all([listDomains(context), listSenders(context)]);
  const columns = [texts.domain, texts.state].map((label) => ({ label: label[language] }));
  const rows = domains.map(({ domain, verified }) => [
    html`<a href="${placeOf(call, domainPath(domain))}">${domain}</a>`,
    verified ? tag(texts.verified[language], 'good') : tag(texts.unverified[language], 'warn'),
  ]);
  const list =
    rows.length > 0
      ? tableOf(texts.domains[language], columns, rows)
      : emptyOf(texts.emptyTitle[language], texts.empty[language]);
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    room: 'domains',
    title: frameTexts.domains[language],
    lead: texts.lead[language],
    body: html`${cardOf(texts.domains[language], html`${list}${may(call, 'own') ? domainForm(call, filled) : null}`)}
${sendersCard(call, senders, filled)}`,
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

function domainForm(call: ConsoleCall, filled: Filled): Html {
  const { language } = call;
  const shown = filled.values.has('domain') ? filled : untouched;
  const body = html`${field(shown, language, { name: 'domain', label: texts.add[language], hint: texts.addHint[language], type: 'url' })}
<button>${texts.addButton[language]}</button>`;
  return html`<p></p>${problemsOf(shown, language, ['domain'])}${formOf(call, { action: placeOf(call, '/domains') }, body)}`;
}

export async function addOneDomain(call: ConsoleCall): Promise<ConsoleReply> {
  const act = async () => {
    const { domain } = await addDomain(call.context, { name: call.form.get('domain') ?? '' });
    return redirect(placeOf(call, domainPath(domain), { done: 'added' }));
  };
  return submitted(call, act, (filled) => showDomains(call, filled));
}
