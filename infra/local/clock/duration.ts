const unitMilliseconds = { second: 1000, minute: 60_000, hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
type Unit = keyof typeof unitMilliseconds;

const longestDays = 400;

/** Milliseconds of `"3 days"`: one number of seconds, minutes, hours, days or weeks. Throws an Error with one sentence. */
export function parseDuration(text: string): number {
  const [, count = '', unit = ''] = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*([a-z]+?)s?\s*$/i.exec(text) ?? [];
  const milliseconds = Number(count) * (unitMilliseconds[unit.toLowerCase() as Unit] ?? 0);
  if (!(milliseconds > 0)) {
    const shown = JSON.stringify(text.slice(0, 40));
    throw new Error(
      `${shown} is no duration: write one number of seconds, minutes, hours, days or weeks, as "3 days".`,
    );
  }
  if (milliseconds > longestDays * unitMilliseconds.day) {
    throw new Error(`The clock advances by at most ${longestDays} days at once.`);
  }
  return Math.round(milliseconds);
}
