import { createHash } from 'node:crypto';
import { ServiceError } from '../contract/errors.ts';
import { hashBody } from '../domain/encoding.ts';
import { createId } from '../domain/identifier.ts';
import { logger } from '../platform/logger.ts';
import {
  type Claim,
  type ClaimPosition,
  claim,
  noteAnswer,
  release,
  reopen,
  takeOver,
} from '../store/emails/idempotencyClaims.ts';
import type { Context } from './context.ts';
import { tryLater } from './emails/sendFailure.ts';

interface KeyedCall {
  /** The Idempotency-Key. */
  readonly key: string;
  /** What was called, with its parsed input. */
  readonly request: object;
}

/** The answer of this call, or of the earlier one that it repeats. */
interface KeptAnswer<Answer> {
  readonly answer: Answer;
  readonly isReplay: boolean;
}

/** A function that answers the gateway ends within this time. */
const longestCallMilliseconds = 30_000;

/**
 * Runs `act` once under an Idempotency-Key, which `POST /emails` shares, and keeps its answer for a day. `reservedId` is
 * the same in a call that repeats one that crashed. Throws `idempotency_key_reused` for another request, and `conflict`
 * while the earlier call may be running. A refused call frees its key. Two write units besides those of `act`.
 */
export async function answerOnce<Answer>(
  { workspaceId, now }: Context,
  { key, request }: KeyedCall,
  act: (reservedId: string) => Promise<Answer>,
): Promise<KeptAnswer<Answer>> {
  const position = { workspaceId, keyHash: createHash('sha256').update(key).digest('hex') };
  const fresh = { emailId: createId('email', now), bodyHash: hashBody(request), claimedAt: now.getTime(), inDoubt: [] };
  const existing = await claim(position, fresh, now);
  if (!existing) return { answer: await runHolding(position, fresh, act), isReplay: false };
  if (existing.bodyHash !== fresh.bodyHash) throw new ServiceError('idempotency_key_reused');
  if (existing.answer !== undefined) return { answer: JSON.parse(existing.answer) as Answer, isReplay: true };
  const waitMilliseconds = existing.claimedAt + longestCallMilliseconds - now.getTime();
  if (waitMilliseconds > 0) throw tryLater('working', Math.ceil(waitMilliseconds / 1000));
  const own = await takeOver(position, existing, [], now);
  if (!own) throw tryLater('working', 1);
  return { answer: await runHolding(position, own, act), isReplay: false };
}

async function runHolding<Answer>(
  position: ClaimPosition,
  own: Claim,
  act: (reservedId: string) => Promise<Answer>,
): Promise<Answer> {
  const answer = await act(own.emailId).catch(async (error: unknown) => {
    const isRefused = error instanceof ServiceError && error.code !== 'internal_error';
    // What failed may have been done: its id stays reserved for the next call.
    await settled(isRefused ? release(position, own) : reopen(position, own, []));
    throw error;
  });
  await settled(noteAnswer(position, own, JSON.stringify(answer)));
  return answer;
}

/** What was done stays done when the claim cannot be written: it opens by itself. */
async function settled(write: Promise<void>): Promise<void> {
  await write.catch((cause) => logger.error('An Idempotency-Key could not be settled.', cause as Error));
}
