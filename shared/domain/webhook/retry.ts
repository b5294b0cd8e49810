/** What follows each failed attempt of a webhook delivery: 30 seconds, 2 minutes, 10 minutes, 1 hour, then nothing. */
export const webhookRetryDelaysSeconds = [30, 120, 600, 3600] as const;

/** When to try again after so many attempts; null when the delivery is to be given up. */
export function nextAttemptAt(attemptsMade: number, now: Date): Date | null {
  const delaySeconds = webhookRetryDelaysSeconds[attemptsMade - 1];
  return delaySeconds === undefined ? null : new Date(now.getTime() + delaySeconds * 1000);
}

/** From the first attempt to the last one: what is held back longer than this is given up. */
export const webhookRetryWindowSeconds = webhookRetryDelaysSeconds.reduce((sum, seconds) => sum + seconds, 0);
