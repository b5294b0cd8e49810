import { setTimeout as wait } from 'node:timers/promises';
import { type Envelope, sendEnvelope } from '../../../email/sendEnvelope.ts';
import { answerMilliseconds, type SendResult } from '../../../email/ses.ts';
import { remainingMilliseconds } from '../../../platform/deadline.ts';
import type { Manner } from '../transmit.ts';

const firstGapMilliseconds = 40;
const longestGapMilliseconds = 500;
/** Calls that were under way together are throttled together: that is one word, not many. */
const oneWordMilliseconds = 300;
/** What the gap becomes with each message that is taken. */
const recovery = 0.95;

/**
 * Sends the messages of one batch as fast as the provider takes them. When it throttles they leave one after the other,
 * with a gap that finds its rate from below: single mail, which does not wait for long, must find places between them.
 */
export class Pace implements Manner {
  #gap = 0;
  #free = 0;
  #toldAt = Number.NEGATIVE_INFINITY;

  async send(envelope: Envelope): Promise<SendResult> {
    await this.#turn();
    // Its place may have come too late for an answer. What is waited for after that is not of this time any more.
    if (remainingMilliseconds() < answerMilliseconds) return { kind: 'deferred', providerCode: 'Timeout' };
    const result = await sendEnvelope(envelope);
    if (result.kind === 'deferred') this.#slowDown();
    else this.#gap *= recovery;
    return result;
  }

  /** For as long as the call has time. */
  *waits(): Iterable<number> {
    while (true) yield 2 * Math.max(this.#gap, firstGapMilliseconds);
  }

  async #turn(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#free);
    this.#free = at + this.#gap;
    if (at > now) await wait(at - now);
  }

  #slowDown(): void {
    const now = performance.now();
    if (now - this.#toldAt < oneWordMilliseconds) return;
    this.#toldAt = now;
    this.#gap = Math.min(longestGapMilliseconds, Math.max(firstGapMilliseconds, 2 * this.#gap));
  }
}
