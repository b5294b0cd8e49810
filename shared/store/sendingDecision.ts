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
  restored: z.object({ point: z.string(), from: z.string().nullable(), checked_at: z.string().nullable() }).nullish(),
});

type SendingRecord = z.input<typeof record>;

/** That the table was restored from a point in time. */
interface RestoredTable {
  /** The time that the table shows. ISO 8601 UTC. */
  readonly point: string;
  /** The table that it replaces; null when that can no longer be read. */
  readonly from: string | null;
  /** When what happened after the point was taken over; null before. */
  readonly checkedAt: string | null;
}

/** What an operator decided about all sending of the deployment. */
export interface SendingDecision {
  readonly state: 'held' | 'open';
  /** ISO 8601 UTC. */
  readonly since: string;
  /** The operator; null for the service itself. */
  readonly by: string | null;
  readonly note: string | null;
  /** Nothing may be sent from a restored table before it is checked. */
  readonly restored?: RestoredTable | undefined;
}

/**
 * Strongly consistent; null before the first decision. A release holds for the table in which it was given: a copy of that
 * table, such as one restored from a backup, begins as the setting says.
 */
export async function getSendingDecision(): Promise<SendingDecision | null> {
  const item = await getItem(sendingKey);
  if (!item) return null;
  const { state, since, by, note, table_name, restored } = record.parse(item);
  if (state === 'open' && table_name !== config('TABLE_NAME')) return null;
  const { point, from, checked_at: checkedAt } = restored ?? {};
  return {
    state,
    since,
    by,
    note,
    ...(point && { restored: { point, from: from ?? null, checkedAt: checkedAt ?? null } }),
  };
}

export async function putSendingDecision({ restored, ...decision }: SendingDecision): Promise<void> {
  const { point, from, checkedAt } = restored ?? {};
  await putItem<SendingRecord>(sendingKey, {
    ...decision,
    table_name: config('TABLE_NAME'),
    ...(point && { restored: { point, from: from ?? null, checked_at: checkedAt ?? null } }),
  });
}
