import { type SetName, type Slice, setOf } from './slice.ts';

/**
 * Counters for the reputation of a workspace: messages sent and delivered according to its slices, on the day (UTC) on
 * which each slice was begun, without mail to SES's simulator. Changed like those of the report, so that a recount
 * corrects both.
 */
export const dayCounters = ['sent', 'delivered'] as const;
export type DayCounter = (typeof dayCounters)[number];

const setOfCounter: Readonly<Record<DayCounter, SetName>> = { sent: 'accepted', delivered: 'delivered' };

/** Empty for a slice without a day, which an earlier release began: its messages were counted elsewhere. */
export function countDay({ sets, day }: Pick<Slice, 'sets' | 'day'>): Readonly<Record<string, number>> {
  if (day === null) return {};
  const simulated = setOf(sets, 'simulated');
  return Object.fromEntries(
    dayCounters.map((counter) => {
      const counted = [...setOf(sets, setOfCounter[counter])].filter((position) => !simulated.has(position));
      return [dayCounterName(day, counter), counted.length];
    }),
  );
}

const prefix = 'day.';

export const dayCounterName = (date: string, counter: DayCounter): string => `${prefix}${date}.${counter}`;

/** The date and the counter in a name; null for a counter of the report. */
export function dayCounterOf(name: string): { readonly date: string; readonly counter: DayCounter } | null {
  if (!name.startsWith(prefix)) return null;
  const [, date = '', counter] = name.split('.');
  return { date, counter: counter as DayCounter };
}
