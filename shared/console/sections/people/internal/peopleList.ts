import { listSubscribersQuery } from '../../../../contract/schemas/subscriberList.ts';
import { type SubscriberStatus, subscriberStatuses } from '../../../../domain/person/person.ts';
import type { Language } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { listSubscribers } from '../../../../services/subscribers/subscribers.ts';
import { type ConsoleCall, type ConsoleReply, may } from '../../../call.ts';
import { cardOf, emptyOf, linkButton, momentOf, pagerOf, type Tone, tableOf, tag } from '../../../layout/elements.ts';
import { type FormState, field, parseForm, submitForm } from '../../../layout/form.ts';
import { layoutTexts } from '../../../layout/layoutTexts.ts';
import { pageOf } from '../../../layout/page.ts';
import { type SearchQuery, sealedPosition, searchForm, searchOf, searchParameters } from '../../../layout/search.ts';
import { pathOf, personPath } from '../../../paths.ts';
import { statusTexts, peopleTexts as texts } from './peopleTexts.ts';

const perPage = 50;
const tones: Readonly<Record<SubscriberStatus, Tone>> = {
  subscribed: 'good',
  pending: 'warn',
  unsubscribed: 'plain',
  bounced: 'bad',
  complained: 'bad',
};

export const statusTag = (status: SubscriberStatus, language: Language): Html =>
  tag(statusTexts[status][language], tones[status]);

export async function showPeople(call: ConsoleCall): Promise<ConsoleReply> {
  const sought = await searchOf(call);
  return submitForm(
    call,
    () => listPage(call, sought),
    (wrong) => pageWith(call, { ...wrong, values: sought.values }, html``),
  );
}

async function listPage(call: ConsoleCall, { values, after }: SearchQuery): Promise<ConsoleReply> {
  const { context, language } = call;
  const q = values.get('q')?.trim() || undefined;
  const statusFilter = values.get('status') || undefined;
  const search = parseForm(listSubscribersQuery, { ...(q && { q }), ...(statusFilter && { status: statusFilter }) });
  const { entries, next } = await listSubscribers(context, { ...search, limit: perPage, after });
  const rows = entries.map(({ email, status, firstName, lastName, tags, created_at }) => [
    html`<a href="${pathOf(call, personPath(call, email))}"><bdi>${email}</bdi></a>`,
    html`<bdi>${[firstName, lastName].filter(Boolean).join(' ')}</bdi>`,
    statusTag(status, language),
    html`${tags.slice(0, 3).map((name) => html`${tag(name)} `)}${tags.length > 3 ? `+${tags.length - 3}` : null}`,
    momentOf(created_at, language),
  ]);
  const columns = [texts.address, texts.name, texts.status, texts.tags, texts.since].map((label) => ({
    label: label[language],
  }));
  const isFiltered = q !== undefined || statusFilter !== undefined;
  const list =
    rows.length > 0 || next !== null
      ? html`${tableOf(layoutTexts.people[language], columns, rows)}${pagerOf(call, '/people', searchParameters(call), sealedPosition(call, next))}`
      : isFiltered
        ? emptyOf(texts.noneTitle[language], texts.none[language])
        : emptyOf(
            texts.emptyTitle[language],
            texts.empty[language],
            may(call, 'change') ? linkButton(texts.import[language], pathOf(call, '/people/import'), '') : null,
          );
  return pageWith(call, { values, issues: [] }, cardOf(null, list));
}

function pageWith(call: ConsoleCall, filled: FormState, list: Html): ConsoleReply {
  const { language } = call;
  const choices = [
    ['', texts.any[language]] as const,
    ...subscriberStatuses.map((status) => [status, statusTexts[status][language]] as const),
  ];
  const search = searchForm(
    call,
    '/people',
    html`<div>${field(filled, language, { name: 'q', label: texts.search[language], type: 'search' })}</div>
<div>${field(filled, language, { name: 'status', label: texts.status[language], options: choices })}</div>
<div class="field"><button class="plain">${texts.find[language]}</button></div>`,
  );
  return pageOf(call, {
    section: 'people',
    title: layoutTexts.people[language],
    lead: texts.lead[language],
    actions: may(call, 'change')
      ? html`${linkButton(texts.import[language], pathOf(call, '/people/import'))}${linkButton(texts.exportAll[language], pathOf(call, '/people/export'))}${linkButton(texts.add[language], pathOf(call, '/people/add'), '')}`
      : null,
    body: html`${search}${list}`,
    status: filled.issues.length > 0 ? 422 : 200,
  });
}
