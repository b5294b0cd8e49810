import { monthOf, planNames, plans, quotaResetsAt } from '../../../../shared/domain/sending/quota.ts';

describe('plans', () => {
  it('have the promised quotas', () => {
    expect(planNames.map((name) => plans[name].monthlyQuota)).toEqual([3_000, 50_000, 500_000, 5_000_000]);
  });

  it.each([
    ['2026-11-30T23:59:59.999Z', '2026-11', '2026-12-01T00:00:00.000Z'],
    ['2026-12-01T00:00:00.000Z', '2026-12', '2027-01-01T00:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', '2028-02', '2028-03-01T00:00:00.000Z'],
  ])('%s counts in %s, which ends at %s', (now, month, end) => {
    expect(monthOf(new Date(now))).toBe(month);
    expect(quotaResetsAt(new Date(now))).toBe(end);
  });
});
