import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as z from 'zod';
import type { ServiceError } from '../../../../shared/contract/errors.ts';
import { withNameRules } from '../../../../shared/contract/fieldNames.ts';
import type { Route } from '../../../../shared/contract/route.ts';
import { routes } from '../../../../shared/contract/routes.ts';
import { parseRequest, readJsonBody } from '../../../../shared/http/internal/parse.ts';
import { ignoredHeader } from '../../../../shared/http/response.ts';

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
  ])('refuses %s: not UTF-8', (_what, bytes) => {
    expect(readJsonBody(bytes)).toEqual({
      issues: [{ path: '', text: expect.objectContaining({ en: expect.stringContaining('UTF-8') }) }],
    });
  });

  it.each(['', ' ', '{', '{"a":1}}', '\ufeff{', 'nul'])('refuses %j: not JSON', (text) => {
    expect(read(text)).toMatchObject({ issues: [{ path: '', text: { en: 'the body is not valid JSON' } }] });
  });

  it.each(['null', '[]', '1', '"text"', 'true'])('refuses %s: not an object', (text) => {
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
  ])('names __proto__ where the caller chooses names: %s', (text, paths) => {
    expect(pathsOf(text)).toEqual(paths);
  });

  it.each([
    ['{"dry_run":true,"dry_run":false}', ['dry_run']],
    ['{"dry_run":true,"dry_run":true}', ['dry_run']],
    ['{"dry_run":true,"dry\\u005frun":false}', ['dry_run']],
    ['{"a":1,"b":[{"c":1},{"c":[],"d":":,{","c":{"e":0}}],"a":2}', ['b[1].c', 'a']],
    ['{"a":"\\\\","b":"\\"","a":"\\\\\\""}', ['a']],
    ['{ "to" : [ "a" , "b" ] ,\n "to"\t: [ ] }', ['to']],
    ['{"":1,"":2}', ['']],
    ['{"fields":{"__proto__":1,"__proto__":2}}', ['fields.__proto__', 'fields.__proto__']],
  ])('names what is given twice in %s', (text, paths) => {
    expect(pathsOf(text)).toEqual(paths);
  });

  it.each([
    '{"a":{"a":{"a":[]}},"b":{"a":1}}',
    '{"a":[{"b":1},{"b":1}]}',
    '{"a":"a\\":\\"","b":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a":"b","A":"a","a ":1}',
  ])('finds nothing twice in %s', (text) => {
    expect(read(text)).toEqual({ value: JSON.parse(text), issues: [] });
  });

  it('finds what is given twice behind a file of 40 MB, with and without escapes', () => {
    const file = Buffer.alloc(30_000_000, 'file').toString('base64');
    expect(pathsOf(`{"a":"${file}","b":1,"b":2}`)).toEqual(['b']);
    expect(pathsOf(`{"a":"${file.replaceAll('Z', '\\/')}","b":1,"b":2}`)).toEqual(['b']);
  });

  it('reports a thousand names at most', () => {
    expect(pathsOf(`{${Array(5000).fill('"a":1').join(',')}}`)).toHaveLength(1000);
  });

  it('reads a body that is too deep for recursion', () => {
    const deep = 500_000;
    expect(pathsOf(`{"a":${'['.repeat(deep)}"\\ud800"${']'.repeat(deep)}}`)).toEqual([`a${'[0]'.repeat(19)}`]);
  });
});

const email = { from: 'a@example.com', to: 'b@example.com', subject: 's', text: 't' };
const batch = { id: 'test', list: { maxEntries: 3, permissive: ['x-validation', 'permissive'] } } as const;

/** Parses a body of a route that takes an array of at most three entries. */
function parseList(body: unknown[], headers: Record<string, string> = {}) {
  const entry = z.object({ subject: z.string() });
  const route = { request: { body: z.array(entry).min(1).max(batch.list.maxEntries), list: batch.list } };
  return outcomeOf(route, JSON.stringify(body), headers);
}

function outcomeOf(route: object, body: string, headers: Record<string, string> = {}) {
  try {
    const event = { body, headers, isBase64Encoded: false } as unknown as APIGatewayProxyEvent;
    return { body: parseRequest(route as Route, event).body as { entries: readonly { issues?: unknown }[] } };
  } catch (error) {
    return { paths: (error as ServiceError).issues.map(({ path }) => path) };
  }
}

describe('a body that is a list', () => {
  const permissive = { 'X-Validation': 'permissive' };
  const bad = { subject: 1 };

  it('has at most the allowed number of entries', () => {
    expect(parseList([email, email, email]).body?.entries).toHaveLength(3);
    expect(parseList([email, email, email, email])).toEqual({ paths: [''] });
    expect(parseList([])).toEqual({ paths: [''] });
  });

  it('is refused for one invalid entry, except in permissive mode', () => {
    expect(parseList([email, bad, email])).toEqual({ paths: ['[1].subject'] });
    const { body } = parseList([email, bad, email], permissive);
    expect(body?.entries.map(({ issues }) => issues !== undefined)).toEqual([false, true, false]);
    expect(parseList([email, bad], { 'X-Validation': 'strict' })).toEqual({ paths: ['[1].subject'] });
  });

  it('is refused for its length in every mode', () => {
    expect(parseList([email, bad, email, email], permissive).paths).toContain('');
    expect(parseList([], permissive)).toEqual({ paths: [''] });
  });
});

describe('the query of an address', () => {
  const withQuery = (route: object, queryStringParameters: object | null) => {
    try {
      return parseRequest(route as Route, { headers: {}, queryStringParameters } as unknown as APIGatewayProxyEvent);
    } catch (error) {
      return (error as ServiceError).issues.map(({ path }) => path);
    }
  };

  it.each(routes.filter(({ method }) => method !== 'GET').map((route) => [route.id, route] as const))(
    'never holds a field of %s, which would be lost there',
    (_, route) => {
      for (const name of ['dry_run', 'to', 'test', '']) expect(withQuery(route, { [name]: 'true' })).toContain(name);
    },
  );

  it('holds what it likes where nothing is read from it and nothing changes', () => {
    expect(withQuery({ method: 'GET', request: {} }, { a: '1' })).toMatchObject({ ignored: [] });
    expect(withQuery({ method: 'POST', request: {} }, null)).toMatchObject({ ignored: [] });
  });
});

describe('the names of fields that are not read', () => {
  const entry = withNameRules(z.object({ subject: z.string() }), { unknown: 'ignored', takesSpellings: true });

  const parsed = (route: object, body: unknown) =>
    parseRequest(
      route as Route,
      { body: JSON.stringify(body), headers: { 'X-Validation': 'permissive' } } as unknown as APIGatewayProxyEvent,
    );

  it('are reported, for a list those of all entries', () => {
    const one = { request: { body: entry } };
    expect(parsed(one, { Subject: 's', note: 1, 'é,ü': 2 })).toMatchObject({
      body: { subject: 's' },
      ignored: ['note', 'é,ü'],
    });
    const many = { request: { body: z.array(entry).min(1).max(3), list: batch.list } };
    expect(
      parsed(many, [
        { SUBJECT: 's', a: 1 },
        { subject: 't', a: 1, b: 2 },
      ]),
    ).toMatchObject({
      body: { entries: [{ value: { subject: 's' } }, { value: { subject: 't' } }] },
      ignored: ['a', 'b'],
    });
    const { entries } = parsed(many, [{ subject: 's' }, { subject: 't', Subject: 'u' }]).body as { entries: object[] };
    expect(entries).toMatchObject([{ value: { subject: 's' } }, { issues: [{ path: 'Subject' }] }]);
  });

  it('are named where the call is refused for another reason, with the field that was probably meant', () => {
    const issuesOfBoth = (route: object, body: unknown) => {
      try {
        return parsed(route, body);
      } catch (error) {
        return (error as ServiceError).issues.map(({ path, text }) => [path, text.en, text.fr]);
      }
    };
    const required = ['is required', 'est obligatoire'];
    const misspelt = [
      'was not read: this request has no such field; did you mean `subject`?',
      'n’a pas été lu : cette requête n’a pas de champ de ce nom ; vouliez-vous dire `subject` ?',
    ];
    const unlike = [
      'was not read: this request has no such field',
      'n’a pas été lu : cette requête n’a pas de champ de ce nom',
    ];
    expect(issuesOfBoth({ request: { body: entry } }, { subjct: 's', note: 1 })).toEqual([
      ['subject', ...required],
      ['subjct', ...misspelt],
      ['note', ...unlike],
    ]);
    const many = { request: { body: z.array(entry).min(1).max(3), list: { maxEntries: 3 } } };
    expect(issuesOfBoth(many, [{ subjct: 's' }])).toEqual([
      ['[0].subject', ...required],
      ['subjct', ...misspelt],
    ]);
    const names = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`n${index}`, 1]));
    expect(issuesOfBoth({ request: { body: entry } }, names)).toHaveLength(21);
  });

  it('are named in a header of limited size in which nothing of the caller’s is left as it was', () => {
    expect(ignoredHeader([])).toEqual({});
    expect(ignoredHeader(['note', 'a, b\r\nX: y', '__proto__'])).toEqual({
      'Mailroom-Ignored': 'note, a%2C%20b%0D%0AX%3A%20y, __proto__',
    });
    const names = Array.from({ length: 30 }, (_, index) => `${index}${'😀'.repeat(5000)}`);
    const header = ignoredHeader(names)['Mailroom-Ignored'] ?? '';
    expect(header.split(', ')).toHaveLength(20);
    expect(header.length).toBeLessThan(8000);
  });
});

describe('the issues of a request', () => {
  const route = { request: { body: z.object({ to: z.array(z.string()) }) } };
  const bodyOf = (wrong: number) => JSON.stringify({ to: Array.from({ length: wrong }, () => 1) });

  it.each([
    [999, 999],
    [1000, 1000],
    [1001, 1000],
  ])('of %i are at most 1,000: %i', (wrong, reported) => {
    expect(outcomeOf(route, bodyOf(wrong)).paths).toHaveLength(reported);
  });

  it('name broken text once, and not as an invalid value too', () => {
    const strict = { request: { body: z.object({ to: z.string().regex(/^[a-z]+$/), cc: z.string().max(1) }) } };
    expect(outcomeOf(strict, '{"to":"a\\ud800","cc":"ab"}').paths).toEqual(['to', 'cc']);
  });
});
