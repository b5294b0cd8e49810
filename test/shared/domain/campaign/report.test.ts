import * as fc from 'fast-check';
import {
  breakdownRows,
  engagement,
  linkRows,
  progressCounts,
  reportCounts,
  reportRates,
  timeline,
} from '../../../../shared/domain/campaign/report.ts';

describe('the report of a campaign', () => {
  it('divides deliveries and bounces by who was to get it, opens and clicks by who did', () => {
    const counts = reportCounts({ skipped: 20, delivered: 60, bounced: 20, opened: 30, clicked: 15 }, 100);
    expect(counts).toMatchObject({ recipients: 80, delivered: 60, complained: 0, unsubscribed: 0 });
    expect(reportRates(counts)).toEqual({ delivered: 0.75, opened: 0.5, clicked: 0.25, bounced: 0.25 });
  });

  it('has null where there is nothing to divide, and no rate above 1', () => {
    const none = { delivered: null, opened: null, clicked: null, bounced: null };
    expect(reportRates(reportCounts({}, 0))).toEqual(none);
    expect(reportRates(reportCounts({ opened: 3 }, 10))).toMatchObject({ delivered: 0, opened: null });
    expect(reportRates(reportCounts({ opened: 3, delivered: 1 }, 10)).opened).toBe(1);
  });

  it('shows eight windows of six hours, and what came later in none of them', () => {
    const rows = timeline({ 'opened.0': 5, 'clicked.7': 2, 'opened.8': 9 });
    expect(rows.map(({ label }) => label)).toEqual([
      '0-6h',
      '6-12h',
      '12-18h',
      '18-24h',
      '24-30h',
      '30-36h',
      '36-42h',
      '42-48h',
    ]);
    expect(rows[0]).toEqual({ label: '0-6h', opened: 5, clicked: 0 });
    expect(rows[7]).toEqual({ label: '42-48h', opened: 0, clicked: 2 });
  });

  it('shows the five most frequent of a breakdown, with shares of everybody', () => {
    const tally = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) => [`os.${name}`, index]));
    const rows = breakdownRows({ ...tally, 'device.x': 100 }, 'os');
    expect(rows.map(({ label }) => label)).toEqual(['f', 'e', 'd', 'c', 'b']);
    expect(rows[0]).toEqual({ label: 'f', count: 5, share: 0.3333 });
  });

  it('tells how much of the opens came through relays', () => {
    expect(engagement({ opened: 8, relayed: 2, 'device.Mobile': 6 })).toEqual({ total: 6, proxiedShare: 0.25 });
    expect(engagement({})).toEqual({ total: 0, proxiedShare: 0 });
  });

  it('lists every link, the most clicked first', () => {
    expect(linkRows({ 'link.1': 3 }, ['https://a.example/', 'https://b.example/'])).toEqual([
      { url: 'https://b.example/', clicks: 3 },
      { url: 'https://a.example/', clicks: 0 },
    ]);
  });
});

describe('the progress of a campaign', () => {
  it('adds up whatever the counters say', () => {
    const count = fc.integer({ min: -50, max: 2000 });
    const tally = fc.record({ sent: count, skipped: count, failed: count, uncertain: count });
    fc.assert(
      fc.property(tally, fc.nat(1500), (counters, people) => {
        const { queued, ...parts } = progressCounts(counters, people);
        const values = Object.values(parts);
        expect(queued).toBe(people);
        expect(values.reduce((sum, value) => sum + value, 0)).toBe(people);
        expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
