import { ServiceError } from '../../../contract/errors.ts';
import type { Language } from '../../../language/languages.ts';
import { type Html, html } from '../../../pages/html.ts';
import { getDelivery, listDeliveries, replayDelivery, testWebhook } from '../../../services/webhooks/deliveries.ts';
import { getWebhook, listWebhooks } from '../../../services/webhooks/webhooks.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, dataOf, may, redirect } from '../../call.ts';
import {
  buttonOf,
  cardOf,
  copyable,
  emptyOf,
  factsOf,
  linkButton,
  momentOf,
  numberOf,
  pagerOf,
  type Tone,
  tableOf,
  tag,
} from '../../layout/elements.ts';
import { layoutTexts } from '../../layout/layoutTexts.ts';
import { pageOf } from '../../layout/page.ts';
import { pathOf } from '../../paths.ts';
import {
  addOne,
  askDelete,
  askRotate,
  deleteOne,
  editOne,
  type ListedWebhook,
  maxWebhooks,
  rotateOne,
  showAdd,
  showEdit,
  webhookOf,
  webhookPath,
} from './internal/webhookForm.ts';
import { deliveryTexts, webhooksTexts as texts } from './internal/webhookTexts.ts';

function stateTag({ enabled, disabled_reason, failing_since }: ListedWebhook, language: ConsoleCall['language']) {
  if (disabled_reason === 'failing') return tag(texts.gaveUp[language], 'bad');
  if (!enabled) return tag(texts.off[language], 'warn');
  if (failing_since === null) return tag(texts.on[language], 'good');
  return html`${tag(texts.failing[language], 'bad')} <span class="small soft">${momentOf(failing_since, language)}</span>`;
}

async function showWebhooks(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language } = call;
  const { entries } = await listWebhooks(context, { limit: maxWebhooks, after: undefined });
  const columns = [texts.name, texts.state, texts.url, texts.events, texts.since].map((label) => ({
    label: label[language],
  }));
  const rows = entries.map((webhook) => [
    html`<a href="${pathOf(call, webhookPath(webhook.id))}"><bdi>${webhook.name}</bdi></a>`,
    stateTag(webhook, language),
    html`<code>${webhook.url}</code>`,
    html`<span class="small">${webhook.events.join(', ')}</span>`,
    momentOf(webhook.created_at, language),
  ]);
  const add = may(call, 'own') ? linkButton(texts.add[language], pathOf(call, '/webhooks/add'), '') : null;
  return pageOf(call, {
    section: 'webhooks',
    title: layoutTexts.webhooks[language],
    lead: texts.lead[language],
    actions: rows.length > 0 ? add : null,
    body: cardOf(
      null,
      rows.length > 0
        ? tableOf(layoutTexts.webhooks[language], columns, rows)
        : emptyOf(texts.emptyTitle[language], texts.empty[language], add),
    ),
  });
}

const perPage = 50;
const tones: Readonly<Record<keyof typeof deliveryTexts, Tone>> = { delivered: 'good', pending: 'warn', failed: 'bad' };

const statusTag = (status: keyof typeof deliveryTexts, language: Language): Html =>
  tag(deliveryTexts[status][language], tones[status]);

/** The page of a webhook with its log, newest first. */
async function showWebhook(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, query } = call;
  const webhook = await webhookOf(call);
  if (!webhook) throw new ServiceError('not_found');
  const path = webhookPath(webhook.id);
  const after = query.get('after') ?? undefined;
  const { entries, next } = await listDeliveries(context, { id: webhook.id, limit: perPage, after });
  const columns = [texts.event, texts.status, texts.answer, texts.tries, texts.at].map((label) => ({
    label: label[language],
  }));
  const rows = entries.map(({ id, event_type, status, response_status, error, attempts, created_at }) => [
    html`<a href="${pathOf(call, `${path}/log/${id}`)}">${event_type}</a>`,
    statusTag(status, language),
    html`${response_status ?? ''} <span class="small soft">${error ?? ''}</span>`,
    numberOf(attempts, language),
    momentOf(created_at, language),
  ]);
  const mayOwn = may(call, 'own');
  const actions = html`${may(call, 'change') ? buttonOf(call, `${path}/test`, texts.test[language], { className: '' }) : null}
${mayOwn ? html`${linkButton(texts.edit[language], pathOf(call, `${path}/edit`))} ${linkButton(texts.remove[language], pathOf(call, `${path}/delete`))}` : null}`;
  const log =
    rows.length > 0
      ? html`${tableOf(texts.log[language], columns, rows)}${pagerOf(call, path, {}, next)}`
      : html`${tableOf(texts.log[language], columns, [])}<div data-empty>${emptyOf(texts.logEmptyTitle[language], texts.logEmpty[language])}</div>`;
  // New events appear at the top of the first page.
  const isFirst = after === undefined;
  const shownLog = isFirst
    ? html`<div data-live="${livePath(call, webhook.id, entries[0]?.id)}" data-rows><p class="soft small">${texts.live[language]}</p>${log}</div>`
    : log;
  const facts = factsOf([
    [texts.state[language], stateTag(webhook, language)],
    [texts.url[language], html`<code>${webhook.url}</code>`],
    [texts.events[language], webhook.events.join(', ')],
    [texts.since[language], momentOf(webhook.created_at, language)],
  ]);
  return pageOf(call, {
    section: 'webhooks',
    parent: { label: 'Webhooks', path: '/webhooks' },
    title: webhook.name,
    actions,
    body: html`${cardOf(null, facts)}${mayOwn ? cardOf(texts.secret[language], await secret(call, webhook.id)) : null}${cardOf(texts.log[language], shownLog)}`,
    ...(isFirst && { files: { script: 'live.js' } }),
  });
}

/** Hidden until it is opened: others may see the screen. */
async function secret(call: ConsoleCall, id: string): Promise<Html> {
  const { context, language } = call;
  const webhook = await getWebhook(context, { id });
  return html`<p class="soft">${texts.secretWhat[language]}</p>
<details><summary>${texts.secretShow[language]}</summary>${copyable(webhook.secret, language)}</details><p></p>
${linkButton(texts.rotate[language], pathOf(call, `${webhookPath(id)}/rotate`))}`;
}

/** One delivery: the request, and each attempt with its response. */
async function showDelivery(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, parameters } = call;
  const { id = '', delivery = '' } = parameters;
  const found = await getDelivery(context, { id, deliveryId: delivery });
  const path = `${webhookPath(id)}/log/${encodeURIComponent(delivery)}`;
  const columns = [texts.at, texts.answer, texts.problem, texts.duration].map((label) => ({ label: label[language] }));
  const rows = found.attempt_log.map(({ at, replay, response_status, error, duration_ms }) => [
    html`${momentOf(at, language)} ${replay ? tag(texts.replayed[language]) : null}`,
    response_status ?? '–',
    error ?? '',
    texts.milliseconds[language].replace('{count}', numberOf(duration_ms ?? 0, language)),
  ]);
  const headers = Object.entries(found.headers).map(([name, value]) => `${name}: ${value}`);
  return pageOf(call, {
    section: 'webhooks',
    parent: { label: texts.log[language], path: webhookPath(id) },
    title: found.event_type,
    lead: statusTag(found.status, language),
    actions: may(call, 'change') ? buttonOf(call, `${path}/replay`, texts.replay[language], { className: '' }) : null,
    body: html`${cardOf(
      null,
      factsOf([
        [texts.event[language], html`<code>${found.event_id}</code>`],
        [texts.at[language], momentOf(found.created_at, language)],
        [texts.next[language], momentOf(found.next_attempt_at, language)],
      ]),
    )}
${cardOf(texts.attempts[language], tableOf(texts.attempts[language], columns, rows))}
${found.response_body ? cardOf(texts.answered[language], html`<pre tabindex="0">${found.response_body}</pre>`) : null}
${cardOf(texts.sent[language], html`<pre tabindex="0">${headers.join('\n')}</pre><pre tabindex="0">${pretty(found.body)}</pre>`)}`,
  });
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

async function testOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { id = '' } = call.parameters;
  const { delivery_id } = await testWebhook(call.context, { id });
  return redirect(pathOf(call, `${webhookPath(id)}/log/${delivery_id}`));
}

async function replayOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { id = '', delivery = '' } = call.parameters;
  await replayDelivery(call.context, { id, deliveryId: delivery });
  return redirect(pathOf(call, `${webhookPath(id)}/log/${encodeURIComponent(delivery)}`, { done: 'replayed' }));
}

/** Events since the last poll; for more the operator reloads the page. */
const newest = 10;

const livePath = (call: ConsoleCall, id: string, since: string | undefined): string =>
  pathOf(call, `${webhookPath(id)}/live`, { since });

/** For the script: deliveries newer than those on the page. One query. */
async function liveLog(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, query, parameters } = call;
  const { id = '' } = parameters;
  const since = query.get('since') ?? '';
  const { entries } = await listDeliveries(context, { id, limit: newest, after: undefined });
  const fresh = entries.filter((entry) => entry.id > since);
  const rows = fresh.map((entry) => ({
    href: pathOf(call, `${webhookPath(id)}/log/${entry.id}`),
    cells: [
      { text: entry.event_type },
      { label: texts.status[language], text: deliveryTexts[entry.status][language], tone: tones[entry.status] },
      { label: texts.answer[language], text: [entry.response_status, entry.error].filter(Boolean).join(' ') },
      { label: texts.tries[language], text: String(entry.attempts) },
      { label: texts.at[language], text: '', time: entry.created_at },
    ],
  }));
  return dataOf({ rows, next: livePath(call, id, fresh[0]?.id ?? (since || undefined)) });
}

/** `add` comes before `{id}`, because the first match is used. */
export const webhookPages: readonly ConsolePage[] = [
  { method: 'GET', path: '/webhooks', verb: showWebhooks },
  { method: 'GET', path: '/webhooks/add', needs: 'own', verb: showAdd },
  { method: 'POST', path: '/webhooks/add', verb: addOne },
  { method: 'GET', path: '/webhooks/{id}', verb: showWebhook },
  { method: 'GET', path: '/webhooks/{id}/live', verb: liveLog },
  { method: 'GET', path: '/webhooks/{id}/edit', needs: 'own', verb: showEdit },
  { method: 'POST', path: '/webhooks/{id}/edit', verb: editOne },
  { method: 'POST', path: '/webhooks/{id}/test', verb: testOne },
  { method: 'GET', path: '/webhooks/{id}/rotate', needs: 'own', verb: askRotate },
  { method: 'POST', path: '/webhooks/{id}/rotate', verb: rotateOne },
  { method: 'GET', path: '/webhooks/{id}/delete', needs: 'own', verb: askDelete },
  { method: 'POST', path: '/webhooks/{id}/delete', verb: deleteOne },
  { method: 'GET', path: '/webhooks/{id}/log/{delivery}', verb: showDelivery },
  { method: 'POST', path: '/webhooks/{id}/log/{delivery}/replay', verb: replayOne },
];
