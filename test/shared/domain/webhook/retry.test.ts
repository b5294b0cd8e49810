import { nextAttemptAt } from '../../../../shared/domain/webhook/retry.ts';

const now = new Date('2026-11-21T10:00:00.000Z');

describe('nextAttemptAt', () => {
  it.each([
    [1, '2026-11-21T10:00:30.000Z'],
    [2, '2026-11-21T10:02:00.000Z'],
    [3, '2026-11-21T10:10:00.000Z'],
    [4, '2026-11-21T11:00:00.000Z'],
  ])('after attempt %d it is %s', (attempts, expected) => {
    expect(nextAttemptAt(attempts, now)?.toISOString()).toBe(expected);
  });

  it.each([5, 6, 0, -1])('after attempt %d there is none', (attempts) => {
    expect(nextAttemptAt(attempts, now)).toBeNull();
  });
});
