import { listDeliveries } from '../../../services/deliveries/list.ts';
import { type ConsoleCall, type ConsoleReply, dataOf, placeOf } from '../../call.ts';
import { webhookPath } from './list.ts';
import { deliveryTexts, webhooksTexts as texts } from './texts.ts';

/** Of what came since the last look; whoever wants to see more at once reloads the page. */
const newest = 10;
const tones = { delivered: 'good', pending: 'warn', failed: 'bad' } as const;

export const livePath = (call: ConsoleCall, id: string, since: string | undefined): string =>
  placeOf(call, `${webhookPath(id)}/live`, { since });

/** Events as they come, for the script: what the log has that is newer than what is shown. One query. */
export async function liveLog(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, language, query, parameters } = call;
  const { id = '' } = parameters;
  const since = query.get('since') ?? '';
  const { entries } = await listDeliveries(context, { id, limit: newest, after: undefined });
  const fresh = entries.filter((entry) => entry.id > since);
  const rows = fresh.map((entry) => ({
    href: placeOf(call, `${webhookPath(id)}/log/${entry.id}`),
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
