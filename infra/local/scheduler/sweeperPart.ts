import type { DueEntry } from '../../../shared/store/dueWork.ts';
import type { ClockedPart, DueMoment } from '../clock/due.ts';
import type { runRules } from './rules.ts';

const minuteMilliseconds = 60_000;
const dayMilliseconds = 86_400_000;
/** What the sweeper does by the calendar and not by the index `due`: it copies emails and recounts automations at 00:07. */
const dailyMilliseconds = 7 * minuteMilliseconds;
/** Entries of each partition of the index: one that stays due must not hide those behind it. */
const perPartition = 10;
/** After so many sweeps in vain an entry is looked at ever less often, at last once an hour: held mail stays due for days. */
const patientSweeps = 3;
const longestMinutes = 60;

type Rule = Pick<ReturnType<typeof runRules>, 'beat' | 'progress'>;

/** Words for a kind of work: `SCHEDULED` is "scheduled". */
const words = (kind: string): string => `sweep: ${kind.toLowerCase()}`;

/**
 * The sweeper, which runs every minute in real life: here only in minutes for which the index `due` has something, and once
 * a day for all that follows the calendar.
 */
export function sweeperPart(
  rule: Rule,
  listNextDue: (perPartition: number) => Promise<readonly DueEntry[]>,
  now: () => number,
): ClockedPart {
  /** By entry that was due at a sweep, the number of runs before it. */
  const overdue = new Map<string, number>();
  /** As it was last asked, which is before each hop. */
  let next: readonly DueMoment[] = [];

  function momentOf({ id, kind, at }: DueEntry): DueMoment {
    const { runs, lastRunAt } = rule.progress();
    if (at.getTime() > lastRunAt) return { at: nextMinute(at.getTime()), kind: words(kind) };
    const inVain = runs - (overdue.get(id) ?? runs);
    overdue.set(id, runs - inVain);
    const minutes = Math.min(2 ** Math.max(0, inVain - patientSweeps), longestMinutes);
    const again = nextMinute(lastRunAt + 1 + (minutes - 1) * minuteMilliseconds);
    return { at: again, kind: words(kind), since: at.getTime() };
  }

  const nextDay = (): DueMoment => {
    const { lastRunAt } = rule.progress();
    const today = Math.floor((lastRunAt - dailyMilliseconds) / dayMilliseconds) * dayMilliseconds + dailyMilliseconds;
    return { at: today + dayMilliseconds, kind: 'daily sweep' };
  };

  return {
    pending: async (withDue) => {
      const { isRunning } = rule.progress();
      if (isRunning || !withDue) return { busy: isRunning ? ['the sweeper'] : [], due: [], done: {} };
      const entries = await listNextDue(perPartition);
      const known = new Set(entries.map(({ id }) => id));
      for (const id of overdue.keys()) if (!known.has(id)) overdue.delete(id);
      next = [...entries.map(momentOf), nextDay()];
      return { busy: [], due: next, done: {} };
    },
    look: async (isEnd) => {
      if (isEnd || next.some(({ at }) => at <= now())) await rule.beat();
    },
  };
}

const nextMinute = (milliseconds: number): number => Math.ceil(milliseconds / minuteMilliseconds) * minuteMilliseconds;
