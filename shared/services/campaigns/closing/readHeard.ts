import { addSeconds, now } from '../../../platform/clock.ts';
import { isQueueEmpty } from '../../../queue/isQueueEmpty.ts';
import { getHeardUpTo, getRedrivenAt } from '../../../store/campaign/heard.ts';

/** What is known of the provider's events of campaign mail. */
export interface Heard {
  /**
   * Up to when they are taken for heard; null when there was none. An event that happened at that time came all the way,
   * so one that happened well before it and of which nothing was heard did not happen. Events come out of order, but by
   * seconds and minutes: whoever asks leaves a margin of half of CAMPAIGN_DOUBT_SECONDS.
   */
  readonly upTo: Date | null;
  /** Whether, from this moment back, none waits to be read, nor was given up and waits for an operator. */
  readonly isAllRead: () => Promise<boolean>;
}

export async function readHeard(): Promise<Heard> {
  return { upTo: await getHeardUpTo(), isAllRead };
}

/** What an operator puts back is on its way for a while, and its counts come some seconds late. */
const onItsWaySeconds = 15 * 60;

async function isAllRead(): Promise<boolean> {
  const redrivenAt = await getRedrivenAt();
  if (redrivenAt && now() < addSeconds(redrivenAt, onItsWaySeconds)) return false;
  return isQueueEmpty('campaign-feedback');
}

/** The same, asked at most once: for slices that were read together, before the first question. */
export function askedOnce({ upTo, isAllRead }: Heard): Heard {
  let answer: Promise<boolean> | undefined;
  return {
    upTo,
    isAllRead: () => {
      answer ??= isAllRead();
      return answer;
    },
  };
}
