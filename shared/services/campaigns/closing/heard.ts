import { putHeardUpTo } from '../../../store/campaign/heard.ts';

/** Often enough for a margin of minutes, and next to nothing beside the events themselves. */
const noteMilliseconds = 5000;
let [notedAt, noted] = [0, 0];

/** Notes an event that was dealt with, whatever it was about: once in some seconds for each container. */
export async function noteHeard(at: Date, now: Date): Promise<void> {
  if (at.getTime() <= noted || now.getTime() - notedAt < noteMilliseconds) return;
  const known = notAhead(at, now);
  [notedAt, noted] = [now.getTime(), known.getTime()];
  await putHeardUpTo(known);
}

/** Notes the event of a probe, which somebody waits for. */
export const noteProbeHeard = (at: Date, now: Date): Promise<void> => putHeardUpTo(notAhead(at, now));

/** A provider whose clock is ahead must not vouch for what has not happened yet. */
const notAhead = (at: Date, now: Date): Date => new Date(Math.min(at.getTime(), now.getTime()));
