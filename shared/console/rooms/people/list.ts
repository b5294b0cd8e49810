import { listSubscribersQuery } from '../../../contract/schemas/subscribers.ts';
import { type SubscriberStatus, subscriberStatuses } from '../../../domain/person/subscriber.ts';
import type { Language } from '../../../language/languages.ts';
import { type Html, html } from '../../../pages/html.ts';
import { listSubscribers } from '../../../services/subscribers/list.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf } from '../../call.ts';
import { type Sought, sealedNext, searchForm, soughtAgain, soughtIn } from '../../frame/find.ts';
import { type Filled, field } from '../../frame/form.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf, emptyOf, linkButton, momentOf, pagerOf, type Tone, tableOf, tag } from '../../frame/parts.ts';
import { checked, submitted } from '../../frame/submit.ts';
import { frameTexts } from '../../frame/texts.ts';
import { personPath } from './place.ts';
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

export async function showPeople(call: ConsoleCall): Promise<ConsoleReply> {
  const sought = await soughtIn(call);
  return submitted(
    call,
    () => listPage(call, sought),
    (wrong) => pageWith(call, { ...wrong, values: sought.values }, html``),
  );
}

async function listPage(call: ConsoleCall, { values, after }: Sought): Promise<ConsoleReply> {
  const { context, language } = call;
  const q = values.get('q')?.trim() || undefined;
  const status = values.get('status') || undefined;
  const wanted = checked(listSubscribersQuery, { ...(q && { q }), ...(status && { status }) });
  const { entries, next } = await listSubscribers(context, { ...wanted, limit: perPage, after });
  const rows = entries.map(({ email, status: standing, firstName, lastName, tags, created_at }) => [
    html`<a href="${placeOf(call, personPath(call, email))}"><bdi>${email}</bdi></a>`,
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
      ? html`${tableOf(frameTexts.people[language], columns, rows)}${pagerOf(call, '/people', soughtAgain(call), sealedNext(call, next))}`
      : isFiltered
        ? emptyOf(texts.noneTitle[language], texts.none[language])
        : emptyOf(
            texts.emptyTitle[language],
            texts.empty[language],
            may(call, 'change') ? linkButton(texts.import[language], placeOf(call, '/people/import'), '') : null,
          );
  return pageWith(call, { values, issues: [] }, cardOf(null, list));
}

function pageWith(call: ConsoleCall, filled: Filled, list: Html): ConsoleReply {
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
    room: 'people',
    title: frameTexts.people[language],
    lead: texts.lead[language],
    actions: may(call, 'change')
      ? html`${linkButton(texts.import[language], placeOf(call, '/people/import'))}${linkButton(texts.exportAll[language], placeOf(call, '/people/export'))}${linkButton(texts.add[language], placeOf(call, '/people/add'), '')}`
      : null,
    body: html`${search}${list}`,
    status: filled.issues.length > 0 ? 422 : 200,
  });
}
