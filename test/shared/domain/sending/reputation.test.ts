import { type DayCounts, firstReputationDay, judgeReputation } from '../../../../shared/domain/sending/reputation.ts';

const day = (counts: Partial<DayCounts>): DayCounts => ({
  ...{ date: '2026-11-21', sent: 0, delivered: 0, bounced: 0, complained: 0 },
  ...counts,
});

describe('judgeReputation', () => {
  it('is good when nothing was sent', () => {
    expect(judgeReputation([])).toEqual({ bounceRate: 0, complaintRate: 0, exceeded: false });
  });

  it('sums the days', () => {
    const days = [day({ sent: 60, bounced: 3 }), day({ sent: 60, bounced: 3, delivered: 100, complained: 1 })];
    expect(judgeReputation(days)).toEqual({ bounceRate: 0.05, complaintRate: 0.01, exceeded: false });
  });

  it.each([
    ['99 sent are too few to judge', { sent: 99, bounced: 99 }, false],
    ['5 of 100 is at the threshold, not above', { sent: 100, bounced: 5 }, false],
    ['6 of 100 is above', { sent: 100, bounced: 6 }, true],
    ['50,000 of 1,000,000 is at the threshold', { sent: 1_000_000, bounced: 50_000 }, false],
    ['50,001 of 1,000,000 is above', { sent: 1_000_000, bounced: 50_001 }, true],
    ['999 delivered are too few to judge', { sent: 999, delivered: 999, complained: 999 }, false],
    ['1 of 1,000 is at the threshold', { sent: 1000, delivered: 1000, complained: 1 }, false],
    ['2 of 1,000 is above', { sent: 1000, delivered: 1000, complained: 2 }, true],
    ['3 of 3,000 is at the threshold', { sent: 3000, delivered: 3000, complained: 3 }, false],
  ])('%s', (_, counts, exceeded) => {
    expect(judgeReputation([day(counts)]).exceeded).toBe(exceeded);
  });

  it('never reports a rate above 1', () => {
    expect(judgeReputation([day({ sent: 1, bounced: 3, delivered: 0, complained: 1 })])).toEqual({
      bounceRate: 1,
      complaintRate: 0,
      exceeded: false,
    });
  });
});

describe('firstReputationDay', () => {
  it.each([
    ['2026-11-21T00:00:00.000Z', '2026-10-23'],
    ['2026-11-30T23:59:59.999Z', '2026-11-01'],
    ['2028-03-01T12:00:00.000Z', '2028-02-01'],
    ['2026-01-01T00:00:00.000Z', '2025-12-03'],
  ])('%s begins at %s', (now, first) => {
    expect(firstReputationDay(new Date(now))).toBe(first);
  });
});
