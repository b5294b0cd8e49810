import { readJsonBody } from '../../../shared/http/jsonBody.ts';

const read = (text: string) => readJsonBody(Buffer.from(text));
const pathsOf = (text: string) => read(text).issues.map(({ path }) => path);

describe('readJsonBody', () => {
  it.each(['{}', '{"a":"é😀"}', '{"a":"\\ud83d\\ude00"}', '{"a":"\\\\ud800"}', '{"a":"\\u0041"}', '{"__proto__":1}'])(
    'reads %s',
    (text) => {
      expect(read(text)).toEqual({ value: JSON.parse(text), issues: [] });
    },
  );

  it.each([
    ['a byte of Latin-1', Buffer.from('{"a":"\xe9"}', 'latin1')],
    ['an overlong form', Buffer.from([...Buffer.from('{"a":"'), 0xc0, 0xaf, ...Buffer.from('"}')])],
    [
      'half of a surrogate pair as bytes',
      Buffer.from([...Buffer.from('{"a":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')]),
    ],
    ['a character cut short', Buffer.from('{"a":"é"}').subarray(0, 7)],
    ['UTF-16', Buffer.from('{"a":1}é', 'utf16le')],
  ])('refuses %s as no UTF-8', (_what, bytes) => {
    expect(readJsonBody(bytes)).toEqual({
      issues: [{ path: '', text: expect.objectContaining({ en: expect.stringContaining('UTF-8') }) }],
    });
  });

  it.each(['', ' ', '{', '{"a":1}}', '\ufeff{', 'nul'])('refuses %j as no JSON', (text) => {
    expect(read(text)).toMatchObject({ issues: [{ path: '', text: { en: 'the body is not valid JSON' } }] });
  });

  it.each(['null', '[]', '1', '"text"', 'true'])('refuses %s, which is no object', (text) => {
    expect(read(text)).toMatchObject({ issues: [{ path: '', text: { en: 'the body must be a JSON object' } }] });
  });

  it.each([
    ['{"subject":"a\\ud800b"}', ['subject']],
    ['{"to":["a","\\uDC00"],"tags":[{"name":"\\udfff"}]}', ['to[1]', 'tags[0].name']],
    ['{"unknown":{"deep":["\\ude00\\ud83d"]}}', ['unknown.deep[0]']],
    ['{"fields":{"\\ud800":1}}', ['fields.\ud800']],
  ])('names each half of a surrogate pair in %s', (text, paths) => {
    expect(pathsOf(text)).toEqual(paths);
  });

  it.each([
    ['{"headers":{"__proto__":"x"}}', ['headers.__proto__']],
    ['{"headers":{"\\u005f\\u005fproto__":"x"}}', ['headers.__proto__']],
    ['{"fields":{"__\\u0070roto__":{"a":"\\ud800"}}}', ['fields.__proto__', 'fields.__proto__.a']],
  ])('names __proto__ where names are of the caller’s choosing: %s', (text, paths) => {
    expect(pathsOf(text)).toEqual(paths);
  });

  it('reads what is nested deeper than calls can be', () => {
    const deep = 500_000;
    expect(pathsOf(`{"a":${'['.repeat(deep)}"\\ud800"${']'.repeat(deep)}}`)).toEqual([`a${'[0]'.repeat(19)}`]);
  });
});
