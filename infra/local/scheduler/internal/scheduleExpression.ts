const oneTime = /^at\((\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})\)$/;

/**
 * The time of a one-time expression in epoch milliseconds, or undefined for any other expression.
 *
 * `at(yyyy-mm-ddThh:mm:ss)` has no zone of its own: it is read in `timeZone`, an IANA name, UTC by default
 * (https://docs.aws.amazon.com/scheduler/latest/UserGuide/schedule-types.html#one-time).
 */
export function parseOneTimeExpression(expression: string, timeZone = 'UTC'): number | undefined {
  const parts = oneTime.exec(expression)?.slice(1).map(Number);
  if (!parts || !isTimeZone(timeZone)) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  const isoDigits = new Date(asUtc).toISOString().slice(0, 19);
  // Date.UTC rolls 30 February over into March; AWS refuses it.
  if (`at(${isoDigits})` !== expression) return undefined;
  // The offset at the wall time read as UTC is wrong by one change of the clocks at most: the second step corrects it.
  const guess = asUtc - offsetMilliseconds(asUtc, timeZone);
  return asUtc - offsetMilliseconds(guess, timeZone);
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds by which the zone's wall clock is ahead of UTC at that time. */
function offsetMilliseconds(moment: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const part = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(moment / 1000) * 1000;
}
