import { isZone, momentAt, type WallTime, wallTimeAt } from '../../zonedTime.ts';
import type { DelayConfig, FieldDate, QuietHours } from '../automation.ts';
import { weekdays } from '../automation.ts';
import { minutesOf } from './duration.ts';

/*
 * When an automation does something. A local time that the clocks skip is the moment after; one that comes twice is the
 * first. All of it is calculation: the time is passed in.
 */

const minuteMilliseconds = 60_000;

/** The milliseconds of a stored duration, which was checked when it was written. */
export const storedDuration = (text: string): number => (minutesOf(text) ?? 0) * minuteMilliseconds;

const dayMilliseconds = 86_400_000;
const later = (at: Date, milliseconds: number): Date => new Date(at.getTime() + milliseconds);

/** What timing reads of a person. */
type Fields = Readonly<Record<string, unknown>>;

/** A person's own zone before the one that was given. */
export function zoneOf(zone: string, field: string | undefined, fields: Fields): string {
  const own = field !== undefined && Object.hasOwn(fields, field) ? fields[field] : undefined;
  return typeof own === 'string' && isZone(own) ? own : zone;
}

/** `09:00` in milliseconds. */
function timeOfDay(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return (hours * 60 + minutes) * minuteMilliseconds;
}

const startOfDay = ({ asUtc }: WallTime): number => Math.floor(asUtc / dayMilliseconds) * dayMilliseconds;

/** `asUtc` of a Monday has this remainder: the epoch began on a Thursday. */
const weekdayOf = (asUtc: number): number => (Math.floor(asUtc / dayMilliseconds) + 3) % weekdays.length;

/** The next moment from `from` on at which clocks show this time, on one of these weekdays. */
function nextTime(from: Date, time: string, zone: string, isAllowed: (weekday: number) => boolean = () => true): Date {
  const first = startOfDay(wallTimeAt(from, zone));
  // One day more than a week: today's time may be over.
  for (let day = 0; day <= weekdays.length; day += 1) {
    const asUtc = first + day * dayMilliseconds + timeOfDay(time);
    const at = momentAt({ asUtc }, zone);
    if (at >= from && isAllowed(weekdayOf(asUtc))) return at;
  }
  return from;
}

/** When a delay that begins at `from` ends, which may be before; `exit`: the run ends there. */
export function delayEnd({ duration, until, until_field }: DelayConfig, from: Date, fields: Fields): Date | 'exit' {
  if (until_field) {
    const on = dateIn(until_field, fields);
    if (!on) return until_field.if_missing === 'exit' ? 'exit' : from;
    return momentAt(wallOf(on, until_field), until_field.zone);
  }
  const start = duration === undefined ? from : later(from, storedDuration(duration));
  if (!until) return start;
  const days = until.weekdays?.map((name) => weekdays.indexOf(name));
  return nextTime(
    start,
    until.time,
    zoneOf(until.zone, until.zone_field, fields),
    (day) => days?.includes(day) ?? true,
  );
}

/** The end of the quiet hours that a moment lies in; null outside of them. */
export function quietUntil(quiet: QuietHours | null, at: Date, fields: Fields): Date | null {
  if (!quiet || quiet.from === quiet.to) return null;
  const zone = zoneOf(quiet.zone, quiet.zone_field, fields);
  const { asUtc } = wallTimeAt(at, zone);
  const time = asUtc - startOfDay({ asUtc });
  const [from, to] = [timeOfDay(quiet.from), timeOfDay(quiet.to)];
  const isQuiet = from < to ? time >= from && time < to : time >= from || time < to;
  if (!isQuiet) return null;
  const end = nextTime(at, quiet.to, zone);
  // Where clocks skip the end, the moment after it is not quiet any more.
  return end > at ? end : null;
}

/** Whether a message that was due at `dueAt` is too late now. */
export const isTooLate = (maxDelay: string | null | undefined, dueAt: Date, now: Date): boolean =>
  typeof maxDelay === 'string' && now.getTime() - dueAt.getTime() > storedDuration(maxDelay);

/** The first second at which a message is too late; null when it never is. A worker that is earlier tries again. */
export const lateAt = (maxDelay: string | null | undefined, dueAt: Date): Date | null =>
  typeof maxDelay === 'string' ? later(dueAt, storedDuration(maxDelay) + 1000) : null;

const datePattern = /^(\d{4})-(\d\d)-(\d\d)/;

interface CalendarDate {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
}

const asUtcOf = ({ year, month, day }: CalendarDate): number => Date.UTC(year, month - 1, day);

/** The date in a person's field (`YYYY-MM-DD`, whatever follows); null for anything else. */
function dateIn({ field }: FieldDate, fields: Fields): CalendarDate | null {
  const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
  const parts = typeof value === 'string' ? datePattern.exec(value.trim())?.slice(1).map(Number) : undefined;
  if (!parts) return null;
  const [year = 0, month = 0, day = 0] = parts;
  const read = new Date(asUtcOf({ year, month, day }));
  return read.getUTCMonth() === month - 1 && read.getUTCDate() === day ? { year, month, day } : null;
}

const wallOf = (date: CalendarDate, { offset_days = 0, at }: FieldDate): WallTime => ({
  asUtc: asUtcOf(date) + offset_days * dayMilliseconds + timeOfDay(at),
});

const isLeapYear = (year: number): boolean => new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;

/** The same day of another year: 29 February is the 28th where there is none. */
const inYear = ({ month, day }: CalendarDate, year: number): CalendarDate =>
  month === 2 && day === 29 && !isLeapYear(year) ? { year, month, day: 28 } : { year, month, day };

/**
 * The first occurrence of a date of a person after `after`; null for none. `every: year`: each year from its own on.
 */
export function nextDate(
  date: FieldDate & { readonly every?: 'year' | undefined },
  fields: Fields,
  after: Date,
): Date | null {
  const on = dateIn(date, fields);
  if (!on) return null;
  const momentOf = (day: CalendarDate) => momentAt(wallOf(day, date), date.zone);
  if (date.every !== 'year') {
    const at = momentOf(on);
    return at > after ? at : null;
  }
  // An offset of up to a year moves an occurrence into the year before or after.
  const year = after.getUTCFullYear();
  const found = [-2, -1, 0, 1, 2]
    .map((offset) => year + offset)
    .filter((one) => one >= on.year)
    .map((one) => momentOf(inYear(on, one)))
    .find((at) => at > after);
  return found ?? (on.year > year + 2 ? momentOf(on) : null);
}
