import { setTimeout as wait } from 'node:timers/promises';
import { campaignRate } from '../../../domain/sending/quota.ts';
import { nowMilliseconds } from '../../../platform/clock.ts';
import { logger } from '../../../platform/logger.ts';
import { takePaceSlot } from '../../../store/campaign/pace.ts';
import { currentPace } from '../../sendingPace.ts';

/*
 * Messages of automations go out at the pace of campaigns: a thousand that are due at the same moment leave SES's rate to
 * single emails, and wait while such emails wait. A process that sends many reserves ten turns with one write.
 */

/** Turns that this process reserved. */
interface Turns {
  left: number;
  /** Unix milliseconds. */
  readonly startsAt: number;
  readonly endsAt: number;
}

interface Late {
  readonly waitMilliseconds: number;
}

const mostTurns = 10;
/** A process that sent a message so recently reserves more turns at once. */
const busyMilliseconds = 2000;
/** A turn is void so long after its slot. */
const voidMilliseconds = 3000;
const dayMilliseconds = 900_000;

let open: Promise<Turns | Late> | null = null;
let reserved = { at: 0, turns: 0 };

/** Waits a few seconds at most for a turn. Returns 0 if the message may go out, else the milliseconds after which to ask again. */
export async function takeTurn(): Promise<number> {
  for (;;) {
    open ??= reserve();
    const own = open;
    const turns = await own;
    const now = nowMilliseconds();
    if ('left' in turns && turns.left > 0 && now < turns.endsAt) {
      turns.left -= 1;
      await wait(Math.max(0, turns.startsAt - now));
      return 0;
    }
    if (open === own) open = null;
    if (!('left' in turns)) return turns.waitMilliseconds;
  }
}

/** Never throws: without the pace, SES's own refusals limit what goes out. */
async function reserve(): Promise<Turns | Late> {
  const now = nowMilliseconds();
  const wanted = now - reserved.at < busyMilliseconds ? Math.min(mostTurns, 2 * reserved.turns) : 1;
  try {
    const pace = await currentPace(now);
    const perSecond = campaignRate(pace.account.perSecond) * pace.factor;
    // Their messages begin together, so no more than half a second of the rate.
    const count = Math.max(1, Math.min(wanted, Math.floor(perSecond / 2)));
    const slot = await takePaceSlot(pace, count, nowMilliseconds());
    if (slot.kind === 'late') return slot;
    if (slot.kind === 'day') return { waitMilliseconds: dayMilliseconds };
    reserved = { at: nowMilliseconds(), turns: count };
    const endsAt = slot.startsAt + (count * 1000) / perSecond + voidMilliseconds;
    return { left: count, startsAt: slot.startsAt, endsAt };
  } catch (error) {
    logger.warn(
      'The pace of sending could not be read: a message of an automation goes out without it.',
      error as Error,
    );
    return { left: 1, startsAt: now, endsAt: Number.POSITIVE_INFINITY };
  }
}
