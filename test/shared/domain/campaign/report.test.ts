import * as fc from 'fast-check';
import {
  breakdownRows,
  countSlice,
  difference,
  engagement,
  linkRows,
  progressCounts,
  reportCounts,
  reportRates,
  sum,
  timeline,
} from '../../../../shared/domain/campaign/report.ts';
import { outcomeOf, type SetName, type SliceSets, slicePositions } from '../../../../shared/domain/campaign/slice.ts';

describe('the report of a campaign', () => {
  it('divides deliveries and bounces by recipients, opens and clicks by deliveries', () => {
    const counts = reportCounts({ skipped: 20, delivered: 60, bounced: 20, opened: 30, clicked: 15 }, 100);
    expect(counts).toMatchObject({ recipients: 80, delivered: 60, complained: 0, unsubscribed: 0 });
    expect(reportRates(counts)).toEqual({ delivered: 0.75, opened: 0.5, clicked: 0.25, bounced: 0.25 });
  });

  it('has null where the divisor is 0, and no rate above 1', () => {
    const none = { delivered: null, opened: null, clicked: null, bounced: null };
    expect(reportRates(reportCounts({}, 0))).toEqual(none);
    expect(reportRates(reportCounts({ opened: 3 }, 10))).toMatchObject({ delivered: 0, opened: null });
    expect(reportRates(reportCounts({ opened: 3, delivered: 1 }, 10)).opened).toBe(1);
  });

  it('shows eight windows of six hours, without later events', () => {
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

  it('shows the five most frequent labels of a breakdown, with shares of all', () => {
    const tally = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name, index) => [`os.${name}`, index]));
    const rows = breakdownRows({ ...tally, 'device.x': 100 }, 'os');
    expect(rows.map(({ label }) => label)).toEqual(['f', 'e', 'd', 'c', 'b']);
    expect(rows[0]).toEqual({ label: 'f', count: 5, share: 0.3333 });
  });

  it('shows the share of opens through relays', () => {
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

const names: readonly SetName[] = [
  'accepted',
  'failed',
  'uncertain',
  'skip.unsubscribed',
  'skip.canceled',
  'delivered',
  'bounced',
  'complained',
  'unsubscribed',
  'open.0',
  'open.3',
  'click.1',
  'relayed',
  'link.0',
  'device.Mobile',
  'device.Desktop',
  'device.Other',
  'os.iOS',
  'agent.Desktop|Windows|Chrome',
  'agent.Mobile|iOS|Apple Mail',
];
const addition = fc.tuple(fc.constantFrom(...names), fc.integer({ min: 0, max: slicePositions - 1 }));

function added(sets: SliceSets, [name, position]: readonly [SetName, number]): SliceSets {
  return { ...sets, [name]: new Set([...(sets[name] ?? []), position]) };
}

describe('the counters of a campaign', () => {
  it('equal a recount after every change', () => {
    fc.assert(
      fc.property(fc.array(addition, { maxLength: 60 }), (additions) => {
        let sets: SliceSets = {};
        let tally = {};
        for (const one of additions) {
          const after = added(sets, one);
          const change = difference(countSlice(sets, slicePositions), countSlice(after, slicePositions));
          tally = sum([tally, change]);
          sets = after;
        }
        const zeroless = Object.fromEntries(Object.entries(tally).filter(([, count]) => count !== 0));
        expect(zeroless).toEqual(countSlice(sets, slicePositions));
      }),
    );
  });

  it('count a person with one device, whatever was reported at the same time', () => {
    const sets: SliceSets = {
      accepted: new Set([0, 1]),
      'device.Mobile': new Set([0]),
      'device.Desktop': new Set([0, 1]),
    };
    const { 'device.Mobile': mobile = 0, 'device.Desktop': desktop = 0 } = countSlice(sets, slicePositions);
    expect(mobile + desktop).toBe(2);
  });

  it('count device, system and client of one open, when two were reported at the same time', () => {
    const own = {
      accepted: new Set([0, 1]),
      'agent.Mobile|iOS|Apple Mail': new Set([0]),
      'agent.Desktop|Windows|Chrome': new Set([0]),
      // From a process of the release before.
      'device.Mobile': new Set([0, 1]),
      'os.Android': new Set([0, 1]),
    } satisfies SliceSets;
    expect(countSlice(own, slicePositions)).toEqual({
      sent: 2,
      'device.Desktop': 1,
      'os.Windows': 1,
      'client.Chrome': 1,
      'device.Mobile': 1,
      'os.Android': 1,
    });
  });

  it('do not change when an event is reported again', () => {
    fc.assert(
      fc.property(fc.array(addition, { minLength: 1, maxLength: 40 }), (additions) => {
        const sets = additions.reduce(added, {} as SliceSets);
        const again = additions.reduce(added, sets);
        expect(difference(countSlice(sets, slicePositions), countSlice(again, slicePositions))).toEqual({});
      }),
    );
  });

  it('have exactly one outcome for each person', () => {
    fc.assert(
      fc.property(
        fc.array(addition, { maxLength: 60 }),
        fc.integer({ min: 1, max: slicePositions }),
        (additions, size) => {
          const sets = additions.reduce(added, {} as SliceSets);
          const { sent = 0, failed = 0, uncertain = 0, skipped = 0 } = countSlice(sets, size);
          const waiting = Array.from({ length: size }, (_, position) => outcomeOf(sets, position));
          const open = waiting.filter((outcome) => outcome === 'waiting').length;
          expect(sent + failed + uncertain + skipped + open).toBe(size);
        },
      ),
    );
  });

  it('count a person in the window of the first open, and as delivered unless it bounced', () => {
    const position = (name: SetName): SliceSets => ({ [name]: new Set([7]) });
    const sets = { ...position('accepted'), ...position('open.3'), ...position('open.0'), ...position('delivered') };
    expect(countSlice(sets, 50)).toEqual({ sent: 1, delivered: 1, opened: 1, 'opened.0': 1 });
    expect(countSlice({ ...sets, ...position('bounced') }, 50)).toEqual({
      sent: 1,
      bounced: 1,
      opened: 1,
      'opened.0': 1,
    });
  });
});
