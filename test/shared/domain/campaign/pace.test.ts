import * as fc from 'fast-check';
import { callSize, campaignRate, leftOfDay, recovered, slowed } from '../../../../shared/domain/campaign/pace.ts';

describe('the pace of campaigns', () => {
  it.each([
    [1, 0.5],
    [14, 12.6],
    [100, 90],
    [500, 450],
  ])('of %d a second that the account has, leaves single mail its part', (perSecond, rate) => {
    expect(campaignRate(perSecond)).toBeCloseTo(rate);
    expect(campaignRate(perSecond)).toBeLessThan(perSecond);
  });

  it('puts at most half a second of the account into a call, one at least, and never more than a slice', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.001, max: 5000, noNaN: true }), (rate) => {
        const size = callSize(rate, 50);
        expect(Number.isInteger(size) && size >= 1 && size <= 50).toBe(true);
        // Campaigns have nine tenths of the account's rate, or less.
        if (size > 1) expect(size).toBeLessThanOrEqual((rate / 0.9) * 0.51);
      }),
    );
  });

  it.each([
    [100, 50, 50],
    [90, 50, 50],
    [80, 50, 25],
    [80, 25, 25],
    [12.6, 50, 7],
    [1000, 7, 7],
  ])('at %d a second shares %d who wait evenly among calls of %d', (rate, waiting, size) => {
    expect(callSize(rate, waiting)).toBe(size);
  });

  it('uses nine tenths of a day, never less than nothing; -1 of the provider is no limit', () => {
    expect(leftOfDay({ perSecond: 1, perDay: 200, sentInDay: 100 })).toBe(80);
    expect(leftOfDay({ perSecond: 1, perDay: 200, sentInDay: 199 })).toBe(0);
    expect(leftOfDay({ perSecond: 1, perDay: null, sentInDay: 1e9 })).toBe(Number.POSITIVE_INFINITY);
  });

  it('never stops for good, and is at full speed after ten quiet steps from anywhere', () => {
    let factor = 1;
    for (let throttled = 0; throttled < 100; throttled += 1) factor = slowed(factor);
    expect(factor).toBe(1 / 64);
    for (let quiet = 0; quiet < 10; quiet += 1) factor = recovered(factor);
    expect(factor).toBe(1);
  });
});
