import { updateEmailRequest } from '../../../../shared/contract/schemas/emailRecord.ts';
import {
  emailStatuses,
  isPassing,
  momentProblem,
  nextTryAt,
  outranks,
  statusRank,
  worstStatus,
} from '../../../../shared/domain/sending/email.ts';

describe('status of an email', () => {
  it('ranks sent < delivered < bounced < complained', () => {
    expect(emailStatuses.map(statusRank)).toEqual([0, 1, 2, 3]);
  });

  it('never moves to the same or a lower rank', () => {
    const moves = emailStatuses.flatMap((from) =>
      emailStatuses.filter((to) => outranks(to, from)).map((to) => `${from}>${to}`),
    );
    expect(moves).toEqual([
      ...['sent>delivered', 'sent>bounced', 'sent>complained'],
      ...['delivered>bounced', 'delivered>complained', 'bounced>complained'],
    ]);
  });

  it('is the highest-ranking one of its recipients', () => {
    expect(worstStatus(['delivered', 'bounced', 'sent'])).toBe('bounced');
    expect(worstStatus(['complained', 'delivered'])).toBe('complained');
    expect(worstStatus([])).toBe('sent');
  });
});

const now = new Date('2026-01-31T22:30:00.000Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const thirtyDays = 30 * 86_400;

describe('a time to send at', () => {
  it.each([
    ['the present', later(0), 'must be in the future'],
    ['a moment ago', later(-0.001), 'must be in the future'],
    ['a moment later', later(0.001), undefined],
    ['30 days, over the end of a short month', later(thirtyDays), undefined],
    ['30 days and a second', later(thirtyDays + 1), 'must be at most 30 days ahead'],
  ])('%s', (_name, at, problem) => {
    expect(momentProblem(at, now)?.en).toBe(problem);
  });

  const parsed = (text: string): string | null => {
    const result = updateEmailRequest.safeParse({ scheduled_at: text });
    return result.success ? new Date(result.data.scheduled_at).toISOString() : null;
  };

  it.each([
    // Central Europe puts its clocks forward at one in the morning, UTC, and back at the same hour in October.
    ['2026-03-29T01:59:59+01:00', '2026-03-29T00:59:59.000Z'],
    ['2026-03-29T03:00:00+02:00', '2026-03-29T01:00:00.000Z'],
    ['2026-10-25T02:30:00+02:00', '2026-10-25T00:30:00.000Z'],
    ['2026-10-25T02:30:00+01:00', '2026-10-25T01:30:00.000Z'],
    ['2026-11-30T23:59:59.999-00:30', '2026-12-01T00:29:59.999Z'],
    ['2028-02-29T12:00Z', '2028-02-29T12:00:00.000Z'],
  ])('%s is %s', (text, utc) => {
    expect(parsed(text)).toBe(utc);
  });

  it.each([
    'in 1 min',
    'tomorrow at noon',
    '2026-12-01T09:00:00',
    '2026-12-01',
    '2026-02-29T12:00:00Z',
    '2026-04-31T12:00:00Z',
    '2026-12-01T24:00:00Z',
    '2026-12-01T09:00:60Z',
    '2026-12-01T09:00:00+25:00',
    '2026-13-01T09:00:00Z',
    ' 2026-12-01T09:00:00Z',
    '2026-12-01T09:00:00Z\n',
    '1796112000',
    '',
  ])('%j is none', (text) => {
    expect(parsed(text)).toBeNull();
  });
});

describe('an email that the provider did not accept', () => {
  const at = new Date('2026-10-25T00:30:00.000Z');

  it('is retried with growing pauses, for a day after its time', () => {
    const tries: number[] = [];
    let next: Date | null = at;
    for (let count = 0; next; count += 1) {
      const pause: Date | null = nextTryAt(at, count, next);
      if (pause) tries.push((pause.getTime() - next.getTime()) / 60_000);
      next = pause;
    }
    expect(tries.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 30, 30]);
    expect(tries.reduce((sum, minutes) => sum + minutes, 0)).toBeLessThanOrEqual(24 * 60);
    expect(tries.length).toBeGreaterThan(45);
  });

  it('is retried a day after its time at the latest', () => {
    const lastTry = at.getTime() + (24 * 60 - 30) * 60_000;
    expect(nextTryAt(at, 10, new Date(lastTry))).toEqual(new Date(at.getTime() + 24 * 60 * 60_000));
    expect(nextTryAt(at, 10, new Date(lastTry + 1))).toBeNull();
  });
});

describe('a refusal at the scheduled time', () => {
  const minutesOn = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
  const first = { scheduledAt: now, tries: 0, isTakenOver: false };

  it('is final at the first try, whatever the reason', () => {
    expect([
      isPassing('quota_exceeded', first, minutesOn(0)),
      isPassing('suppressed_recipient', first, minutesOn(0)),
    ]).toEqual([false, false]);
  });

  it('for lack of quota is not final while an earlier try may still hold quota', () => {
    expect(isPassing('quota_exceeded', { ...first, isTakenOver: true }, minutesOn(600))).toBe(true);
    expect(
      [1, 7, 14.9, 15].map((minutes) => isPassing('quota_exceeded', { ...first, tries: 1 }, minutesOn(minutes))),
    ).toEqual([true, true, true, false]);
    expect(isPassing('suppressed_recipient', { ...first, tries: 1, isTakenOver: true }, minutesOn(1))).toBe(false);
  });
});
