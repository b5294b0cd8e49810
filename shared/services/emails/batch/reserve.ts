import { randomUUID } from 'node:crypto';
import { ServiceError } from '../../../contract/errors.ts';
import type { Minute } from '../../../domain/sending/minute.ts';
import { plans, quotaResetsAt } from '../../../domain/sending/plan.ts';
import type { Workspace } from '../../../domain/workspace/workspace.ts';
import type { Email } from '../../../store/sending/email.ts';
import { reserveBatch } from '../../../store/sending/reservations.ts';
import type { Sheet } from '../../../store/sending/sends.ts';
import { type Attempt, openPart } from '../attempt.ts';
import { quotaOf } from '../reservation.ts';
import { waiting } from '../waiting.ts';

/** What is open of an email. */
type Open = Pick<Attempt, 'email' | 'accepted'>;

/** Where the attempts at a batch are reserved and listed. */
export interface Reservation {
  readonly minute: Minute;
  sheetOf(email: Email): string | undefined;
}

/** Until the minute of a call that was lost is certainly settled: five minutes after its end, by a sweep a minute. */
const settledMilliseconds = 8 * 60_000;

/** Whether a call that was lost then may still hold what a later one lacks; it is given back when its minute is settled. */
export const mayBeGivenBack = (lostAt: number, now: Date): boolean => now.getTime() - lostAt < settledMilliseconds;

/**
 * Takes the quota of all of them at once, before the provider is asked for any; `quota_exceeded` when one does not fit.
 * What a lost call under the same key has taken may be what is lacking: then it is `conflict`, until that is given back.
 */
export async function reserveAll(
  open: readonly Open[],
  { id, plan }: Workspace,
  { now, lostAt }: { readonly now: Date; readonly lostAt: number },
): Promise<Reservation> {
  const limit = plans[plan].monthlyQuota;
  const sheets = sheetsOf(open);
  const reserved = await reserveBatch(id, sheets, limit, now);
  if (!reserved.ok) {
    if (mayBeGivenBack(lostAt, now)) throw waiting('unconfirmed', 30);
    const requested = open.reduce((sum, each) => sum + openPart(each).length, 0);
    throw new ServiceError('quota_exceeded', {
      details: { limit, used: reserved.used, requested, resets_at: quotaResetsAt(now) },
    });
  }
  const names = new Map(sheets.flatMap((sheet) => sheet.attempts.map(({ email }) => [email.id, sheet.id])));
  return { minute: reserved.minute, sheetOf: (email) => names.get(email.id) };
}

/** An item holds 400 KB. An email has 250 at most; a sheet of many is read whole by each word that comes unexpected. */
const sheetBytes = 64_000;

function sheetsOf(open: readonly Open[]): Sheet[] {
  const sheets: { id: string; attempts: Sheet['attempts'][number][] }[] = [];
  let room = 0;
  for (const each of open) {
    const bytes = Buffer.byteLength(JSON.stringify(each.email));
    if (bytes > room) {
      sheets.push({ id: randomUUID(), attempts: [] });
      room = sheetBytes;
    }
    room -= bytes;
    sheets.at(-1)?.attempts.push({ email: each.email, quota: quotaOf(each.email, openPart(each)) });
  }
  return sheets;
}
