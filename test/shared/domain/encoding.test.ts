import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { canonicalJson, characterCount, hashBody, isBase64 } from '../../../shared/domain/encoding.ts';

describe('characterCount', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 1],
    ['e\u0301', 2],
    ['😀😀', 2],
    ['👨‍👩‍👧', 5],
    ['\ud83d', 1],
    ['\ude00\ud83d', 2],
    ['\ud83d\ud83d\ude00\ude00', 3],
  ])('%j has %d', (text, count) => {
    expect(characterCount(text)).toBe(count);
  });

  it('counts as iteration over a string does', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }), (text) => {
        expect(characterCount(text)).toBe([...text].length);
      }),
    );
  });
});

describe('isBase64', () => {
  it.each(['', 'QQ==', 'QUI=', 'QUJD', 'a+/9', 'QUJD\r\nQUJD\r\n', 'QUJDQQ\r\n==', 'QUJDQQ==\r\n'])(
    'takes %j',
    (text) => {
      expect(isBase64(text)).toBe(true);
    },
  );

  it.each([
    ...['Q', 'QQ', 'QUI', 'QQ=', 'QUJD=', '====', '=', 'Q===', 'QQ==QQ==', 'Q=Q=', 'QU=I', 'QUJD ', ' QUJD', 'QU JD'],
    ...[
      'a-_9',
      'QUJD\n',
      'QUJD\nQUJD',
      'QUJD\rQUJD',
      'QUJ\u0044\u0301',
      'QUJé',
      'data:text/plain;base64,QUJD',
      'QQ%3D%3D',
    ],
    ...['QUJ\0', 'https://example.com/a.pdf', 'ＱＵＪＤ'],
  ])('refuses %j', (text) => {
    expect(isBase64(text)).toBe(false);
  });

  it('agrees with the decoder at every length', () => {
    for (let length = 0; length < 200; length++) {
      const bytes = randomBytes(length);
      expect(isBase64(bytes.toString('base64'))).toBe(true);
    }
  });

  it('reads 40 MB and finds one wrong character at the end', () => {
    const text = 'QUJD'.repeat(10 * 1024 * 1024);
    expect(isBase64(text)).toBe(true);
    expect(isBase64(`${text.slice(0, -1)}!`)).toBe(false);
    expect(isBase64(`${text.slice(0, -1)}=`)).toBe(true);
  });
});

describe('canonicalJson', () => {
  it('writes the example of RFC 8785, section 3.2.2', () => {
    const input = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    const expected = String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`;
    expect(canonicalJson(JSON.parse(input))).toBe(expected);
  });

  it('sorts keys by UTF-16 code units, the example of RFC 8785, section 3.2.3', () => {
    const input = String.raw`{"\u20ac":"Euro Sign","\r":"Carriage Return","\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One","\ud83d\ude00":"Emoji: Grinning Face","\u0080":"Control","\u00f6":"Latin Small Letter O With Diaeresis"}`;
    expect(Object.values(JSON.parse(canonicalJson(JSON.parse(input)).replace(/"1":/, '"x1":')))).toEqual([
      ...['Carriage Return', 'One', 'Control', 'Latin Small Letter O With Diaeresis', 'Euro Sign'],
      ...['Emoji: Grinning Face', 'Hebrew Letter Dalet With Dagesh'],
    ]);
  });

  it.each(['null', '0', '"x"', '[]', '{}', '[[],{}]', '{"a":{"b":[1,{"c":null}]}}'])('keeps %s', (json) => {
    expect(canonicalJson(JSON.parse(json))).toBe(json);
  });

  it('leaves undefined members out and keeps a member called __proto__', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1},"b":1}');
  });

  it('survives nesting deeper than the call stack, and long arrays', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const long = JSON.stringify(Array.from({ length: 300_000 }, (_, index) => index));
    expect(canonicalJson(JSON.parse(deep))).toBe(deep);
    expect(canonicalJson(JSON.parse(long))).toBe(long);
  });
});

describe('hashBody', () => {
  it('ignores the order of keys at every depth, and nothing else', () => {
    const hash = hashBody({ to: ['a@b.com'], from: { x: 1, y: 2 } });
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hashBody({ from: { y: 2, x: 1 }, to: ['a@b.com'] })).toBe(hash);
    expect(hashBody({ from: { y: 2, x: 1 }, to: ['A@b.com'] })).not.toBe(hash);
    expect(hashBody({ from: { y: 2, x: '1' }, to: ['a@b.com'] })).not.toBe(hash);
    expect(hashBody([1, 2])).not.toBe(hashBody([2, 1]));
  });
});
