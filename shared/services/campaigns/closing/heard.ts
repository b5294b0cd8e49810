import { getHeardUpTo, putHeardUpTo } from '../../../store/campaign/heard.ts';

/**
 * Up to when what the provider has to say is taken for heard; null when nothing was. An event that happened at that time
 * came all the way, so one that happened well before it and of which nothing was heard did not happen. Events come out
 * of order, but by seconds and minutes: whoever asks leaves a margin of half of CAMPAIGN_DOUBT_SECONDS.
 */
export const heardUpTo = (): Promise<Date | null> => getHeardUpTo();

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
