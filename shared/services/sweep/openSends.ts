import { type HolderKind, holderKinds } from '../../domain/sending/holder.ts';
import { type Minute, settlesAt } from '../../domain/sending/minute.ts';
import { addSeconds } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { listSends, type Send } from '../../store/sending/sends.ts';
import { type Kept, readSettled, settleMinute } from '../../store/sending/settlement.ts';
import {
  getMonth,
  listDueMonths,
  listMonthsAhead,
  type MonthPosition,
  type MonthUsage,
  putOffMonth,
} from '../../store/sending/usage.ts';
import { quotaOf } from '../emails/reservation.ts';
import { Run } from './run.ts';

const monthsPerShard = 250;
const monthsAtOnce = 8;
/** What this release cannot settle is left alone for so long. */
const patienceSeconds = 300;
/** What failed is for the next run, behind what is due by then: most errors pass, and until then a place looks taken. */
const nextRunSeconds = 30;
/** Only a clock that was wrong makes it find anything. */
const minutesBetweenLooksAhead = 10;

type Settler = (workspaceId: string, minute: Minute, sends: readonly Send[]) => Promise<Kept>;

/** What each kind keeps of what it reserved. A campaign gives back its own at its end, days later if need be. */
const settlers: { readonly [Kind in HolderKind]: Settler } = {
  email: settleEmails,
  campaign: async (_workspaceId, _minute, sends) => sum(sends.map((send) => ({ ...send, delivered: 0 }))),
};

/**
 * Settles minutes: what the provider took stays counted, what else was reserved is given back, and deliveries are
 * counted. It costs a few empty queries when there is nothing to do, and one write a minute and workspace when there is.
 */
export async function sweepOpenSends(now: Date): Promise<void> {
  const run = new Run();
  const due = await listDueMonths(now, monthsPerShard);
  const ahead = now.getUTCMinutes() % minutesBetweenLooksAhead === 0 ? await listMonthsAhead(now, monthsPerShard) : [];
  await run.each(monthsAtOnce, [...due, ...ahead], (month) => settleOrPutOff(month, now));
  run.end();
}

/** What cannot be settled now goes to the end of the line: those that come after it must not wait for it for ever. */
async function settleOrPutOff(month: MonthPosition, now: Date): Promise<void> {
  const putOff = (seconds: number) => putOffMonth(month, addSeconds(now, seconds));
  try {
    if (!(await settleMonth(month, now))) await putOff(patienceSeconds);
  } catch (error) {
    await putOff(nextRunSeconds).catch(() => {});
    throw error;
  }
}

/** False when there is something in it that this release cannot settle. */
async function settleMonth({ workspaceId, month }: MonthPosition, now: Date): Promise<boolean> {
  for (;;) {
    const usage = await getMonth(workspaceId, month);
    const [oldest] = usage.minutes;
    if (!oldest || settlesAt(oldest.minute) > now) return true;
    const kept = await keptOf(workspaceId, oldest.minute);
    if (!kept) return false;
    // When the month has changed meanwhile it is read again.
    if (await settleMinute(usage, kept, now)) reportGivenBack(usage, kept);
  }
}

/** Null when something of an unknown kind is among it: a later release reserved it and knows when it is over. */
async function keptOf(workspaceId: string, minute: Minute): Promise<Kept | null> {
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
    ),
  );
  return sum(await Promise.all(kept));
}

async function settleEmails(workspaceId: string, minute: Minute, sends: readonly Send[]): Promise<Kept> {
  const { paid, delivered } = await readSettled(workspaceId, minute, sends);
  const kept = sends
    .filter(({ isLateDelivery }) => !isLateDelivery)
    .map((send) => {
      const addresses = (paid.get(send.id) ?? []).flatMap((index) => send.envelopes[index] ?? []);
      return { ...quotaOf(send, addresses), delivered: 0 };
    });
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
  logger.warn('Sends that nobody saw the end of are given back to the quota.', {
    workspace_id: workspaceId,
    began_at: new Date(settled.minute * 60_000).toISOString(),
    recipients,
  });
}
