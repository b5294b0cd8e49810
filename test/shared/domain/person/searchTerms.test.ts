import { foldText, isFirstMatch, prefixOf, searchTerms } from '../../../../shared/domain/person/searchTerms.ts';

const ada = { email: 'ada.lovelace@mail.example.com', firstName: 'Ada', lastName: 'de la Tour-Müller' };
const finds = (query: string, fields: Parameters<typeof searchTerms>[0] = ada) =>
  searchTerms(fields).some(({ term }) => term.startsWith(foldText(query)));

describe('searchTerms', () => {
  it.each([
    ['the start of the address', 'ada.l'],
    ['the whole address', 'ADA.LOVELACE@mail.example.com'],
    ['a word of the local part', 'lovel'],
    ['from a word of the local part on', 'lovelace@mail.ex'],
    ['the start of the domain', 'mail.ex'],
    ['a word of the domain', 'exam'],
    ['the first name', 'ada'],
    ['the last name from its start', 'de la to'],
    ['a word of the last name', 'tour'],
    ['several words of the last name', 'la tour-m'],
    ['a word with its accent', 'MÜL'],
    ['a word without its accent', 'mul'],
    ['a word in decomposed form', 'mu\u0308l'],
    ['spaces that do not matter', '  de   la '],
  ])('finds by %s', (_what, query) => {
    expect(finds(query)).toBe(true);
  });

  it.each(['velace', 'xample', 'our', 'ada lovelace', 'com.', 'de latour'])('does not find by %s', (query) => {
    expect(finds(query)).toBe(false);
  });

  it('finds by plus tags, quoted local parts, punycode and text of other scripts', () => {
    const fields = { email: '"john smith"@xn--mnchen-3ya.example', firstName: 'Дарья', lastName: '山田太郎' };
    for (const query of ['smith', '"john', 'xn--mn', 'дар', '山田']) expect(finds(query, fields)).toBe(true);
    expect(finds('news', { email: 'a+news@example.com', firstName: null, lastName: null })).toBe(true);
  });

  it('fits into one transaction for any names, and always keeps the domain', () => {
    const email = `${Array.from({ length: 30 }, (_, index) => `a${index}`)
      .join('.')
      .slice(0, 64)}@${'b.'.repeat(80)}example.com`;
    const words = Array.from({ length: 50 }, (_, index) => String.fromCharCode(97 + (index % 26))).join(' ');
    const terms = searchTerms({ email, firstName: words, lastName: `${words} x` });
    expect(terms.length).toBeLessThanOrEqual(31);
    expect(terms.some(({ term }) => term.startsWith('b.b.'))).toBe(true);
  });

  it('keeps every term short enough for a sort key with the address', () => {
    const lastName = 'ﷺ'.repeat(100);
    const email = `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.com`.slice(0, 254);
    for (const { term } of searchTerms({ email, firstName: null, lastName })) {
      expect(Buffer.byteLength(`${term}\t${email}`)).toBeLessThanOrEqual(1024);
    }
  });

  it('has no term of fewer than two characters', () => {
    const terms = searchTerms({ email: 'a@b.io', firstName: 'X', lastName: '' }).map(({ term }) => term);
    expect(terms).toEqual(['a@b.io', 'b.io', 'io']);
  });

  it('leaves out a term that another starts with, and still finds everything', () => {
    const fields = { email: 'ada.lovelace@example.com', firstName: 'Ada', lastName: 'Lovelace Ad' };
    expect(searchTerms(fields)).toEqual([
      { term: 'ada.lovelace@example.com', shared: 0 },
      { term: 'com', shared: 0 },
      { term: 'example.com', shared: 0 },
      { term: 'lovelace ad', shared: 0 },
      { term: 'lovelace@example.com', shared: 8 },
    ]);
    for (const left of ['ada', 'ad', 'lovelace', 'example', 'ada.lovelace@']) expect(finds(left, fields)).toBe(true);
  });

  it('lists a person once for any query: exactly one of the matching terms is the first', () => {
    const people = [
      ada,
      { email: 'ann.anna.annabel@anna.example', firstName: 'Anna', lastName: 'Ann-Annabel Anna' },
      { email: 'aa-aa.aa@aa.aa', firstName: 'aa', lastName: 'aa aa aa' },
    ];
    for (const person of people) {
      const terms = searchTerms(person);
      for (const { term } of terms) {
        for (let length = 2; length <= term.length; length += 1) {
          const query = term.slice(0, length);
          const matches = terms.filter((each) => each.term.startsWith(query));
          expect(matches.filter(({ shared }) => isFirstMatch(shared, query))).toHaveLength(1);
        }
      }
    }
  });
});

describe('prefixOf', () => {
  it('takes two characters, not the two halves of one', () => {
    expect(prefixOf('𠮷田')).toBe('𠮷田');
    expect(prefixOf('𠮷')).toBeNull();
  });
});
