import * as z from 'zod';
import { config } from '../platform/config.ts';
import { sendingKey } from './table/keys.ts';
import { getItem } from './table/table.ts';
import { putItem } from './table/write.ts';

const record = z.object({
  state: z.enum(['held', 'open']),
  since: z.string(),
  by: z.string().nullish().default(null),
  note: z.string().nullish().default(null),
  table_name: z.string(),
});

type SendingRecord = z.input<typeof record>;

/** What an operator decided about all sending of the deployment. */
export interface SendingDecision {
  readonly state: 'held' | 'open';
  /** ISO 8601 UTC. */
  readonly since: string;
  /** The operator; null for the service itself. */
  readonly by: string | null;
  readonly note: string | null;
}

/**
 * Strongly consistent; null before the first decision. A release holds for the table in which it was given: a copy of that
 * table, such as one restored from a backup, begins as the setting says.
 */
export async function getSendingDecision(): Promise<SendingDecision | null> {
  const item = await getItem(sendingKey);
  if (!item) return null;
  const { state, since, by, note, table_name } = record.parse(item);
  return state === 'open' && table_name !== config('TABLE_NAME') ? null : { state, since, by, note };
}

export async function putSendingDecision(decision: SendingDecision): Promise<void> {
  await putItem<SendingRecord>(sendingKey, { ...decision, table_name: config('TABLE_NAME') });
}
