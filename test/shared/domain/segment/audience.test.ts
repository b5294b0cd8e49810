import fc from 'fast-check';
import { subscriberStatuses } from '../../../../shared/domain/person/subscriber.ts';
import {
  type Candidate,
  countReasons,
  exclusionReason,
  exclusionReasons,
  readRequestedList,
} from '../../../../shared/domain/segment/audience.ts';

const ada = { email: 'ada@example.net', isAddress: true };

const reasonOf = (over: Partial<Candidate>) =>
  exclusionReason(ada, { status: 'subscribed', isSuppressed: false, hasLeftKind: false, isInSegment: true, ...over });

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
      expect(list.entries).toEqual([
        { email: `ada@example.net${end}`, isAddress: false },
        { email: 'ada@example.net', isAddress: true },
      ]);
    },
  );

  it('takes no longer for a long text of spaces', () => {
    const text = `a${' '.repeat(1_000_000)}b`;
    expect(readRequestedList([text]).entries).toEqual([{ email: text, isAddress: false }]);
  });

  it('compares what is no address as well, and gives it back as it was written', () => {
    const list = readRequestedList([' Not an Address', 'not an address', '']);
    expect(list.duplicates).toBe(1);
    expect(list.entries).toEqual([
      { email: 'Not an Address', isAddress: false },
      { email: '', isAddress: false },
    ]);
  });

  it('always adds up, names each entry once, whatever the order, case and surrounding spaces', () => {
    const entry = fc.oneof(fc.emailAddress(), fc.string({ unit: 'binary', maxLength: 20 }));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 30 }), (texts) => {
        const { requested, duplicates, entries } = readRequestedList(texts);
        expect([requested, requested - duplicates]).toEqual([texts.length, entries.length]);
        const disguised = texts.map((text, index) => (index % 2 ? `\u3000${text} ` : text)).reverse();
        const keys = (list: readonly string[]) =>
          readRequestedList(list)
            .entries.map(({ email, isAddress }) => `${isAddress} ${email.trim().toLowerCase()}`)
            .sort();
        expect(keys(disguised)).toEqual(keys(texts));
        expect(new Set(keys(texts)).size).toBe(entries.length);
      }),
    );
  });

  it('never takes what is no address for the address that its lower case would be', () => {
    const list = readRequestedList(['\u212Aarl@example.com', 'karl@example.com']);
    expect(list.entries.map(({ isAddress }) => isAddress)).toEqual([false, true]);
  });
});

describe('exclusionReason', () => {
  it('is none of an active subscriber', () => {
    expect(reasonOf({})).toBeNull();
  });

  it.each(subscriberStatuses.filter((status) => status !== 'subscribed'))('says of %s that it is', (status) => {
    expect(reasonOf({ status, isSuppressed: true, isInSegment: false })).toBe(status);
  });

  it('calls somebody subscribed and suppressed suppressed, before it looks at the segment', () => {
    expect(reasonOf({ isSuppressed: true, isInSegment: false })).toBe('suppressed');
    expect(reasonOf({ isInSegment: false })).toBe('outside_segment');
    expect(reasonOf({ hasLeftKind: true, isInSegment: false })).toBe('left_kind');
    expect(reasonOf({ hasLeftKind: true, isSuppressed: true })).toBe('suppressed');
  });

  it('tells strangers and what is no address apart', () => {
    expect(exclusionReason(ada, undefined)).toBe('not_in_list');
    expect(exclusionReason({ email: 'nobody', isAddress: false }, undefined)).toBe('invalid');
  });
});

describe('countReasons', () => {
  it('names every reason in the order of the contract, and counts each entry once', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...exclusionReasons)), (reasons) => {
        const counts = countReasons(reasons.map((reason) => ({ email: 'ada@example.net', reason })));
        expect(Object.keys(counts)).toEqual([...exclusionReasons]);
        for (const reason of exclusionReasons)
          expect(counts[reason]).toBe(reasons.filter((one) => one === reason).length);
      }),
    );
  });
});
