import { ValidationError } from '../../../contract/errors.ts';
import { addSuppressionRequest, listSuppressionQuery } from '../../../contract/schemas/suppression.ts';
import { type SuppressionReason, suppressionReasons } from '../../../domain/person/suppression.ts';
import type { Language } from '../../../language/languages.ts';
import { type Html, html } from '../../../pages/html.ts';
import { addSuppression } from '../../../services/suppression/add.ts';
import { listSuppression } from '../../../services/suppression/list.ts';
import { removeSuppression } from '../../../services/suppression/remove.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, may, placeOf, redirect } from '../../call.ts';
import { askPage } from '../../frame/ask.ts';
import { findIn, type Sought, sealedNext, searchForm, soughtAgain, soughtIn } from '../../frame/find.ts';
import { type Filled, field, formOf, problemsOf, untouched } from '../../frame/form.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf, emptyOf, linkButton, momentOf, pagerOf, type Tone, tableOf, tag } from '../../frame/parts.ts';
import { checked, submitted } from '../../frame/submit.ts';
import { frameTexts } from '../../frame/texts.ts';
import { personAt } from '../people/place.ts';
import { reasonTexts, suppressionTexts as texts } from './texts.ts';

const perPage = 50;
const tones: Readonly<Record<SuppressionReason, Tone>> = {
  complaint: 'bad',
  bounce: 'warn',
  unsubscribe: 'plain',
  manual: 'plain',
};

export const reasonTag = (reason: SuppressionReason, language: Language): Html =>
  tag(reasonTexts[reason][language], tones[reason]);

const parent = (language: Language) => ({ label: frameTexts.suppression[language], path: '/suppression' });

async function showList(call: ConsoleCall): Promise<ConsoleReply> {
  const sought = await soughtIn(call);
  const find = () => listPage(call, sought);
  return submitted(call, find, (filled) => pageWith(call, { ...filled, values: sought.values }, html``));
}

async function listPage(call: ConsoleCall, { values, after }: Sought): Promise<ConsoleReply> {
  const { context, language } = call;
  const email = values.get('q')?.trim() || undefined;
  const asked = checked(listSuppressionQuery, { ...(email && { email }) });
  const { entries, next } = await listSuppression(context, { ...asked, limit: perPage, after });
  const rows = entries.map(({ email: address, reason, scope, created_at }) => [
    html`<bdi>${address}</bdi>`,
    reasonTag(reason, language),
    (scope === 'platform' ? texts.platform : texts.organization)[language],
    momentOf(created_at, language),
    scope === 'organization' && may(call, 'change')
      ? html`<a href="${placeOf(call, `/suppression/at/${call.places.seal(address)}/remove`)}">${texts.takeOff[language]}<span class="quiet"> ${address}</span></a>`
      : null,
  ]);
  const columns = [texts.address, texts.reason, texts.of, texts.since, texts.actions].map((label) => ({
    label: label[language],
  }));
  const list =
    rows.length > 0
      ? html`${tableOf(frameTexts.suppression[language], columns, rows)}${pagerOf(call, '/suppression', soughtAgain(call), sealedNext(call, next))}`
      : email
        ? html`<p>${texts.notFound[language]}</p>`
        : emptyOf(texts.emptyTitle[language], texts.empty[language]);
  return pageWith(call, { values, issues: [] }, cardOf(null, list));
}

function pageWith(call: ConsoleCall, filled: Filled, list: Html): ConsoleReply {
  const { language } = call;
  const search = searchForm(
    call,
    '/suppression',
    html`<div>${field(filled, language, { name: 'q', label: texts.search[language], type: 'search', path: 'email' })}</div>
<div class="field"><button class="plain">${texts.find[language]}</button></div>`,
  );
  return pageOf(call, {
    room: 'suppression',
    title: frameTexts.suppression[language],
    lead: texts.lead[language],
    actions: may(call, 'change')
      ? html`${linkButton(texts.import[language], placeOf(call, '/suppression/import'))}${linkButton(texts.add[language], placeOf(call, '/suppression/add'), '')}`
      : null,
    body: html`${search}${list}`,
    status: filled.issues.length > 0 ? 422 : 200,
  });
}

function addPage(call: ConsoleCall, filled: Filled = untouched): ConsoleReply {
  const { language } = call;
  const reasons = suppressionReasons.map((reason) => [reason, reasonTexts[reason][language]] as const);
  const fields = html`${field(filled, language, { name: 'email', label: texts.address[language], type: 'email', required: true })}
${field(filled, language, { name: 'reason', label: texts.reason[language], options: reasons, value: 'manual' })}
<button>${texts.addButton[language]}</button>`;
  const form = formOf(call, { action: placeOf(call, '/suppression/add') }, fields);
  return pageOf(call, {
    room: 'suppression',
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
    const wanted = checked(addSuppressionRequest, { email: form.get('email') ?? '', reason: form.get('reason') });
    await addSuppression(context, wanted);
    return redirect(placeOf(call, '/suppression', { done: 'added' }));
  };
  return submitted(call, act, (filled) => addPage(call, filled));
}

/** Says why the address stands there; of a complaint, what is asked is more than a button. */
async function removePage(call: ConsoleCall, filled: Filled = untouched): Promise<ConsoleReply> {
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
  return askPage(call, {
    room: 'suppression',
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
    return redirect(placeOf(call, '/suppression', { done: 'removed' }));
  };
  return submitted(call, act, (filled) => removePage(call, filled));
}

export const suppressionPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/suppression', verb: showList },
  { method: 'POST', path: '/suppression', verb: findIn('/suppression') },
  { method: 'GET', path: '/suppression/add', needs: 'change', verb: async (call) => addPage(call) },
  { method: 'POST', path: '/suppression/add', verb: add },
  { method: 'GET', path: '/suppression/at/{person}/remove', needs: 'change', verb: (call) => removePage(call) },
  { method: 'POST', path: '/suppression/at/{person}/remove', verb: remove },
];
