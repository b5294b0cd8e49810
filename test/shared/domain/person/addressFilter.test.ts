import {
  addressesIn,
  type FilterElement,
  filterOf,
  isFilterable,
  mayContain,
} from '../../../../shared/domain/person/addressFilter.ts';
import { addressReplacer, aliasOf } from '../../../../shared/domain/person/erased.ts';

const ada = 'ada.l+news@example.net';
const alias = aliasOf('0'.repeat(40));

/** A generator of the same numbers on every run (Mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('the addresses in a value', () => {
  it.each([
    'Ada <ADA.L+news@Example.NET>',
    'for x@ada.l+news@example.net.',
    'ada.l+news@example.net..x and others',
    'https://shop.example/?who=ada.l%2Bnews%40example.net',
    'https://shop.example/?to=https%3A%2F%2Fb.example%2F%3Fm%3Dada.l%252Bnews%2540example.net',
    '2026-11-01T00:00:00.000Z#https://shop.example/u/ada.l+news@example.net;x',
  ])('include the one in %s', (text) => {
    expect(addressReplacer(ada, alias).isIn(text)).toBe(true);
    expect(addressesIn({ deep: [new Set([text])] })).toContain(ada);
  });

  it('include every one that erasure finds, in texts of all kinds of pieces', () => {
    const pieces = [
      'ada.l+news@example.net',
      'ADA.L+news@EXAMPLE.net',
      '@',
      '%40',
      '%2B',
      '=',
      '&',
      '/',
      '?',
      '.',
      '-',
      '"',
      '<',
    ];
    const others = [
      '>',
      ' ',
      'x',
      'é',
      'https://a.example/',
      'ada.l%2Bnews%40example.net',
      '%25',
      '..',
      ';',
      '#',
      '_',
      ',',
    ];
    const all = [...pieces, ...others];
    const next = numbers(7);
    const replacer = addressReplacer(ada, alias);
    let found = 0;
    for (let round = 0; round < 20_000; round += 1) {
      const text = Array.from({ length: 1 + Math.floor(next() * 6) }, () => all[Math.floor(next() * all.length)]).join(
        '',
      );
      if (!replacer.isIn(text)) continue;
      found += 1;
      expect([text, addressesIn(text).has(ada)]).toEqual([text, true]);
    }
    expect(found).toBeGreaterThan(1000);
  });

  it('are not trusted for a local part that must be quoted', () => {
    expect([ada, alias, '"a b"@example.net', 'adä@example.net'].map(isFilterable)).toEqual([true, true, false, false]);
  });
});

describe('a filter', () => {
  const elements = (from: number) =>
    Array.from({ length: 2000 }, (_, index): FilterElement => `recipient:p${from + index}@example.net`);

  it('never misses an element, and finds few that are not there', () => {
    const filter = filterOf(new Set(elements(0)));
    expect(filter.length).toBe(3000);
    expect(elements(0).every((one) => mayContain(filter, one))).toBe(true);
    expect(elements(100_000).filter((one) => mayContain(filter, one)).length).toBeLessThan(20);
    expect(mayContain(filter, 'tag:p1@example.net')).toBe(false);
  });

  it('of nothing contains nothing', () => {
    expect(mayContain(filterOf(new Set()), 'tag:a:b')).toBe(false);
  });
});
