/** The only source of the current time; rules receive it as a value. */
export const now = (): Date => new Date();

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
