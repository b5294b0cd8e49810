import type { SegmentRule } from '../../../domain/segment/segment.ts';
import type { Language } from '../../../language/languages.ts';
import { type Html, html } from '../../../pages/html.ts';
import { listCampaigns } from '../../../services/campaigns/readCampaigns.ts';
import { deleteSegment, listSegments, previewSegment, showSegment } from '../../../services/segments.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, may, redirect } from '../../call.ts';
import { confirmationPage } from '../../layout/confirmationPage.ts';
import { cardOf, emptyOf, linkButton, momentOf, numberOf, tableOf } from '../../layout/elements.ts';
import { layoutTexts } from '../../layout/layoutTexts.ts';
import { pageOf } from '../../layout/page.ts';
import { pathOf } from '../../paths.ts';
import { type Node, type RuleCondition, treeOf } from './internal/ruleTree.ts';
import { addOne, countWritten, editOne, previewOf, segmentPath, showAdd, showEdit } from './internal/segmentForm.ts';
import { segmentsTexts as texts } from './internal/segmentTexts.ts';
import { joinTexts, testTexts } from './ruleTexts.ts';

async function showSegments(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language } = call;
  const { entries: segments } = await listSegments(context);
  const columns = [texts.name, texts.rule, texts.since].map((label) => ({ label: label[language] }));
  const rows = segments.map(({ id, name, rule, created_at }) => [
    html`<a href="${pathOf(call, segmentPath(id))}"><bdi>${name}</bdi></a>`,
    html`<span class="small">${ruleInShort(rule, language)}</span>`,
    momentOf(created_at, language),
  ]);
  const add = may(call, 'change') ? linkButton(texts.add[language], pathOf(call, '/segments/add'), '') : null;
  return pageOf(call, {
    section: 'segments',
    title: layoutTexts.segments[language],
    lead: texts.lead[language],
    actions: rows.length > 0 ? add : null,
    body: cardOf(
      null,
      rows.length > 0
        ? tableOf(layoutTexts.segments[language], columns, rows)
        : emptyOf(texts.emptyTitle[language], texts.empty[language], add),
    ),
  });
}

/** Counting reads the whole audience index, so it is done on request only. */
async function showOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters, query } = call;
  const { id, name, rule, created_at } = await showSegment(context, { id: parameters.id ?? '' });
  const path = segmentPath(id);
  const count = query.has('count') ? await previewSegment(context, { rule }) : null;
  const people = count
    ? previewOf(call, count)
    : html`<p class="soft">${texts.countWhat[language]}</p>${linkButton(texts.count[language], pathOf(call, path, { count: 'yes' }))}`;
  const actions = may(call, 'change')
    ? html`${linkButton(texts.exportThem[language], pathOf(call, '/people/export', { whom: `segment:${id}` }))}${linkButton(texts.edit[language], pathOf(call, `${path}/edit`))}${linkButton(texts.remove[language], pathOf(call, `${path}/delete`))}`
    : null;
  return pageOf(call, {
    section: 'segments',
    parent: { label: layoutTexts.segments[language], path: '/segments' },
    title: name,
    lead: momentOf(created_at, language),
    actions,
    body: html`${cardOf(texts.whom[language], people)}${cardOf(texts.rule[language], html`<div class="words">${ruleInWords(rule, language)}</div>`)}`,
  });
}

/** Of the newest drafts and as many scheduled campaigns, those that target the segment are named. */
const maxDrafts = 100;

async function askDelete(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters } = call;
  const { id, name } = await showSegment(context, { id: parameters.id ?? '' });
  const waiting = await Promise.all(
    (['draft', 'scheduled'] as const).map((status) =>
      listCampaigns(context, { status, limit: maxDrafts, after: undefined }),
    ),
  );
  const drafts = waiting
    .flatMap(({ entries }) => entries)
    .filter(({ segment_id }) => segment_id === id)
    .map((campaign) => html`<li><bdi>${campaign.name}</bdi></li>`);
  return confirmationPage(call, {
    section: 'segments',
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
  await deleteSegment(call.context, { id: call.parameters.id ?? '' });
  return redirect(pathOf(call, '/segments', { done: 'deleted' }));
}

/** A rule as text. */
const ruleInWords = (rule: SegmentRule, language: Language): Html => words(treeOf(rule), language);

function words(node: Node, language: Language): Html {
  if (node.kind === 'condition') return html`${condition(node, language)}`;
  const [only, ...others] = node.children;
  const isPlain = node.join === 'all' || node.join === 'any';
  if (only && others.length === 0 && isPlain) return words(only, language);
  return html`${joinTexts[node.join][language]}<ul>${node.children.map((child) => html`<li>${words(child, language)}</li>`)}</ul>`;
}

function condition({ subject, field, test, value }: RuleCondition, language: Language): Html {
  const how = Object.hasOwn(testTexts, test) ? testTexts[test as keyof typeof testTexts][language] : test;
  const what = subject === 'field' ? html`<code>${field}</code>` : texts[subject][language];
  return html`${what} ${how} ${value === '' ? null : html`<b><bdi>${value}</bdi></b>`}`;
}

/** The same on one line, for a list of segments. */
const ruleInShort = (rule: SegmentRule, language: Language): Html => short(treeOf(rule), language);

function short(node: Node, language: Language): Html {
  if (node.kind === 'condition') return condition(node, language);
  const [only, ...others] = node.children;
  if (only && others.length === 0 && (node.join === 'all' || node.join === 'any')) return short(only, language);
  const all = texts.conditions[language].replace('{count}', String(node.children.length));
  return html`${joinTexts[node.join][language]} ${all}`;
}

/** `add` comes before `{id}`, because the first match is used. */
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
