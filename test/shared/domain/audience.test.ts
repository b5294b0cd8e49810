import fc from 'fast-check';
import {
  type Candidate,
  countReasons,
  exclusionOf,
  exclusionReasons,
  readRequestedList,
} from '../../../shared/domain/audience.ts';
import { subscriberStatuses } from '../../../shared/domain/person/person.ts';

const ada = { email: 'ada@example.net', isAddress: true };

const topic = { topic_id: 'top_1', tag: 'category:news' };

const of = (over: Partial<Candidate>) =>
  exclusionOf(ada, { status: 'subscribed', isSuppressed: false, leftTopic: null, isInSegment: true, ...over });
const reasonOf = (over: Partial<Candidate>) => of(over)?.reason ?? null;

describe('readRequestedList', () => {
  it('removes duplicates that differ in case and surrounding spaces, in canonical form', () => {
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

  it('recognises an address in other spellings: needless quotes, IDN and punycode', () => {
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

  it('is fast for a long text of spaces', () => {
    const text = `a${' '.repeat(1_000_000)}b`;
    expect(readRequestedList([text]).entries).toEqual([{ email: text, isAddress: false }]);
  });

  it('removes duplicates of invalid entries as well, and returns them as written', () => {
    const list = readRequestedList([' Not an Address', 'not an address', '']);
    expect(list.duplicates).toBe(1);
    expect(list.entries).toEqual([
      { email: 'Not an Address', isAddress: false },
      { email: '', isAddress: false },
    ]);
  });

  it('always adds up and has each entry once, whatever order, case and spaces', () => {
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

  it('never turns an invalid entry into an address by lower-casing it', () => {
    const list = readRequestedList(['\u212Aarl@example.com', 'karl@example.com']);
    expect(list.entries.map(({ isAddress }) => isAddress)).toEqual([false, true]);
  });
});

describe('exclusionOf', () => {
  it('is null for an active subscriber', () => {
    expect(reasonOf({})).toBeNull();
  });

  it.each(subscriberStatuses.filter((status) => status !== 'subscribed'))('is %s for that status', (status) => {
    expect(reasonOf({ status, isSuppressed: true, isInSegment: false })).toBe(status);
  });

  it('is `suppressed` for a suppressed subscriber, whatever the segment', () => {
    expect(reasonOf({ isSuppressed: true, isInSegment: false })).toBe('suppressed');
    expect(reasonOf({ isInSegment: false })).toBe('outside_segment');
    expect(reasonOf({ leftTopic: topic, isSuppressed: true })).toBe('suppressed');
  });

  it('is `unsubscribed` with the topic for a person who left only that', () => {
    const left = { email: ada.email, reason: 'unsubscribed', ...topic };
    expect(of({ leftTopic: topic })).toEqual(left);
    expect(of({ leftTopic: topic, isInSegment: false })).toEqual(left);
    expect(of({ leftTopic: topic, status: 'unsubscribed' })).toEqual({ email: ada.email, reason: 'unsubscribed' });
  });

  it('distinguishes unknown addresses from invalid entries', () => {
    expect(exclusionOf(ada, undefined)?.reason).toBe('not_in_list');
    expect(exclusionOf({ email: 'nobody', isAddress: false }, undefined)?.reason).toBe('invalid');
  });
});

describe('countReasons', () => {
  it('has every reason in the order of the contract, and counts each entry once', () => {
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
