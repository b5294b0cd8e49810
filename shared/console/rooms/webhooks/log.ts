import { ServiceError } from '../../../contract/errors.ts';
import type { Language } from '../../../language/languages.ts';
import { type Html, html } from '../../../pages/html.ts';
import { getDelivery } from '../../../services/deliveries/get.ts';
import { listDeliveries } from '../../../services/deliveries/list.ts';
import { replayDelivery } from '../../../services/deliveries/replay.ts';
import { testWebhook } from '../../../services/deliveries/test.ts';
import { getWebhook } from '../../../services/webhooks/get.ts';
import { liveFiles } from '../../assets/islands.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf, redirect } from '../../call.ts';
import { pageOf } from '../../frame/layout.ts';
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
} from '../../frame/parts.ts';
import { stateTag, webhookOf, webhookPath } from './list.ts';
import { livePath } from './live.ts';
import { deliveryTexts, webhooksTexts as texts } from './texts.ts';

const perPage = 50;
const tones: Readonly<Record<keyof typeof deliveryTexts, Tone>> = { delivered: 'good', pending: 'warn', failed: 'bad' };

const statusTag = (status: keyof typeof deliveryTexts, language: Language): Html =>
  tag(deliveryTexts[status][language], tones[status]);

/** A webhook with its log, the newest first. */
export async function showWebhook(call: ConsoleCall): Promise<ConsoleReply> {
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
    html`<a href="${placeOf(call, `${path}/log/${id}`)}">${event_type}</a>`,
    statusTag(status, language),
    html`${response_status ?? ''} <span class="small soft">${error ?? ''}</span>`,
    numberOf(attempts, language),
    momentOf(created_at, language),
  ]);
  const mayOwn = may(call, 'own');
  const actions = html`${may(call, 'change') ? buttonOf(call, `${path}/test`, texts.test[language], { className: '' }) : null}
${mayOwn ? html`${linkButton(texts.edit[language], placeOf(call, `${path}/edit`))} ${linkButton(texts.remove[language], placeOf(call, `${path}/delete`))}` : null}`;
  const log =
    rows.length > 0
      ? html`${tableOf(texts.log[language], columns, rows)}${pagerOf(call, path, {}, next)}`
      : html`${tableOf(texts.log[language], columns, [])}<div data-none>${emptyOf(texts.logEmptyTitle[language], texts.logEmpty[language])}</div>`;
  // Events as they come stand on top of the first page.
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
    room: 'webhooks',
    parent: { label: 'Webhooks', path: '/webhooks' },
    title: webhook.name,
    actions,
    body: html`${cardOf(null, facts)}${mayOwn ? cardOf(texts.secret[language], await secret(call, webhook.id)) : null}${cardOf(texts.log[language], shownLog)}`,
    ...(isFirst && { files: liveFiles }),
  });
}

/** Hidden until somebody wants to see it: a screen may have more than one reader. */
async function secret(call: ConsoleCall, id: string): Promise<Html> {
  const { context, language } = call;
  const webhook = await getWebhook(context, { id });
  return html`<p class="soft">${texts.secretWhat[language]}</p>
<details><summary>${texts.secretShow[language]}</summary>${copyable(webhook.secret, language)}</details><p></p>
${linkButton(texts.rotate[language], placeOf(call, `${webhookPath(id)}/rotate`))}`;
}

/** One delivery: what was sent, and each attempt with its answer. */
export async function showDelivery(call: ConsoleCall): Promise<ConsoleReply> {
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
    room: 'webhooks',
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

export async function testOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { id = '' } = call.parameters;
  const { delivery_id } = await testWebhook(call.context, { id });
  return redirect(placeOf(call, `${webhookPath(id)}/log/${delivery_id}`));
}

export async function replayOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { id = '', delivery = '' } = call.parameters;
  await replayDelivery(call.context, { id, deliveryId: delivery });
  return redirect(placeOf(call, `${webhookPath(id)}/log/${encodeURIComponent(delivery)}`, { done: 'replayed' }));
}
