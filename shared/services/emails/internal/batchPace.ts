import { setTimeout as wait } from 'node:timers/promises';
import { answerMilliseconds, type Envelope, type SendResult } from '../../../email/ses.ts';
import { remainingMilliseconds } from '../../../platform/deadline.ts';
import type { RetryStrategy } from '../deliver.ts';

const firstGapMilliseconds = 40;
const longestGapMilliseconds = 500;
/** Messages in flight at the same time are throttled together: this counts once. */
const throttledTogetherMilliseconds = 300;
/** Factor on the gap for each accepted message. */
const recovery = 0.95;

/**
 * Sends the messages of a batch as fast as SES accepts them. Once SES throttles, they leave one by one with a gap that
 * adapts to SES's rate from below, so that single emails, which are retried for a short time only, get through as well.
 */
export class BatchPace implements RetryStrategy {
  #gap = 0;
  #nextAt = 0;
  #slowedDownAt = Number.NEGATIVE_INFINITY;

  async send(envelope: Envelope, submit: (envelope: Envelope) => Promise<SendResult>): Promise<SendResult> {
    await this.#awaitGap();
    // After the pause too little time may be left for an answer.
    if (remainingMilliseconds() < answerMilliseconds) return { kind: 'deferred', providerCode: 'Timeout' };
    const result = await submit(envelope);
    if (result.kind === 'deferred') this.#slowDown();
    else this.#gap *= recovery;
    return result;
  }

  /** Endless: the call's deadline ends the retries. */
  *waits(): Iterable<number> {
    while (true) yield 2 * Math.max(this.#gap, firstGapMilliseconds);
  }

  async #awaitGap(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + this.#gap;
    if (at > now) await wait(at - now);
  }

  #slowDown(): void {
    const now = performance.now();
    if (now - this.#slowedDownAt < throttledTogetherMilliseconds) return;
    this.#slowedDownAt = now;
    this.#gap = Math.min(longestGapMilliseconds, Math.max(firstGapMilliseconds, 2 * this.#gap));
  }
}
