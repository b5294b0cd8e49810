import { listSubscribersQuery } from '../../../contract/schemas/subscribers.ts';
import { type SubscriberStatus, subscriberStatuses } from '../../../domain/person/subscriber.ts';
import type { Language } from '../../../language/languages.ts';
import { type Html, html } from '../../../pages/html.ts';
import { listSubscribers } from '../../../services/subscribers/list.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf } from '../../call.ts';
import { type Filled, field } from '../../frame/form.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf, emptyOf, linkButton, momentOf, pagerOf, type Tone, tableOf, tag } from '../../frame/parts.ts';
import { checked, submitted } from '../../frame/submit.ts';
import { frameTexts } from '../../frame/texts.ts';
import { statusTexts, peopleTexts as texts } from './texts.ts';

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

export const personPath = (email: string): string => `/people/at/${encodeURIComponent(email)}`;

export async function showPeople(call: ConsoleCall): Promise<ConsoleReply> {
  const { query } = call;
  const filled = { values: query, issues: [] };
  return submitted(
    call,
    () => listPage(call, filled),
    (wrong) => pageWith(call, { ...wrong, values: query }, html``),
  );
}

async function listPage(call: ConsoleCall, filled: Filled): Promise<ConsoleReply> {
  const { context, language, query } = call;
  const q = query.get('q')?.trim() || undefined;
  const status = query.get('status') || undefined;
  const wanted = checked(listSubscribersQuery, { ...(q && { q }), ...(status && { status }) });
  const after = query.get('after') ?? undefined;
  const { entries, next } = await listSubscribers(context, { ...wanted, limit: perPage, after });
  const rows = entries.map(({ email, status: standing, firstName, lastName, tags, created_at }) => [
    html`<a href="${placeOf(call, personPath(email))}"><bdi>${email}</bdi></a>`,
    html`<bdi>${[firstName, lastName].filter(Boolean).join(' ')}</bdi>`,
    statusTag(standing, language),
    html`${tags.slice(0, 3).map((name) => html`${tag(name)} `)}${tags.length > 3 ? `+${tags.length - 3}` : null}`,
    momentOf(created_at, language),
  ]);
  const columns = [texts.address, texts.name, texts.status, texts.tags, texts.since].map((label) => ({
    label: label[language],
  }));
  const isFiltered = q !== undefined || status !== undefined;
  const list =
    rows.length > 0 || next !== null
      ? html`${tableOf(frameTexts.people[language], columns, rows)}${pagerOf(call, '/people', { q, status }, next)}`
      : isFiltered
        ? emptyOf(texts.noneTitle[language], texts.none[language])
        : emptyOf(texts.emptyTitle[language], texts.empty[language]);
  return pageWith(call, filled, cardOf(null, list));
}

function pageWith(call: ConsoleCall, filled: Filled, list: Html): ConsoleReply {
  const { language } = call;
  const choices = [
    ['', texts.any[language]] as const,
    ...subscriberStatuses.map((status) => [status, statusTexts[status][language]] as const),
  ];
  const search = html`<form method="get" class="filters" role="search" action="${placeOf(call, '/people')}">
<div>${field(filled, language, { name: 'q', label: texts.search[language], type: 'search' })}</div>
<div>${field(filled, language, { name: 'status', label: texts.status[language], options: choices })}</div>
<div class="field"><button class="plain">${texts.find[language]}</button></div></form>`;
  return pageOf(call, {
    room: 'people',
    title: frameTexts.people[language],
    lead: texts.lead[language],
    actions: may(call, 'change') ? linkButton(texts.add[language], placeOf(call, '/people/add'), '') : null,
    body: html`${search}${list}`,
    status: filled.issues.length > 0 ? 422 : 200,
  });
}
