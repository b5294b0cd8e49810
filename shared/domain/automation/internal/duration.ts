const unitMinutes = { minute: 1, hour: 60, day: 1440, week: 10_080 } as const;

const form = /^(\d{1,7}) (minute|hour|day|week)s?$/;

/** The minutes of `3 days`; null for a text of another form, and for none at all. */
export function minutesOf(duration: string): number | null {
  const [, count, unit] = form.exec(duration) ?? [];
  const minutes = Number(count) * unitMinutes[unit as keyof typeof unitMinutes];
  return minutes > 0 ? minutes : null;
}

export const dayMinutes = unitMinutes.day;
