/** By how many milliseconds the clock of AWS is ahead of ours; 0 as long as that does no harm. What one service tells holds for all. */
let ahead = 0;

/** What a request is signed by at this time of ours. */
export const signingDateAt = (time: number): Date => new Date(time + ahead);

interface RefusedRequest {
  /** Our clock's time. */
  readonly signedAt: number;
  readonly signingDate: Date;
  readonly headers: Readonly<Record<string, string>>;
}

/** AWS refuses what was signed five minutes from its own time; from four on a clock is taken for wrong, as the SDK does. */
const wrongFromMilliseconds = 240_000;

/** A container that was frozen meanwhile reads an answer long after it was given. */
const freshMilliseconds = 60_000;

/** Sets the clock by the answer to a request that was refused; true when the request was signed by a wrong one. */
export function setRight({ signedAt, signingDate, headers }: RefusedRequest): boolean {
  const now = Date.now();
  // A kept answer has an age, and tells of another time.
  const told = headers.age === undefined ? Date.parse(headers.date ?? '') : Number.NaN;
  const isWrong = Math.abs(told - signingDate.getTime()) >= wrongFromMilliseconds;
  if (!isWrong || now - signedAt > freshMilliseconds) return false;
  ahead = Math.abs(told - now) < wrongFromMilliseconds ? 0 : told - now;
  return true;
}
