import fc from 'fast-check';
import { subscriberStatuses } from '../../../../shared/domain/person/subscriber.ts';
import {
  type AudienceStanding,
  breakDownAudience,
  countReasons,
  exclusionReasons,
  readRequestedList,
} from '../../../../shared/domain/segment/audience.ts';

const standing = (over: Partial<AudienceStanding> = {}): AudienceStanding => ({
  status: 'subscribed',
  isSuppressed: false,
  isInSegment: true,
  ...over,
});

const reasonOf = (over: Partial<AudienceStanding>) =>
  breakDownAudience(readRequestedList(['ada@example.net']), new Map([['ada@example.net', standing(over)]])).excluded[0]
    ?.reason;

describe('readRequestedList', () => {
  it('takes addresses that differ in case and surrounding spaces for one, in the form that is stored', () => {
    const list = readRequestedList([
      ' Ada@Example.NET ',
      'ada@example.net',
      '\u00a0ADA@EXAMPLE.net\u3000',
      'grace@example.net',
    ]);
    expect(list).toEqual({
      requested: 4,
      duplicates: 2,
      entries: [
        { email: 'ada@example.net', isAddress: true },
        { email: 'grace@example.net', isAddress: true },
      ],
    });
  });

  it('knows one address in its spellings: quoted without need, IDN and punycode', () => {
    const texts = ['"ada"@exämple.de', 'ada@xn--exmple-cua.de'];
    expect(readRequestedList(texts).entries).toEqual([{ email: 'ada@xn--exmple-cua.de', isAddress: true }]);
  });

  it.each(['\r\n', '\n', '\r', '\0', '\u0085', '\t'])(
    'takes an address with the control character %j for none',
    (end) => {
      const list = readRequestedList([`ada@example.net${end}`, 'ada@example.net']);
      expect(list.entries.map(({ isAddress }) => isAddress)).toEqual([false, true]);
    },
  );

  it('compares what is no address as well, and gives it back as it was written', () => {
    const list = readRequestedList([' Not an Address', 'not an address', '']);
    expect(list.duplicates).toBe(1);
    expect(list.entries).toEqual([
      { email: 'Not an Address', isAddress: false },
      { email: '', isAddress: false },
    ]);
  });

  it('never takes what is no address for the address that its lower case would be', () => {
    const list = readRequestedList(['\u212Aarl@example.com', 'karl@example.com']);
    expect(list.entries.map(({ isAddress }) => isAddress)).toEqual([false, true]);
  });
});

describe('breakDownAudience', () => {
  it('retains active subscribers', () => {
    expect(reasonOf({})).toBeUndefined();
  });

  it.each(subscriberStatuses.filter((status) => status !== 'subscribed'))('says of %s that it is', (status) => {
    expect(reasonOf({ status, isSuppressed: true, isInSegment: false })).toBe(status);
  });

  it('calls somebody subscribed and suppressed suppressed, before it looks at the segment', () => {
    expect(reasonOf({ isSuppressed: true, isInSegment: false })).toBe('suppressed');
    expect(reasonOf({ isInSegment: false })).toBe('outside_segment');
  });

  it('tells strangers and what is no address apart', () => {
    const { excluded } = breakDownAudience(readRequestedList(['nobody@example.net', 'nobody']), new Map());
    expect(excluded).toEqual([
      { email: 'nobody@example.net', reason: 'not_in_list' },
      { email: 'nobody', reason: 'invalid' },
    ]);
  });

  const entry = fc.oneof(
    fc.constantFrom('ada@example.net', 'ADA@example.net ', 'grace@example.net', 'alan@example.net', 'nobody'),
    fc.emailAddress(),
    fc.string({ unit: 'binary', maxLength: 20 }),
  );
  const standings = fc.dictionary(
    fc.constantFrom('ada@example.net', 'grace@example.net', 'alan@example.net'),
    fc.record({
      status: fc.constantFrom(...subscriberStatuses),
      isSuppressed: fc.boolean(),
      isInSegment: fc.boolean(),
    }),
  );

  it('always adds up, names each entry once, and counts what it lists', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), standings, (texts, known) => {
        const { requested, duplicates, retained, excluded } = breakDownAudience(
          readRequestedList(texts),
          new Map(Object.entries(known)),
        );
        expect(requested).toBe(texts.length);
        expect(duplicates + retained.length + excluded.length).toBe(requested);
        expect(new Set(retained).size).toBe(retained.length);
        const reasons = countReasons(excluded);
        expect(Object.keys(reasons)).toEqual([...exclusionReasons]);
        expect(Object.values(reasons).reduce((sum, count) => sum + count)).toBe(excluded.length);
        for (const email of retained) expect(known[email]).toMatchObject({ status: 'subscribed', isSuppressed: false });
      }),
    );
  });

  it('gives the same whatever the order, case and surrounding spaces of the list', () => {
    fc.assert(
      fc.property(fc.array(fc.emailAddress(), { maxLength: 20 }), standings, (texts, known) => {
        const of = (list: string[]) => {
          const { retained, excluded, duplicates } = breakDownAudience(
            readRequestedList(list),
            new Map(Object.entries(known)),
          );
          return { retained: [...retained].sort(), excluded: excluded.map((one) => one.email).sort(), duplicates };
        };
        const disguised = texts.map((text, index) => (index % 2 ? ` ${text.toUpperCase()}\u00a0` : text)).reverse();
        expect(of(disguised)).toEqual(of(texts));
      }),
    );
  });
});
