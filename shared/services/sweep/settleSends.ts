import { type HolderKind, holderKinds, type Minute, settlesAt, startOf } from '../../domain/sending/settlement.ts';
import { addSeconds } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { areAnyWaiting } from '../../store/emails/scheduledEmails.ts';
import { listSends, quotaOf, type Send } from '../../store/quota/attempts.ts';
import {
  getMonth,
  listDueMonths,
  listMonthsAhead,
  type MonthPosition,
  type MonthUsage,
  putOffMonth,
} from '../../store/quota/months.ts';
import { type Kept, readSettled, settleMinute } from '../../store/quota/settlement.ts';
import { logActivity } from '../activity.ts';
import { SweepRun } from './internal/sweepRun.ts';
import { awaitFeedback } from './watchFeedback.ts';

const monthsPerShard = 250;
const monthsAtOnce = 8;
/** For buckets that must wait: with reservations that this release does not know, or of mail that is not sent yet. */
const waitingPauseSeconds = 300;
/** A little longer than the longest backlog: mail that waits longer takes its quota anew when it goes out. */
const longestWaitMilliseconds = 20 * 60_000;
/** Failed items are retried by the next run, after what is due by then. Until they succeed, their quota stays taken. */
const retrySeconds = 30;
/** Months in the future exist only after a wrong clock. */
const minutesBetweenChecksAhead = 10;

type Settler = (workspaceId: string, minute: Minute, sends: readonly Send[], now: Date) => Promise<Kept | null>;

/** What each kind of reservation keeps; null when that is not known yet. A campaign keeps everything: it gives quota back when it ends. */
const settlers: { readonly [Kind in HolderKind]: Settler } = {
  email: settleEmails,
  campaign: async (_workspaceId, _minute, sends) => sum(sends.map((send) => ({ ...send, delivered: 0 }))),
};

/**
 * Settles buckets that are over: what SES accepted stays counted, other reservations are given back, and deliveries are
 * counted. One write for each bucket of a workspace; a few empty queries when nothing is due.
 */
export async function sweepOpenSends(now: Date): Promise<void> {
  const run = new SweepRun();
  const due = await listDueMonths(now, monthsPerShard);
  const ahead = now.getUTCMinutes() % minutesBetweenChecksAhead === 0 ? await listMonthsAhead(now, monthsPerShard) : [];
  await run.each(monthsAtOnce, [...due, ...ahead], (month) => settleOrPutOff(month, now));
  run.end();
}

/** A month that cannot be settled now goes to the end of the queue, so that it does not block the others. */
async function settleOrPutOff(month: MonthPosition, now: Date): Promise<void> {
  const putOff = (seconds: number) => putOffMonth(month, addSeconds(now, seconds));
  try {
    if (!(await settleMonth(month, now))) await putOff(waitingPauseSeconds);
  } catch (error) {
    await putOff(retrySeconds).catch(() => {});
    throw error;
  }
}

/** False when it holds reservations that must wait. */
async function settleMonth({ workspaceId, month }: MonthPosition, now: Date): Promise<boolean> {
  for (;;) {
    const usage = await getMonth(workspaceId, month);
    const [oldest] = usage.minutes;
    if (!oldest || settlesAt(oldest.minute) > now) return true;
    const kept = await keptOf(workspaceId, oldest.minute, now);
    if (!kept) return false;
    // A month that has changed meanwhile is read again.
    if (!(await settleMinute(usage, kept, now))) continue;
    reportGivenBack(usage, kept);
    logActivity(workspaceId, { sent: kept.counted, delivered: kept.delivered }, startOf(oldest.minute));
  }
}

/** Null when one of the reservations is of an unknown kind (a later release made it), or of mail that still waits. */
async function keptOf(workspaceId: string, minute: Minute, now: Date): Promise<Kept | null> {
  const sends = await listSends(workspaceId, minute);
  const unknown = sends.find(({ kind }) => !(holderKinds as readonly string[]).includes(kind));
  if (unknown) {
    logger.warn('A reservation of an unknown kind is left as it is.', {
      workspace_id: workspaceId,
      holder_kind: unknown.kind,
      holder_id: unknown.id,
    });
    return null;
  }
  const kept = holderKinds.map((kind) =>
    settlers[kind](
      workspaceId,
      minute,
      sends.filter((send) => send.kind === kind),
      now,
    ),
  );
  const known = (await Promise.all(kept)).filter((part) => part !== null);
  return known.length === kept.length ? sum(known) : null;
}

async function settleEmails(
  workspaceId: string,
  minute: Minute,
  sends: readonly Send[],
  now: Date,
): Promise<Kept | null> {
  const { paid, delivered } = await readSettled(workspaceId, minute, sends);
  const attempts = sends.filter(({ isLateDelivery }) => !isLateDelivery);
  const unpaid = attempts.filter(({ id, envelopes }) => (paid.get(id)?.length ?? 0) < envelopes.length);
  const mayWait = now.getTime() < settlesAt(minute).getTime() + longestWaitMilliseconds;
  if (mayWait && (await areAnyWaiting(workspaceId, [...new Set(unpaid.map(({ id }) => id))]))) return null;
  const kept = attempts.map((send) => {
    const addresses = (paid.get(send.id) ?? []).flatMap((index) => send.envelopes[index] ?? []);
    return { ...quotaOf(send, addresses), delivered: 0 };
  });
  if (kept.some(({ recipients }) => recipients > 0)) awaitFeedback('feedback', startOf(minute), now);
  return sum([...kept, { recipients: 0, counted: 0, delivered }]);
}

const sum = (parts: readonly Kept[]): Kept =>
  parts.reduce(
    (total, { recipients, counted, delivered }) => ({
      recipients: total.recipients + recipients,
      counted: total.counted + counted,
      delivered: total.delivered + delivered,
    }),
    { recipients: 0, counted: 0, delivered: 0 },
  );

function reportGivenBack({ workspaceId, minutes: [settled] }: MonthUsage, kept: Kept): void {
  const recipients = (settled?.recipients ?? 0) - kept.recipients;
  if (!settled || recipients <= 0) return;
  logger.warn('Reservations of sends without a known outcome are given back to the quota.', {
    workspace_id: workspaceId,
    began_at: new Date(settled.minute * 60_000).toISOString(),
    recipients,
  });
}
