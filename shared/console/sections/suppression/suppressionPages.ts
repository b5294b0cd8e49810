import { ValidationError } from '../../../contract/errors.ts';
import { addSuppressionRequest, listSuppressionQuery } from '../../../contract/schemas/suppression.ts';
import { type SuppressionReason, suppressionReasons } from '../../../domain/person/person.ts';
import type { Language } from '../../../language/languages.ts';
import { textsOf } from '../../../language/text.ts';
import { type Html, html } from '../../../pages/html.ts';
import { addSuppression, listSuppression, removeSuppression } from '../../../services/suppression.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, may, redirect } from '../../call.ts';
import { confirmationPage } from '../../layout/confirmationPage.ts';
import { cardOf, emptyOf, linkButton, momentOf, pagerOf, type Tone, tableOf, tag } from '../../layout/elements.ts';
import { emptyForm, type FormState, field, formOf, parseForm, problemsOf, submitForm } from '../../layout/form.ts';
import { layoutTexts } from '../../layout/layoutTexts.ts';
import { pageOf } from '../../layout/page.ts';
import {
  type SearchQuery,
  sealedPosition,
  searchForm,
  searchOf,
  searchParameters,
  startSearch,
} from '../../layout/search.ts';
import { pathOf, personAt } from '../../paths.ts';
import { suppressionTexts as texts } from './internal/suppressionTexts.ts';

const perPage = 50;
const tones: Readonly<Record<SuppressionReason, Tone>> = {
  complaint: 'bad',
  bounce: 'warn',
  unsubscribe: 'plain',
  manual: 'plain',
};

export const reasonTexts = textsOf({
  bounce: { en: 'Bounced', fr: 'Rebond' },
  complaint: { en: 'Complained', fr: 'Plainte' },
  unsubscribe: { en: 'Unsubscribed', fr: 'Désabonnement' },
  manual: { en: 'Added manually', fr: 'Ajout manuel' },
});

export const reasonTag = (reason: SuppressionReason, language: Language): Html =>
  tag(reasonTexts[reason][language], tones[reason]);

const parent = (language: Language) => ({ label: layoutTexts.suppression[language], path: '/suppression' });

async function showList(call: ConsoleCall): Promise<ConsoleReply> {
  const search = await searchOf(call);
  const list = () => listPage(call, search);
  return submitForm(call, list, (filled) => pageWith(call, { ...filled, values: search.values }, html``));
}

async function listPage(call: ConsoleCall, { values, after }: SearchQuery): Promise<ConsoleReply> {
  const { context, language } = call;
  const email = values.get('q')?.trim() || undefined;
  const filter = parseForm(listSuppressionQuery, { ...(email && { email }) });
  const { entries, next } = await listSuppression(context, { ...filter, limit: perPage, after });
  const rows = entries.map(({ email: address, reason, scope, created_at }) => [
    html`<bdi>${address}</bdi>`,
    reasonTag(reason, language),
    (scope === 'platform' ? texts.platform : texts.organization)[language],
    momentOf(created_at, language),
    scope === 'organization' && may(call, 'change')
      ? html`<a href="${pathOf(call, `/suppression/at/${call.places.seal(address)}/remove`)}">${texts.takeOff[language]}<span class="quiet"> ${address}</span></a>`
      : null,
  ]);
  const columns = [texts.address, texts.reason, texts.of, texts.since, texts.actions].map((label) => ({
    label: label[language],
  }));
  const list =
    rows.length > 0
      ? html`${tableOf(layoutTexts.suppression[language], columns, rows)}${pagerOf(call, '/suppression', searchParameters(call), sealedPosition(call, next))}`
      : email
        ? html`<p>${texts.notFound[language]}</p>`
        : emptyOf(texts.emptyTitle[language], texts.empty[language]);
  return pageWith(call, { values, issues: [] }, cardOf(null, list));
}

function pageWith(call: ConsoleCall, filled: FormState, list: Html): ConsoleReply {
  const { language } = call;
  const search = searchForm(
    call,
    '/suppression',
    html`<div>${field(filled, language, { name: 'q', label: texts.search[language], type: 'search', path: 'email' })}</div>
<div class="field"><button class="plain">${texts.find[language]}</button></div>`,
  );
  return pageOf(call, {
    section: 'suppression',
    title: layoutTexts.suppression[language],
    lead: texts.lead[language],
    actions: may(call, 'change')
      ? html`${linkButton(texts.import[language], pathOf(call, '/suppression/import'))}${linkButton(texts.add[language], pathOf(call, '/suppression/add'), '')}`
      : null,
    body: html`${search}${list}`,
    status: filled.issues.length > 0 ? 422 : 200,
  });
}

function addPage(call: ConsoleCall, filled: FormState = emptyForm): ConsoleReply {
  const { language } = call;
  const reasons = suppressionReasons.map((reason) => [reason, reasonTexts[reason][language]] as const);
  const fields = html`${field(filled, language, { name: 'email', label: texts.address[language], type: 'email', required: true })}
${field(filled, language, { name: 'reason', label: texts.reason[language], options: reasons, value: 'manual' })}
<button>${texts.addButton[language]}</button>`;
  const form = formOf(call, { action: pathOf(call, '/suppression/add') }, fields);
  return pageOf(call, {
    section: 'suppression',
    parent: parent(language),
    title: texts.add[language],
    body: cardOf(null, html`${problemsOf(filled, language, ['email', 'reason'])}${form}`),
    status: filled.issues.length > 0 ? 422 : 200,
    isWrong: filled.issues.length > 0,
  });
}

async function add(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form } = call;
  const act = async () => {
    const entry = parseForm(addSuppressionRequest, { email: form.get('email') ?? '', reason: form.get('reason') });
    await addSuppression(context, entry);
    return redirect(pathOf(call, '/suppression', { done: 'added' }));
  };
  return submitForm(call, act, (filled) => addPage(call, filled));
}

/**
 * Asks before an address is removed from the list, and shows why it is on it. After a complaint the operator has to
 * type the address.
 */
async function removePage(call: ConsoleCall, filled: FormState = emptyForm): Promise<ConsoleReply> {
  const { context, language } = call;
  const email = await personAt(call);
  const { entries } = await listSuppression(context, { email, limit: 2, after: undefined });
  const entry = entries.find(({ scope }) => scope === 'organization');
  const reason = entry?.reason ?? 'manual';
  const warnings = {
    bounce: [texts.bounceWhat[language]],
    complaint: [texts.complaintWhat[language]],
    unsubscribe: [],
    manual: [],
  };
  const typed =
    reason === 'complaint' ? field(filled, language, { name: 'typed', label: texts.typed[language] }) : null;
  return confirmationPage(call, {
    section: 'suppression',
    parent: parent(language),
    title: texts.takeOffTitle[language].replace('{email}', () => email),
    what: [reasonTag(reason, language), ...warnings[reason], texts.takeOffWhat[language]],
    button: texts.takeOff,
    isDangerous: reason === 'complaint' || reason === 'bounce',
    action: `/suppression/at/${call.places.seal(email)}/remove`,
    fields: html`${field(filled, language, { name: 'why', label: texts.why[language], hint: texts.whyHint[language] })}${typed}`,
    filled,
    names: ['why', 'typed'],
  });
}

async function remove(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form } = call;
  const email = await personAt(call);
  const act = async () => {
    const why = (form.get('why') ?? '').trim().slice(0, 200);
    const { entries } = await listSuppression(context, { email, limit: 2, after: undefined });
    const isComplaint = entries.some(({ scope, reason }) => scope === 'organization' && reason === 'complaint');
    const issues = [
      ...(why === '' ? [{ path: 'why', text: texts.whyMissing }] : []),
      ...(isComplaint && form.get('typed')?.trim().toLowerCase() !== email
        ? [{ path: 'typed', text: texts.typedWrong }]
        : []),
    ];
    if (issues.length > 0) throw new ValidationError(issues);
    await removeSuppression(context, { email, why });
    return redirect(pathOf(call, '/suppression', { done: 'removed' }));
  };
  return submitForm(call, act, (filled) => removePage(call, filled));
}

export const suppressionPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/suppression', verb: showList },
  { method: 'POST', path: '/suppression', verb: startSearch('/suppression') },
  { method: 'GET', path: '/suppression/add', needs: 'change', verb: async (call) => addPage(call) },
  { method: 'POST', path: '/suppression/add', verb: add },
  { method: 'GET', path: '/suppression/at/{person}/remove', needs: 'change', verb: (call) => removePage(call) },
  { method: 'POST', path: '/suppression/at/{person}/remove', verb: remove },
];
