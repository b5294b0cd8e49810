import type { Attempt, Slice } from '../../../domain/campaign/attempt.ts';
import { type SliceSets, setOf } from '../../../domain/campaign/slice.ts';
import { countSlice, difference } from '../../../domain/campaign/tally.ts';
import { addSeconds } from '../../../platform/clock.ts';
import { config } from '../../../platform/config.ts';
import { clearDoubt, recordAttempt, type SlicePosition } from '../../../store/campaign/slices.ts';
import { together } from '../run/book.ts';
import type { Flight } from '../run/flight.ts';
import type { Heard } from './readHeard.ts';

/**
 * Ends the attempts of a slice of which nothing more will be learnt. One that some event names has run: its silent people
 * are never written to again. One of which nothing at all was heard, while later ones were and no event waits to be
 * read, was not taken: they may be tried again. After a day what is in doubt stays so. `lacksWord` when one would be
 * ended if only later events had come in.
 */
export async function endDoubts(
  { book, now }: Pick<Flight, 'book' | 'now'>,
  position: SlicePosition,
  { state, size }: { readonly state: Slice; readonly size: number },
  heard: Heard,
): Promise<{ readonly slice: Slice; readonly lacksWord: boolean }> {
  let [slice, lacksWord] = [state, false];
  for (const attempt of state.attempts) {
    const verdict = verdictOn(attempt, slice, now(), heard.upTo);
    lacksWord ||= verdict === 'unheard';
    if (verdict === 'open' || verdict === 'unheard') continue;
    // Asked after the slice was read: an event that was dealt with since has left its mark on it.
    if (verdict === 'again' && !(await heard.isAllRead())) continue;
    // Nobody of an attempt that is closed may count as never written to.
    const uncertain = { uncertain: attempt.positions };
    const before =
      verdict === 'over'
        ? await recordAttempt(position, attempt.id, uncertain)
        : await clearDoubt(position, slice.turn, attempt);
    if (!before) continue;
    const sets = verdict === 'over' ? together(before.sets, uncertain) : without(before.sets, attempt.positions);
    book.move(position, difference(countSlice(before.sets, size), countSlice(sets, size)));
    const attempts = slice.attempts.filter(({ id }) => id !== attempt.id);
    slice = { ...slice, attempts, sets, turn: slice.turn + (verdict === 'over' ? 0 : 1) };
  }
  return { slice, lacksWord };
}

const finalSeconds = 86_400;

/** `unheard`: it would be `again`, if an event of something later had come in. */
type Verdict = 'open' | 'unheard' | 'over' | 'again';

function verdictOn({ id, deadline }: Attempt, { heard }: Slice, now: Date, heardUpTo: Date | null): Verdict {
  const doubtSeconds = config('CAMPAIGN_DOUBT_SECONDS');
  if (now >= addSeconds(deadline, finalSeconds)) return 'over';
  if (now < addSeconds(deadline, doubtSeconds)) return 'open';
  if (heard.has(id)) return 'over';
  return heardUpTo && heardUpTo >= addSeconds(deadline, doubtSeconds / 2) ? 'again' : 'unheard';
}

const without = (sets: SliceSets, positions: ReadonlySet<number>): SliceSets => ({
  ...sets,
  uncertain: new Set([...setOf(sets, 'uncertain')].filter((position) => !positions.has(position))),
});
