import { html } from '../../../pages/html.ts';
import { listCampaigns } from '../../../services/campaigns/list.ts';
import { deleteSegment } from '../../../services/segments/delete.ts';
import { listSegments } from '../../../services/segments/list.ts';
import { previewSegment } from '../../../services/segments/preview.ts';
import { showSegment } from '../../../services/segments/show.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, may, placeOf, redirect } from '../../call.ts';
import { askPage } from '../../frame/ask.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf, emptyOf, linkButton, momentOf, numberOf, tableOf } from '../../frame/parts.ts';
import { frameTexts } from '../../frame/texts.ts';
import { addOne, editOne, segmentPath, showAdd, showEdit } from './edit.ts';
import { countWritten, previewOf } from './preview.ts';
import { segmentsTexts as texts } from './texts.ts';
import { ruleInShort, ruleInWords } from './words.ts';

async function showSegments(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language } = call;
  const segments = await listSegments(context);
  const columns = [texts.name, texts.rule, texts.since].map((label) => ({ label: label[language] }));
  const rows = segments.map(({ id, name, rule, created_at }) => [
    html`<a href="${placeOf(call, segmentPath(id))}"><bdi>${name}</bdi></a>`,
    html`<span class="small">${ruleInShort(rule, language)}</span>`,
    momentOf(created_at, language),
  ]);
  const add = may(call, 'change') ? linkButton(texts.add[language], placeOf(call, '/segments/add'), '') : null;
  return pageOf(call, {
    room: 'segments',
    title: frameTexts.segments[language],
    lead: texts.lead[language],
    actions: rows.length > 0 ? add : null,
    body: cardOf(
      null,
      rows.length > 0
        ? tableOf(frameTexts.segments[language], columns, rows)
        : emptyOf(texts.emptyTitle[language], texts.empty[language], add),
    ),
  });
}

/** Counting looks at everybody, so it is done when it was asked for. */
async function showOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters, query } = call;
  const { id, name, rule, created_at } = await showSegment(context, { segment: parameters.id ?? '' });
  const path = segmentPath(id);
  const count = query.has('count') ? await previewSegment(context, { rule }) : null;
  const people = count
    ? previewOf(call, count)
    : html`<p class="soft">${texts.countWhat[language]}</p>${linkButton(texts.count[language], placeOf(call, path, { count: 'yes' }))}`;
  const actions = may(call, 'change')
    ? html`${linkButton(texts.exportThem[language], placeOf(call, '/people/export', { whom: `segment:${id}` }))}${linkButton(texts.edit[language], placeOf(call, `${path}/edit`))}${linkButton(texts.remove[language], placeOf(call, `${path}/delete`))}`
    : null;
  return pageOf(call, {
    room: 'segments',
    parent: { label: frameTexts.segments[language], path: '/segments' },
    title: name,
    lead: momentOf(created_at, language),
    actions,
    body: html`${cardOf(texts.whom[language], people)}${cardOf(texts.rule[language], html`<div class="words">${ruleInWords(rule, language)}</div>`)}`,
  });
}

/** Of the newest drafts, and as many that are scheduled, those that go to the segment are named. */
const mostDrafts = 100;

async function askDelete(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters } = call;
  const { id, name } = await showSegment(context, { segment: parameters.id ?? '' });
  const waiting = await Promise.all(
    (['draft', 'scheduled'] as const).map((status) =>
      listCampaigns(context, { status, limit: mostDrafts, after: undefined }),
    ),
  );
  const drafts = waiting
    .flatMap(({ entries }) => entries)
    .filter(({ segment_id }) => segment_id === id)
    .map((campaign) => html`<li><bdi>${campaign.name}</bdi></li>`);
  return askPage(call, {
    room: 'segments',
    parent: { label: name, path: segmentPath(id) },
    title: texts.removeTitle[language].replace('{name}', () => name),
    what: [
      texts.removeWhat[language],
      ...(drafts.length > 0 ? [texts.drafts[language].replace('{count}', numberOf(drafts.length, language))] : []),
    ],
    list: drafts,
    button: texts.remove,
    action: `${segmentPath(id)}/delete`,
  });
}

async function deleteOne(call: ConsoleCall): Promise<ConsoleReply> {
  await deleteSegment(call.context, { segment: call.parameters.id ?? '' });
  return redirect(placeOf(call, '/segments', { done: 'deleted' }));
}

/** `add` before `{id}`: the first that fits is taken. */
export const segmentPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/segments', verb: showSegments },
  { method: 'GET', path: '/segments/add', needs: 'change', verb: showAdd },
  { method: 'POST', path: '/segments/add', verb: addOne },
  { method: 'POST', path: '/segments/count', verb: countWritten },
  { method: 'GET', path: '/segments/{id}', verb: showOne },
  { method: 'GET', path: '/segments/{id}/edit', needs: 'change', verb: showEdit },
  { method: 'POST', path: '/segments/{id}/edit', verb: editOne },
  { method: 'GET', path: '/segments/{id}/delete', needs: 'change', verb: askDelete },
  { method: 'POST', path: '/segments/{id}/delete', verb: deleteOne },
];
