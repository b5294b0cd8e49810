import { html } from '../../../../pages/html.ts';
import { removeDomain, verifyDomain } from '../../../../services/changeDomains.ts';
import { getDomain } from '../../../../services/domains.ts';
import { listSenders } from '../../../../services/senders.ts';
import { type ConsoleCall, type ConsoleReply, may, redirect } from '../../../call.ts';
import { confirmationPage } from '../../../layout/confirmationPage.ts';
import { buttonOf, cardOf, copyable, linkButton, numberOf, type Tone, tableOf, tag } from '../../../layout/elements.ts';
import { pageOf } from '../../../layout/page.ts';
import { pathOf } from '../../../paths.ts';
import { purposeTexts, stateTexts, domainsTexts as texts } from './domainTexts.ts';

export const domainPath = (name: string): string => `/domains/at/${encodeURIComponent(name)}`;

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

/**
 * With a required record in one of these states the page does not call the domain verified, although SES accepts its
 * mail.
 */
const lacking: ReadonlySet<State> = new Set(['pending', 'failed', 'missing', 'wrong']);

interface ShownRecord {
  readonly purpose: keyof typeof purposeTexts;
  readonly type: string;
  readonly name: string;
  readonly value: string;
  readonly state: State;
  readonly problem: string | null;
}

/** GET: the records with their status at SES. */
export async function showDomain(call: ConsoleCall): Promise<ConsoleReply> {
  const { name, verified, records } = await getDomain(call.context, { id: call.parameters.name ?? '' });
  const shown = records.map(({ status, ...record }) => ({ ...record, state: status, problem: null }));
  return domainPage(call, name, verified, shown);
}

/** POST: the records with their status in DNS, looked up now. The status of the domain itself is still that of SES. */
export async function checkDomain(call: ConsoleCall): Promise<ConsoleReply> {
  const { domain, verified, checks } = await verifyDomain(call.context, { name: call.parameters.name ?? '' });
  const shown = checks.map(({ purpose, status, record, problem }) => ({ ...record, purpose, state: status, problem }));
  return domainPage(call, domain, verified, shown);
}

function domainPage(
  call: ConsoleCall,
  name: string,
  isVerified: boolean,
  records: readonly ShownRecord[],
): ConsoleReply {
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
    ? linkButton(texts.remove[language], pathOf(call, `${domainPath(name)}/remove`))
    : null;
  const isIncomplete = records.some(({ state }) => lacking.has(state));
  const doubt = isVerified ? texts.incomplete : texts.unverified;
  return pageOf(call, {
    section: 'domains',
    parent: { label: texts.domains[language], path: '/domains' },
    title: name,
    lead: isVerified && !isIncomplete ? tag(texts.verified[language], 'good') : tag(doubt[language], 'warn'),
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
  const affected = senders.map(({ email }) => html`<li><bdi>${email}</bdi></li>`);
  return confirmationPage(call, {
    section: 'domains',
    parent: { label: name, path: domainPath(name) },
    title: texts.removeTitle[language].replace('{name}', () => name),
    what: [
      texts.removeWhat[language],
      ...(affected.length > 0
        ? [texts.affected[language].replace('{count}', numberOf(affected.length, language))]
        : []),
    ],
    list: affected,
    button: texts.remove,
    action: `${domainPath(name)}/remove`,
  });
}

export async function removeOneDomain(call: ConsoleCall): Promise<ConsoleReply> {
  await removeDomain(call.context, { name: call.parameters.name ?? '' });
  return redirect(pathOf(call, '/domains', { done: 'removed' }));
}
