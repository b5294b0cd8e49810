import { html } from '../../../pages/html.ts';
import { getDomain } from '../../../services/domains/get.ts';
import { removeDomain } from '../../../services/domains/remove.ts';
import { verifyDomain } from '../../../services/domains/verify.ts';
import { listSenders } from '../../../services/senders/list.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf, redirect } from '../../call.ts';
import { askPage } from '../../frame/ask.ts';
import { pageOf } from '../../frame/layout.ts';
import { buttonOf, cardOf, copyable, linkButton, numberOf, type Tone, tableOf, tag } from '../../frame/parts.ts';
import { domainPath } from './list.ts';
import { purposeTexts, stateTexts, domainsTexts as texts } from './texts.ts';

type State = keyof typeof stateTexts;

const tones: Readonly<Record<State, Tone>> = {
  verified: 'good',
  found: 'good',
  pending: 'warn',
  unchecked: 'plain',
  unknown: 'plain',
  failed: 'bad',
  missing: 'bad',
  wrong: 'bad',
};

interface Shown {
  readonly purpose: keyof typeof purposeTexts;
  readonly type: string;
  readonly name: string;
  readonly value: string;
  readonly state: State;
  readonly problem: string | null;
}

/** GET: the records with what SES has seen of each. */
export async function showDomain(call: ConsoleCall): Promise<ConsoleReply> {
  const { name, verified, records } = await getDomain(call.context, { id: call.parameters.name ?? '' });
  const shown = records.map(({ status, ...record }) => ({ ...record, state: status, problem: null }));
  return domainPage(call, name, verified, shown);
}

/** POST: the same with what DNS has now, looked up at once; it shows what it found and keeps SES's word. */
export async function checkDomain(call: ConsoleCall): Promise<ConsoleReply> {
  const { domain, verified, checks } = await verifyDomain(call.context, { name: call.parameters.name ?? '' });
  const shown = checks.map(({ purpose, status, record, problem }) => ({ ...record, purpose, state: status, problem }));
  return domainPage(call, domain, verified, shown);
}

function domainPage(call: ConsoleCall, name: string, isVerified: boolean, records: readonly Shown[]): ConsoleReply {
  const { language } = call;
  const columns = [texts.purpose, texts.state, texts.type, texts.name, texts.value].map((label) => ({
    label: label[language],
  }));
  const rows = records.map(({ purpose, type, name: recordName, value, state, problem }) => [
    purposeTexts[purpose][language],
    html`${tag(stateTexts[state][language], tones[state])}${problem ? html`<br><span class="small soft">${problem}</span>` : null}`,
    type,
    copyable(recordName, language),
    copyable(value, language),
  ]);
  const check = may(call, 'change')
    ? buttonOf(call, `${domainPath(name)}/check`, texts.check[language], { className: '' })
    : null;
  const remove = may(call, 'own')
    ? linkButton(texts.remove[language], placeOf(call, `${domainPath(name)}/remove`))
    : null;
  return pageOf(call, {
    room: 'domains',
    parent: { label: texts.domains[language], path: '/domains' },
    title: name,
    lead: isVerified ? tag(texts.verified[language], 'good') : tag(texts.unverified[language], 'warn'),
    actions: html`${check}${remove}`,
    body: cardOf(
      texts.records[language],
      html`<p class="soft">${texts.recordsWhat[language]}</p>${tableOf(texts.records[language], columns, rows)}`,
    ),
  });
}

export async function askRemoveDomain(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters } = call;
  const { name = '' } = parameters;
  const senders = (await listSenders(context)).filter(({ email }) =>
    `.${email.split('@').at(-1)}`.endsWith(`.${name}`),
  );
  const silent = senders.map(({ email }) => html`<li><bdi>${email}</bdi></li>`);
  return askPage(call, {
    room: 'domains',
    parent: { label: name, path: domainPath(name) },
    title: texts.removeTitle[language].replace('{name}', () => name),
    what: [
      texts.removeWhat[language],
      ...(silent.length > 0 ? [texts.silent[language].replace('{count}', numberOf(silent.length, language))] : []),
    ],
    list: silent,
    button: texts.remove,
    action: `${domainPath(name)}/remove`,
  });
}

export async function removeOneDomain(call: ConsoleCall): Promise<ConsoleReply> {
  await removeDomain(call.context, { name: call.parameters.name ?? '' });
  return redirect(placeOf(call, '/domains', { done: 'removed' }));
}
