import { type HolderKind, holderKinds } from '../../domain/sending/holder.ts';
import { type Minute, settlesAt } from '../../domain/sending/minute.ts';
import { logger } from '../../platform/logger.ts';
import { inParallel } from '../../platform/parallel.ts';
import { listSends, type Send } from '../../store/sending/sends.ts';
import { type Kept, readSettled, settleMinute } from '../../store/sending/settlement.ts';
import { getMonth, listDueMonths, type MonthUsage } from '../../store/sending/usage.ts';
import { quotaOf } from '../emails/reservation.ts';

const monthsPerShard = 250;
const monthsAtOnce = 8;

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
  const due = await listDueMonths(now, monthsPerShard);
  await inParallel(monthsAtOnce, due, ({ workspaceId, month }) => settleMonth(workspaceId, month, now));
}

async function settleMonth(workspaceId: string, month: string, now: Date): Promise<void> {
  for (;;) {
    const usage = await getMonth(workspaceId, month);
    const [oldest] = usage.minutes;
    if (!oldest || settlesAt(oldest.minute) > now) return;
    const kept = await keptOf(workspaceId, oldest.minute);
    if (!kept) return;
    // When the month has changed meanwhile it is read again.
    if (await settleMinute(usage, kept)) reportGivenBack(usage, kept);
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
