import { html } from '../../../pages/html.ts';
import { listWebhooks } from '../../../services/webhooks/list.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf } from '../../call.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf, emptyOf, linkButton, momentOf, tableOf, tag } from '../../frame/parts.ts';
import { frameTexts } from '../../frame/texts.ts';
import { webhooksTexts as texts } from './texts.ts';

/** A workspace has 20 at most. */
const most = 20;

type Webhook = Awaited<ReturnType<typeof listWebhooks>>['entries'][number];

export const webhookPath = (id: string): string => `/webhooks/${encodeURIComponent(id)}`;

/** One of the workspace without its secret, which not everybody may see; null when there is none. */
export async function webhookOf({ context, parameters }: ConsoleCall): Promise<Webhook | null> {
  const { entries } = await listWebhooks(context, { limit: most, after: undefined });
  return entries.find(({ id }) => id === parameters.id) ?? null;
}

export function stateTag({ enabled, disabled_reason }: Webhook, language: ConsoleCall['language']) {
  if (disabled_reason === 'failing') return tag(texts.failing[language], 'bad');
  return enabled ? tag(texts.on[language], 'good') : tag(texts.off[language], 'warn');
}

export async function showWebhooks(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language } = call;
  const { entries } = await listWebhooks(context, { limit: most, after: undefined });
  const columns = [texts.name, texts.state, texts.url, texts.events, texts.since].map((label) => ({
    label: label[language],
  }));
  const rows = entries.map((webhook) => [
    html`<a href="${placeOf(call, webhookPath(webhook.id))}"><bdi>${webhook.name}</bdi></a>`,
    stateTag(webhook, language),
    html`<code>${webhook.url}</code>`,
    html`<span class="small">${webhook.events.join(', ')}</span>`,
    momentOf(webhook.created_at, language),
  ]);
  const add = may(call, 'own') ? linkButton(texts.add[language], placeOf(call, '/webhooks/add'), '') : null;
  return pageOf(call, {
    room: 'webhooks',
    title: frameTexts.webhooks[language],
    lead: texts.lead[language],
    actions: rows.length > 0 ? add : null,
    body: cardOf(
      null,
      rows.length > 0
        ? tableOf(frameTexts.webhooks[language], columns, rows)
        : emptyOf(texts.emptyTitle[language], texts.empty[language], add),
    ),
  });
}
