import { type HolderKind, holderOf } from '../../domain/sending/holder.ts';
import { monthOf } from '../../domain/sending/plan.ts';
import { logger } from '../../platform/logger.ts';
import { getEmail } from '../../store/sending/emails.ts';
import { giveBackOpen } from '../../store/sending/openSends.ts';
import { getMonths, giveBack, type MonthUsage, settle } from '../../store/sending/usage.ts';
import { listWorkspaces } from '../../store/workspace/workspaces.ts';
import { reservationOf } from '../emails/reservation.ts';

/** Far beyond the longest send and the minute after which a dead call's key may be taken over. */
export const openSendSeconds = 120;

type Month = Pick<MonthUsage, 'workspaceId' | 'month'>;
type Pending = MonthUsage['pending'][number];
type Settler = (month: Month, pending: Pending) => Promise<void>;

/** Whoever holds a reservation knows when it is over. A campaign closes its own at its end, days later if need be. */
const settlers: { readonly [Kind in HolderKind]: Settler } = {
  email: settleEmail,
  campaign: async () => {},
};

/**
 * Settles reservations whose send died: what the provider took stays counted, the rest is given back. Costs one query
 * and half a read unit per workspace when there is nothing to do.
 */
export async function sweepOpenSends(now: Date): Promise<void> {
  const workspaces = await listWorkspaces();
  const months = [...new Set([monthOf(now), monthOf(new Date(now.getTime() - 3_600_000))])];
  const usages = await getMonths(workspaces.flatMap(({ id }) => months.map((month) => ({ workspaceId: id, month }))));
  const before = new Date(now.getTime() - openSendSeconds * 1000).toISOString();
  for (const usage of usages) {
    const stale = usage.pending.filter(({ at }) => at < before);
    await Promise.all(stale.map((pending) => settleStale(usage, pending)));
  }
}

/** A holder that this release does not know keeps what it holds: a later release reserved it. */
async function settleStale(month: Month, pending: Pending): Promise<void> {
  const holder = holderOf(pending.holderId);
  if (holder) return settlers[holder.kind](month, pending);
  logger.warn('A reservation of an unknown holder is left as it is.', {
    workspace_id: month.workspaceId,
    holder_id: pending.holderId,
    recipients: pending.recipients,
  });
}

async function settleEmail({ workspaceId, month }: Month, pending: Pending): Promise<void> {
  const emailId = pending.holderId;
  const email = await getEmail(workspaceId, emailId);
  if (!email) {
    await giveBack(workspaceId, { ...pending, month });
    return;
  }
  const { record } = email;
  const envelopes = [...record.envelopes.keys()].filter((index) => !email.messageIds[index]);
  if (envelopes.length === 0) {
    await settle(workspaceId, month, emailId);
    return;
  }
  const open = envelopes.flatMap((index) => record.envelopes[index] ?? []);
  if (!(await giveBackOpen(record, envelopes, reservationOf(record, open), pending.at))) return;
  logger.warn('A send that nobody saw the end of is given back to the quota.', {
    workspace_id: workspaceId,
    email_id: emailId,
    recipients: open.length,
  });
}
