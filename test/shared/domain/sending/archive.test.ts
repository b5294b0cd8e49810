import { createId } from '../../../../shared/domain/identifier.ts';
import {
  copiedBefore,
  extendedUntil,
  firstUncopied,
  isLateReport,
  laggingBefore,
  outcomeUntil,
} from '../../../../shared/domain/sending/archive.ts';
import { keptTimes } from '../../../../shared/domain/sending/email.ts';
import { fewestHotDays } from '../../../../shared/platform/config.ts';

const day = 86_400;
const start = new Date('2026-10-01T23:59:59.999Z');
const seconds = Math.floor(start.getTime() / 1000);
const on = (days: number) => new Date(start.getTime() + days * day * 1000);
const email = { id: createId('email', start), createdAt: start.toISOString(), mayBeCopied: true };

describe('the times of an email', () => {
  it('end in the table after its days there, if it is kept for longer and its id says when it was sent', () => {
    const year = seconds + 365 * day;
    expect(keptTimes(email, year, 35)).toEqual({ expiresAt: seconds + 35 * day, keptUntil: year });
    for (const [one, until, hot] of [
      [{ ...email, mayBeCopied: false }, year, 35],
      [{ ...email, createdAt: on(1).toISOString() }, year, 35],
      [email, seconds + 35 * day, 35],
      [email, year, 365],
    ] as const) {
      expect(keptTimes(one, until, hot)).toEqual({ expiresAt: until });
    }
  });

  it('are in an order in which nothing falls between table and copy, with the fewest days too', () => {
    const positions = Array.from({ length: 60 * 24 }, (_, hour) => on(hour / 24));
    const first = (is: (now: Date) => boolean) => positions.findIndex(is) / 24;
    const copied = first((now) => copiedBefore(now) > email.createdAt);
    const late = first((now) => isLateReport(email.id, now));
    const lagging = first((now) => laggingBefore(now) > email.createdAt);
    // A report is late a day before the copy is made, and an alarm is days before the end.
    expect(copied - late).toBeGreaterThanOrEqual(1);
    expect(copied).toBeLessThanOrEqual(24);
    expect(lagging).toBeGreaterThan(copied);
    expect(fewestHotDays - lagging).toBeGreaterThanOrEqual(3.9);
    expect(positions.every((now) => firstUncopied(now) >= copiedBefore(now))).toBe(true);
    expect(outcomeUntil(seconds)).toBe(seconds + day);
  });

  it('are put off while a copy is late, again and again, and never beyond the end of the email', () => {
    const times = { expiresAt: seconds + 35 * day, keptUntil: seconds + 365 * day };
    expect(extendedUntil(times, on(28))).toBeNull();
    expect(extendedUntil(times, on(30))).toBe(seconds + 44 * day);
    expect(extendedUntil({ ...times, keptUntil: seconds + 40 * day }, on(30))).toBe(seconds + 40 * day);
    expect(extendedUntil({ ...times, expiresAt: times.keptUntil }, on(364))).toBeNull();
  });
});
