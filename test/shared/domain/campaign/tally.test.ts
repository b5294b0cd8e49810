import * as fc from 'fast-check';
import { outcomeOf, type SetName, type SliceSets, slicePositions } from '../../../../shared/domain/campaign/slice.ts';
import { countSlice, difference, sum } from '../../../../shared/domain/campaign/tally.ts';

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
];
const addition = fc.tuple(fc.constantFrom(...names), fc.integer({ min: 0, max: slicePositions - 1 }));

function added(sets: SliceSets, [name, position]: readonly [SetName, number]): SliceSets {
  return { ...sets, [name]: new Set([...(sets[name] ?? []), position]) };
}

describe('the tally of a campaign', () => {
  it('moves with every addition to what a recount would give', () => {
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

  it('counts a person with one device, whatever was reported of them at once', () => {
    const sets: SliceSets = {
      accepted: new Set([0, 1]),
      'device.Mobile': new Set([0]),
      'device.Desktop': new Set([0, 1]),
    };
    const { 'device.Mobile': mobile = 0, 'device.Desktop': desktop = 0 } = countSlice(sets, slicePositions);
    expect(mobile + desktop).toBe(2);
  });

  it('does not change when an event comes twice', () => {
    fc.assert(
      fc.property(fc.array(addition, { minLength: 1, maxLength: 40 }), (additions) => {
        const sets = additions.reduce(added, {} as SliceSets);
        const again = additions.reduce(added, sets);
        expect(difference(countSlice(sets, slicePositions), countSlice(again, slicePositions))).toEqual({});
      }),
    );
  });

  it('gives each person exactly one outcome', () => {
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

  it('counts somebody in the window of their first open, and as delivered unless they bounced', () => {
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
