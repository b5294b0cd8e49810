import { type CountedMessage, type FrequencyCap, placeOf, withoutMessage } from '../domain/sending/frequencyCap.ts';
import { overtaken, untilSettled } from '../platform/deadline.ts';
import { logger } from '../platform/logger.ts';
import { inParallel } from '../platform/parallel.ts';
import { getCounted, readCounted, replaceCounted } from '../store/person/countedMessages.ts';
import { getFrequencyCap } from '../store/workspace/workspaces.ts';

/**
 * The places that a workspace's frequency cap allows a person. A message takes one before the write that allows it to be
 * sent, on condition that the counted messages are as they were read: of two that want the last place, one gets it.
 */

export interface PersonPosition {
  readonly workspaceId: string;
  /** In the form of `addressKey`. */
  readonly email: string;
}

type TakenPlace =
  | { readonly kind: 'taken'; readonly message: CountedMessage }
  | { readonly kind: 'full'; readonly until: Date };

/**
 * Takes a place for a message; null when the workspace has no cap any more. The same id counts only once, so
 * that a message may be tried again after a crash.
 */
export const takePlace = (person: PersonPosition, id: string, now: Date): Promise<TakenPlace | null> =>
  untilSettled(async () => {
    const { workspaceId, email } = person;
    const [cap, counted] = await Promise.all([getFrequencyCap(workspaceId), getCounted(workspaceId, email)]);
    return cap && takeOf(person, { cap, counted, id }, now);
  });

interface Wanted {
  readonly cap: FrequencyCap;
  /** As read. */
  readonly counted: readonly CountedMessage[];
  readonly id: string;
}

async function takeOf(
  { workspaceId, email }: PersonPosition,
  { cap, counted, id }: Wanted,
  now: Date,
): Promise<TakenPlace | typeof overtaken> {
  const place = placeOf(counted, id, cap, now);
  if (place.kind === 'full') return place;
  if (place.kind === 'held') return { kind: 'taken', message: { id, at: place.at } };
  const isTaken = await replaceCounted(workspaceId, email, counted, place.after);
  return isTaken ? { kind: 'taken', message: { id, at: now.getTime() } } : overtaken;
}

/** As many writes at once as leave connections for other work. */
const writesAtOnce = 24;

/** Takes a place for the same message to several people: one read, and a write for each. Returns those who have none. */
export async function peopleWithoutPlace(
  workspaceId: string,
  emails: readonly string[],
  { cap, id }: Pick<Wanted, 'cap' | 'id'>,
  now: Date,
): Promise<ReadonlySet<string>> {
  const counted = await readCounted(workspaceId, emails);
  const people = emails.map((email, index) => ({ email, counted: counted[index] ?? [] }));
  const full = await inParallel(writesAtOnce, people, async ({ email, counted: known }) => {
    const person = { workspaceId, email };
    const first = await takeOf(person, { cap, counted: known, id }, now);
    const place = first === overtaken ? await takePlace(person, id, now) : first;
    return place?.kind === 'full' ? [email] : [];
  });
  return new Set(full.flat());
}

/**
 * Returns the place of a message that was certainly not sent, unless it was taken anew since. Never throws: a place that
 * is not returned counts.
 */
export async function returnPlace({ workspaceId, email }: PersonPosition, message: CountedMessage): Promise<void> {
  try {
    await untilSettled(async () => {
      const counted = await getCounted(workspaceId, email);
      const rest = withoutMessage(counted, message);
      if (rest === counted) return true;
      return (await replaceCounted(workspaceId, email, counted, rest)) || overtaken;
    });
  } catch (error) {
    logger.warn('A message that was not sent still counts against the frequency cap.', error as Error);
  }
}
