import { parseOneTimeExpression } from '../../../../../infra/local/scheduler/internal/scheduleExpression.ts';

describe('parseOneTimeExpression', () => {
  it.each([
    ['at(2026-11-21T10:00:00)', undefined, '2026-11-21T10:00:00.000Z'],
    ['at(2026-11-21T10:00:00)', 'America/New_York', '2026-11-21T15:00:00.000Z'],
    ['at(2026-07-21T10:00:00)', 'Europe/Paris', '2026-07-21T08:00:00.000Z'],
    ['at(2026-03-29T03:30:00)', 'Europe/Paris', '2026-03-29T01:30:00.000Z'],
  ])('reads %s in %s', (expression, timeZone, expected) => {
    expect(new Date(Number(parseOneTimeExpression(expression, timeZone))).toISOString()).toBe(expected);
  });

  it.each([
    'at(2026-02-30T10:00:00)',
    'at(2026-11-21T24:00:00)',
    'at(2026-11-21T10:00:00Z)',
    'at(2026-11-21)',
    'rate(5 minutes)',
    'cron(0 10 * * ? *)',
    '',
  ])('refuses %p', (expression) => {
    expect(parseOneTimeExpression(expression)).toBeUndefined();
  });

  it('refuses an unknown time zone', () => {
    expect(parseOneTimeExpression('at(2026-11-21T10:00:00)', 'Mars/Olympus')).toBeUndefined();
  });
});
