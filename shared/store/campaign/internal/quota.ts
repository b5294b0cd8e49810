import { epochSeconds, secondsInDay } from '../../../platform/clock.ts';
import type { MonthRecord } from '../../quota/months.ts';
import type { Change } from '../../table/expression.ts';
import { monthKey, workspaceKey } from '../../table/keys.ts';
import type { CancellationReason, TransactionPart } from '../../table/table.ts';
import { changePart, checkPart } from '../../table/write.ts';
import type { WorkspaceRecord } from '../../workspace/workspaces.ts';

const keptMonths = 13;

/** Takes the quota of all recipients of a campaign: a part of the transaction that starts it. */
export function takePart(workspaceId: string, month: string, people: number, limit: number, at: Date): TransactionPart {
  const room = limit - people;
  const change: Change<MonthRecord> = {
    set: { expires_at: epochSeconds(at) + keptMonths * 31 * secondsInDay },
    add: { used: people },
    if: [
      room < 0
        ? ['used', '<=', room]
        : {
            any: [
              ['used', 'absent'],
              ['used', '<=', room],
            ],
          },
    ],
  };
  return changePart<MonthRecord>(monthKey(workspaceId, month), change, { returnStored: true });
}

/** The used quota when `takePart` failed for lack of quota; null when it succeeded. */
export function usedOf(reason: CancellationReason | undefined): number | null {
  if (reason?.Code !== 'ConditionalCheckFailed') return null;
  return Number(reason.Item?.used ?? 0);
}

/**
 * Gives back the quota of people who got nothing: a part of the transaction that ends the campaign, so that it happens
 * once.
 */
export const giveBackPart = (workspaceId: string, month: string, people: number): TransactionPart =>
  changePart<MonthRecord>(monthKey(workspaceId, month), { add: { used: -people } });

/** The workspace is neither suspended nor being deleted: checked in the transaction that starts a campaign. */
export const notSuspendedPart = (workspaceId: string): TransactionPart =>
  checkPart<WorkspaceRecord>(workspaceKey(workspaceId), {
    if: [
      ['ended_at', 'absent'],
      {
        any: [
          ['suspension', 'absent'],
          ['suspension', 'is null'],
        ],
      },
    ],
  });
