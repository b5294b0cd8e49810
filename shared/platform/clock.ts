/*
 * The only source of the current time: a rule of test/architecture holds every other file to it. On AWS it is the machine's
 * time; in the local service it may be ahead (`npm start -- --clock`).
 */

let ahead = (): number => 0;

/** Sets by how many milliseconds the service's time is ahead of the machine's; for infra/local and its commands only. */
export function runAhead(milliseconds: () => number): void {
  ahead = milliseconds;
}

/** Milliseconds since the epoch. */
export const nowMilliseconds = (): number => Date.now() + ahead();

/** The current time; rules receive it as a value. */
export const now = (): Date => new Date(nowMilliseconds());

/** The machine's time at a time of the service: for a signature that another party compares with its own clock. */
export const machineTime = (at: Date = now()): Date => new Date(at.getTime() - ahead());

/** Whole seconds since the epoch, as DynamoDB's time to live needs them. */
export const epochSeconds = (date: Date): number => Math.floor(date.getTime() / 1000);

export const addSeconds = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000);

export const secondsInDay = 86_400;

/**
 * Milliseconds since this call. Takes the larger of two clocks: one stops while a container or laptop is suspended, the
 * other may be set back.
 */
export function stopwatch(): () => number {
  const [wall, steady] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - wall, performance.now() - steady);
}

/**
 * The same by the service's clock: for the age of what a process remembers, which is old once that clock was moved forward.
 * Never for a deadline of work that is under way.
 */
export function serviceStopwatch(): () => number {
  const [elapsed, aheadBefore] = [stopwatch(), ahead()];
  return () => elapsed() + ahead() - aheadBefore;
}
