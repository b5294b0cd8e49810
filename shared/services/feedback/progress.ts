import { stopwatch } from '../../platform/clock.ts';
import { logger } from '../../platform/logger.ts';
import { noteHeard } from '../../store/sending/heard.ts';

/** A container notes it no more often than this. */
const pauseMilliseconds = 10_000;
let sinceNoted: (() => number) | undefined;

/**
 * Keeps how far the provider's words on messages have come in, for those who wait for one that does not come. To be
 * called when everything in the batch was recorded: what failed comes again later, and the mark must not pass it.
 */
export async function noteProgress(heard: readonly Date[]): Promise<void> {
  if (heard.length === 0 || (sinceNoted && sinceNoted() < pauseMilliseconds)) return;
  sinceNoted = stopwatch();
  try {
    await noteHeard(new Date(Math.max(...heard.map((sentAt) => sentAt.getTime()))));
  } catch (error) {
    logger.warn('How far the feedback has come could not be noted.', error as Error);
  }
}
