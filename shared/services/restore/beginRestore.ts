import { ValidationError } from '../../contract/errors.ts';
import { config, takeSettings } from '../../platform/config.ts';
import { beginRestore, protectTable, stateOfTable, type TableState } from '../../store/restored/restoredTable.ts';
import { getSendingDecision, putSendingDecision } from '../../store/sendingDecision.ts';
import { holdSending } from '../changeSendingHold.ts';
import type { DeploymentContext } from '../context.ts';
import { requireOperator } from '../operatorVerb.ts';

export interface BegunRestore {
  readonly object: 'restore';
  /** ISO 8601 UTC. */
  readonly point: string;
  readonly from: string;
  readonly table: string;
  /** `ready`: the settings may name the new table. */
  readonly state: TableState;
  /** Why the sending of the present deployment could not be held; null if it is. */
  readonly hold_failed: string | null;
}

/**
 * Makes a table of a point in time, in which all sending is held from the start. Sending of the present deployment is held
 * first, so that nothing more happens that the new table does not know. DynamoDB makes the table in the background: a
 * repeated call with the same point goes on where the first one ended.
 */
export async function beginRestoring(
  context: DeploymentContext,
  { point }: { readonly point: Date },
): Promise<BegunRestore> {
  requireOperator(context, 'platform');
  if (point >= context.now) throw new ValidationError([{ path: 'to', text: past }]);
  const from = config('TABLE_NAME');
  const table = nameOfRestored(from, point);
  // A table that cannot be written to any more is a reason for a restore.
  const held = await holdSending(context, { note: `restore to ${point.toISOString()}` }).catch((error: Error) => error);
  let state = await stateOfTable(table);
  if (state === 'missing') {
    await beginRestore(from, table, point);
    state = 'being made';
  }
  if (state === 'ready') await prepare(context, { from, table, point });
  const common = { object: 'restore' as const, point: point.toISOString(), from, table, state };
  return { ...common, hold_failed: held instanceof Error ? held.message : null };
}

const past = { en: 'must be in the past', fr: 'doit être dans le passé' };

const restoredPattern = /-restored-\d+$/;
/** DynamoDB's limit. */
const longestName = 255;

function nameOfRestored(table: string, point: Date): string {
  const suffix = `-restored-${point.toISOString().replace(/\D/g, '').slice(0, 14)}`;
  return table.replace(restoredPattern, '').slice(0, longestName - suffix.length) + suffix;
}

/** The hold is written first: no process may find the table without it. */
async function prepare(
  { actor, now }: DeploymentContext,
  { from, table, point }: { readonly from: string; readonly table: string; readonly point: Date },
): Promise<void> {
  takeSettings({ TABLE_NAME: table });
  try {
    const known = await getSendingDecision();
    if (known?.restored?.point !== point.toISOString()) {
      const by = actor.kind === 'operator' ? actor.name : null;
      const restored = { point: point.toISOString(), from, checkedAt: null };
      await putSendingDecision({ state: 'held', since: now.toISOString(), by, note: 'restored table', restored });
    }
    await protectTable(table);
  } finally {
    takeSettings({ TABLE_NAME: from });
  }
}
