import { holderOf } from '../../domain/sending/holder.ts';
import { monthOf } from '../../domain/sending/plan.ts';
import { logger } from '../../platform/logger.ts';
import { findEmail } from '../../store/sending/emails.ts';
import { settleFormer } from '../../store/sending/formerReservations.ts';
import { type FormerReservation, getMonths, type MonthUsage } from '../../store/sending/usage.ts';
import { listWorkspaces } from '../../store/workspace/workspaces.ts';
import { quotaOf } from '../emails/reservation.ts';
import { Run } from './run.ts';

const everyMinutes = 10;
const staleSeconds = 120;
const monthsAtOnce = 8;

/**
 * Settles what was in flight when the service was upgraded: the release before kept its reservations in the month's
 * item. There are none soon after, so it looks seldom: half a read unit for each workspace and month.
 */
export async function sweepFormerReservations(now: Date): Promise<void> {
  if (now.getUTCMinutes() % everyMinutes !== 0) return;
  const workspaces = await listWorkspaces();
  const months = [...new Set([monthOf(now), monthOf(new Date(now.getTime() - 86_400_000))])];
  const usages = await getMonths(workspaces.flatMap(({ id }) => months.map((month) => ({ workspaceId: id, month }))));
  const before = new Date(now.getTime() - staleSeconds * 1000).toISOString();
  const run = new Run();
  await run.each(monthsAtOnce, usages, async (usage) => {
    const stale = usage.former.filter(({ at }) => at < before);
    await Promise.all(stale.map((reservation) => settle(usage, reservation)));
  });
  run.end();
}

/** It keeps what the release before noted as accepted; what is accepted since is paid for by its own minute. */
async function settle(usage: MonthUsage, reservation: FormerReservation): Promise<void> {
  const { workspaceId } = usage;
  if (holderOf(reservation.holderId)?.kind !== 'email') {
    logger.warn('A reservation of an unknown holder is left as it is.', {
      workspace_id: workspaceId,
      holder_id: reservation.holderId,
      recipients: reservation.recipients,
    });
    return;
  }
  const found = await findEmail(workspaceId, reservation.holderId);
  const addresses = (found?.email.envelopes ?? []).filter(
    (_, index) => found?.messageIds[index] && found.paidBy[index] === undefined,
  );
  const kept = found ? quotaOf(found.email, addresses.flat()) : { recipients: 0, counted: 0 };
  await settleFormer(usage, reservation, found, kept);
}
