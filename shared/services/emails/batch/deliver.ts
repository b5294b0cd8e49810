import type { Workspace } from '../../../domain/workspace/workspace.ts';
import { withLogFields } from '../../../platform/logContext.ts';
import { logger } from '../../../platform/logger.ts';
import { inParallel } from '../../../platform/parallel.ts';
import { giveBackBatch } from '../../../store/sending/reservations.ts';
import type { Attempt } from '../attempt.ts';
import { newEmail } from '../deliver.ts';
import { quotaOf } from '../reservation.ts';
import { type Stop, transmit } from '../transmit.ts';
import { envelopesAt, type ReadyLetter } from './letter.ts';
import { Pace } from './pace.ts';
import { reserveAll } from './reserve.ts';
import { type Kept, scheduleAll } from './schedule.ts';

/** A batch on its way out. */
export interface OutgoingBatch {
  readonly workspace: Workspace;
  readonly letters: readonly ReadyLetter[];
  /** Those that go out later. */
  readonly later: readonly ReadyLetter[];
  /** Places of envelopes of which nobody can say whether an earlier call sent them. */
  readonly inDoubt: readonly number[];
  isStillOurs(): Promise<boolean>;
  /** True when nothing is to go out if the first email does not. */
  readonly isStrict: boolean;
  readonly now: Date;
  /** When a call before under the same key was lost, as `BatchClaim` says. */
  readonly lostAt: number;
}

/** What became of a letter: `stop` says why it is not out as a whole. */
export interface Delivery {
  readonly index: number;
  readonly attempt: Attempt;
  readonly stop: Stop | null;
  /** True when all that was accepted is on disk. */
  readonly isRecorded: boolean;
}

/** Messages on their way at once: 480 a second of a provider that answers in 50 ms, 240 of one that takes 100. */
const lanes = 24;

/** What became of a batch: of what goes out now, and of what is kept for later. */
export interface Outcome {
  readonly deliveries: readonly Delivery[];
  readonly kept: readonly Kept[];
}

/**
 * Reserves for all and sends them side by side, each envelope after envelope; beside them what goes out later is kept.
 * Throws `quota_exceeded`, and nothing once the provider was asked for anything.
 */
export async function deliverBatch(batch: OutgoingBatch): Promise<Outcome> {
  const { workspace, letters, later, inDoubt, now } = batch;
  if (letters.length === 0) return { deliveries: [], kept: await scheduleAll(workspace, later, now) };
  const open = letters.map(({ id, draft: { addresses, content }, known }) => {
    const email = known?.email ?? newEmail({ workspaceId: workspace.id, emailId: id, addresses, content, now });
    return { email, accepted: email.envelopes.map((_, index) => Boolean(known?.messageIds[index])) };
  });
  const { minute, sheetOf } = await reserveAll(open, workspace, batch);
  const isStillOurs = oncePerSecond(() => batch.isStillOurs());
  const attempts = open.map(
    ({ email, accepted }, index): Attempt => ({
      email,
      accepted,
      minute,
      sheet: sheetOf(email),
      inDoubt: envelopesAt(letters[index]?.index ?? -1, inDoubt),
      startedAt: now,
      isStillOurs,
    }),
  );
  const outcome = await sendAll(batch, attempts);
  await giveBackUnsent(workspace.id, outcome.deliveries);
  return outcome;
}

/** The first one alone: what a provider does not take at all is then known before anybody is written to. */
async function sendAll(
  { workspace, letters, later, isStrict, now }: OutgoingBatch,
  attempts: readonly Attempt[],
): Promise<Outcome> {
  const pace = new Pace();
  let end: Stop | null = null;
  const sendOne = async (letter: ReadyLetter): Promise<Delivery> => {
    const attempt = attempts[letters.indexOf(letter)] as Attempt;
    const { index } = letter;
    if (end) return { index, attempt, stop: end, isRecorded: true };
    const { stop, marked } = await withLogFields({ email_id: attempt.email.id }, () =>
      transmit(attempt, letter.mime, letter.tracking, pace),
    );
    const isRecorded = await marked;
    if (stop?.kind === 'superseded') end = stop;
    return { index, attempt, stop, isRecorded };
  };
  const [first, ...others] = letters;
  if (!first) return { deliveries: [], kept: [] };
  const delivered = await sendOne(first);
  if (isStrict && delivered.stop) end = withoutIt(delivered.stop);
  const [deliveries, kept] = await Promise.all([
    inParallel(lanes, others, sendOne),
    end ? later.map((letter) => notKept(letter, end)) : scheduleAll(workspace, later, now),
  ]);
  return { deliveries: [delivered, ...deliveries], kept };
}

const notKept = (letter: ReadyLetter, stop: Stop | null): Kept => ({
  letter,
  status: 'not_sent',
  ...(stop && 'providerCode' in stop && { providerCode: stop.providerCode }),
});

/** Why the others are not sent when the first is not, whatever is known of that one. */
const withoutIt = (stop: Stop): Stop => (stop.kind === 'superseded' ? stop : { ...stop, kind: 'obstacle' });

/** The envelope of which a letter's own try heard nothing. */
export const unansweredOf = ({ attempt, stop }: Delivery): number | null =>
  stop?.kind === 'unknown' ? attempt.accepted.indexOf(false) : null;

async function giveBackUnsent(workspaceId: string, deliveries: readonly Delivery[]): Promise<void> {
  const unsent = deliveries.flatMap((delivery) => {
    const { email, accepted, minute } = delivery.attempt;
    const unanswered = unansweredOf(delivery);
    const left = email.envelopes.filter((_, index) => !accepted[index] && index !== unanswered).flat();
    return left.length > 0 ? [{ minute, quota: quotaOf(email, left) }] : [];
  });
  const [one] = unsent;
  if (!one) return;
  await giveBackBatch(
    workspaceId,
    one.minute,
    unsent.map(({ quota }) => quota),
  ).catch((error: unknown) =>
    logger.warn('What was not sent is given back to the quota when its minute is settled.', error as Error),
  );
}

/** A word that many ask for at the same moment; a process that was frozen meanwhile asks again. */
function oncePerSecond(ask: () => Promise<boolean>): () => Promise<boolean> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<boolean> | undefined;
  return () => {
    if (!answer || Date.now() - askedAt >= 1000) {
      askedAt = Date.now();
      answer = ask();
    }
    return answer;
  };
}
