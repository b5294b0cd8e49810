/** A date and a time of day, to the second, without a time zone. */
export interface WallTime {
  /** Milliseconds since the epoch if the time were in UTC. */
  readonly asUtc: number;
}

/**
 * The moments of a wall time in a zone. `gap`: the clocks skip it, and `instead` is the same time after the change.
 * `fold`: the clocks show it twice, first `at`, then `later`.
 */
export type ZonedTime =
  | { readonly kind: 'once'; readonly at: Date }
  | { readonly kind: 'fold'; readonly at: Date; readonly later: Date }
  | { readonly kind: 'gap'; readonly instead: Date };

const pattern = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d))?$/;

/** Reads `2026-12-01 09:00`, with or without seconds; null for another form and for an impossible date or time. */
export function parseWallTime(text: string): WallTime | null {
  const parts = pattern
    .exec(text.trim())
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const read = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // Date.UTC turns 30 February into a day of March.
  const isReal = read.getUTCMonth() === month - 1 && read.getUTCDate() === day && read.getUTCHours() === hour;
  return isReal && minute < 60 && second < 60 ? { asUtc: read.getTime() } : null;
}

/** True for a zone of the IANA database (`Europe/Paris`, `UTC`); not for offsets and abbreviations, which have no rules. */
export function isZone(name: string): boolean {
  if (!/^(?:[A-Za-z_]+\/.+|UTC)$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const dayMilliseconds = 86_400_000;

/**
 * Converts a wall time in a zone. No zone changes its clocks twice within two days, so the offset is one of those a day
 * before and a day after.
 */
export function inZone({ asUtc }: WallTime, zone: string): ZonedTime {
  const [before, after] = [-dayMilliseconds, dayMilliseconds].map((away) => offsetAt(asUtc + away, zone));
  const candidates = [...new Set([before, after])].map((offset) => ({ at: asUtc - (offset ?? 0), offset }));
  const found = candidates.filter(({ at, offset }) => offsetAt(at, zone) === offset).map(({ at }) => at);
  const [first, second] = found.sort((a, b) => a - b).map((at) => new Date(at));
  if (first && second) return { kind: 'fold', at: first, later: second };
  if (first) return { kind: 'once', at: first };
  return { kind: 'gap', instead: new Date(asUtc - (before ?? 0)) };
}

/** The wall time that clocks in a zone show at a moment. */
export const wallTimeAt = (at: Date, zone: string): WallTime => ({
  asUtc: at.getTime() + offsetAt(at.getTime(), zone),
});

/** The first moment at which clocks in a zone show this time or a later one: after a gap, and the first of two in a fold. */
export function momentAt(wall: WallTime, zone: string): Date {
  const read = inZone(wall, zone);
  return read.kind === 'gap' ? endOfGap(wall, zone) : read.at;
}

/** The clocks change between the readings of a skipped time by the offsets before and after. */
function endOfGap({ asUtc }: WallTime, zone: string): Date {
  let [early, late] = [
    asUtc - offsetAt(asUtc + dayMilliseconds, zone),
    asUtc - offsetAt(asUtc - dayMilliseconds, zone),
  ];
  const before = offsetAt(early, zone);
  while (late - early > 1000) {
    const middle = Math.floor((early + late) / 2000) * 1000;
    if (offsetAt(middle, zone) === before) early = middle;
    else late = middle;
  }
  return new Date(late);
}

/** A moment in a zone with its offset: `2026-12-01 09:00 (Europe/Paris, GMT+1)`. */
export function shownInZone(at: Date, zone: string): string {
  const { year, month, day, hour, minute, timeZoneName } = partsOf(at.getTime(), zone);
  return `${year}-${month}-${day} ${hour}:${minute} (${zone}, ${timeZoneName})`;
}

const offsets = new Map<string, number>();
const mostOffsets = 10_000;

/** The offset of a zone from UTC at a moment, in milliseconds. Many ask for the same one: a simulation, for all its people. */
function offsetAt(at: number, zone: string): number {
  const second = Math.floor(at / 1000) * 1000;
  const name = `${second} ${zone}`;
  const known = offsets.get(name);
  if (known !== undefined) return known;
  const offset = readOffset(second, zone);
  if (offsets.size >= mostOffsets) offsets.clear();
  offsets.set(name, offset);
  return offset;
}

function readOffset(second: number, zone: string): number {
  const parts = partsOf(second, zone);
  const shown = ['year', 'month', 'day', 'hour', 'minute', 'second'].map((name) => Number(parts[name]));
  const [year = 0, month = 1, ...rest] = shown;
  return Date.UTC(year, month - 1, ...rest) - second;
}

function partsOf(at: number, timeZone: string): Partial<Record<string, string>> {
  return Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
}

const formats = new Map<string, Intl.DateTimeFormat>();
/** One for each zone and spelling of it. */
const mostFormats = 500;

/** To make one takes twenty times as long as to use it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'shortOffset',
  });
  if (formats.size >= mostFormats) formats.clear();
  formats.set(timeZone, format);
  return format;
}
