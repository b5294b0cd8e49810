import type { ValidationError } from '../../../../../shared/contract/errors.ts';
import type { Column, ImportedStatus } from '../../../../../shared/domain/job.ts';
import {
  guessColumns,
  problemsOfColumns,
  readColumns,
} from '../../../../../shared/services/imports/internal/columns.ts';
import { addressOf, readRow } from '../../../../../shared/services/imports/internal/row.ts';

const strict = { ignoreUnknown: false };
const issuesOf = (header: string[]) => {
  try {
    readColumns(header, strict);
    return [];
  } catch (error) {
    return (error as ValidationError).issues.map(({ path, text }) => `${path} ${text.en}`);
  }
};

describe('readColumns', () => {
  it('ignores case, spaces, dashes and underscores of known columns', () => {
    const kinds = readColumns(['E-mail', 'First Name', 'LAST_NAME', ' tags ', 'Status', 'created_at'], strict);
    expect(kinds.map(({ kind }) => kind)).toEqual(['email', 'firstName', 'lastName', 'tags', 'status', 'ignored']);
  });

  it('keeps the name of a field as it is', () => {
    expect(readColumns(['email', 'fields.City', 'Fields.city'], strict).slice(1)).toEqual([
      { kind: 'field', name: 'City' },
      { kind: 'field', name: 'city' },
    ]);
  });

  it('reports every unknown, duplicate and missing column', () => {
    expect(issuesOf(['mail', 'Phone', 'tags', 'Tags'])).toEqual([
      expect.stringMatching(/^mail is not a known column/),
      expect.stringMatching(/^Phone is not a known column/),
      'tags is in the header twice',
      expect.stringMatching(/^email is missing/),
    ]);
  });

  it('ignores unknown columns when asked to', () => {
    const columns = readColumns(['email', 'Phone', 'constructor'], { ignoreUnknown: true });
    expect(columns.map(({ kind }) => kind)).toEqual(['email', 'ignored', 'ignored']);
  });
});

describe('guessColumns', () => {
  it('recognizes known columns and proposes all others as fields', () => {
    const columns = guessColumns(['E-Mail', 'Ville préférée', '<img src=x>', '', '=cmd()'], { isSuppression: false });
    expect(columns).toEqual([
      { kind: 'email' },
      { kind: 'field', name: 'Ville_preferee' },
      { kind: 'field', name: 'img_src_x' },
      { kind: 'ignored' },
      { kind: 'field', name: 'cmd' },
    ]);
    expect(problemsOfColumns(columns)).toEqual([]);
  });

  it('problemsOfColumns reports duplicates and a missing address', () => {
    const city = { kind: 'field', name: 'city' } as const;
    expect(problemsOfColumns([city, city]).map(({ path }) => path)).toEqual(['fields.city', 'email']);
  });
});

describe('readRow', () => {
  const columns = readColumns(['email', 'firstName', 'tags', 'fields.city', 'status'], strict);
  const read = (...cells: string[]) => readRow(columns, { line: 2, cells });

  it('reads a person, and an empty cell as no value', () => {
    expect(read(' ADA@Example.net ', 'Ada', 'a, b', 'Paris')).toEqual({
      person: {
        email: 'ada@example.net',
        values: { firstName: 'Ada', lastName: undefined, tags: ['a', 'b'], fields: { city: 'Paris' } },
        isPending: false,
      },
    });
    expect(read('ada@example.net', '', ' ', '')).toEqual({
      person: {
        email: 'ada@example.net',
        values: { firstName: undefined, lastName: undefined, tags: undefined, fields: {} },
        isPending: false,
      },
    });
  });

  it('removes the quote that an export puts before a dangerous cell', () => {
    expect(read("'+ada@example.net", "'=Ada")).toMatchObject({
      person: { email: '+ada@example.net', values: { firstName: '=Ada' } },
    });
  });

  it.each([
    [['nobody'], 'email has no @'],
    [[''], 'email is empty'],
    [['ada@example.net', 'x'.repeat(101)], 'firstName must have at most 100 characters'],
    [['ada@example.net', 'A\u0007'], 'firstName must not contain line breaks or other control characters'],
    [['ada@example.net', '', 'x'.repeat(65)], 'tags[0] must have at most 64 characters'],
    [['ada@example.net', 'Zo\uFFFD'], 'is not UTF-8'],
    [['ada@example.net', '', '', '', '', '', ''], 'has 7 cells, but the header has 5'],
    [['ada@example.net', '', '', '', 'gold'], 'has the unknown status “gold”'],
    [['nobody', '', '', '', 'cleaned'], 'email has no @'],
    [['nobody', 'x'.repeat(101)], 'email has no @; firstName must have at most 100 characters'],
  ])('refuses %j: %s', (cells, refusal) => {
    expect(read(...cells)).toEqual({ refusal: expect.objectContaining({ en: expect.stringContaining(refusal) }) });
  });

  it.each([
    ['Subscribed', false],
    ['', false],
    ['Pending', true],
  ])('accepts the status %j', (status, isPending) => {
    expect(read('ada@example.net', '', '', '', status)).toMatchObject({ person: { isPending } });
  });

  it.each([
    ['Unsubscribed', 'unsubscribe'],
    ['opted-out', 'unsubscribe'],
    ['blocklisted', 'unsubscribe'],
    ['disabled', 'manual'],
    ['bounced', 'bounce'],
    ['CLEANED', 'bounce'],
    ['complained', 'complaint'],
  ])('suppresses a person with the status %j, for the reason %s', (status, reason) => {
    expect(read('Ada@Example.net', '', '', '', status)).toEqual({ departed: { email: 'ada@example.net', reason } });
  });

  const statusBy = (kinds: readonly Column[], ...values: string[]) => {
    const row = readRow([{ kind: 'email' }, ...kinds], { line: 2, cells: ['ada@example.net', ...values] });
    return 'departed' in row ? row.departed.reason : 'person' in row ? row.person.isPending : row.refusal.en;
  };
  const unsubscribed = { kind: 'unsubscribed' } as const;
  const status = { kind: 'status' } as const;
  const everybody = (standing: ImportedStatus): Column => ({ kind: 'everybody', standing });

  it.each([
    ...['true', 'TRUE', '1', 'yes', 'Y', 't', 'oui', 'OUI', 'vrai', 'VRAI'].map((said) => [said, 'unsubscribe']),
    ...['false', '0', 'No', 'n', 'F', 'non', 'Faux', ''].map((said) => [said, false]),
  ])('reads %j in the column unsubscribed', (said, expected) => {
    expect(statusBy([unsubscribed], String(said))).toBe(expected);
  });

  it.each(['x', 'ja', '2024-01-01', '2', 'unsubscribed', 'constructor'])(
    'refuses %j in that column and names the column',
    (said) => {
      expect(statusBy([unsubscribed, status], said, 'subscribed')).toMatch(
        new RegExp(`^has “${said}” in the column unsubscribed, .* neither yes nor no.*fields\\.unsubscribed`),
      );
    },
  );

  it.each<[Column[], string[], string | boolean]>([
    [[unsubscribed, status], ['false', 'bounced'], 'bounce'],
    [[unsubscribed, status], ['true', 'subscribed'], 'unsubscribe'],
    [[unsubscribed, status], ['true', 'complained'], 'complaint'],
    [[unsubscribed, status], ['true', 'gold'], 'unsubscribe'],
    [[unsubscribed, status], ['', 'disabled'], 'manual'],
    [[unsubscribed, status], ['no', 'pending'], true],
    [[status, unsubscribed], ['unsubscribed', 'x'], 'unsubscribe'],
    [[everybody('subscribed'), status], ['2026-01-01', 'unsubscribed'], 'unsubscribe'],
    [[everybody('subscribed'), unsubscribed], ['', 'oui'], 'unsubscribe'],
    [[everybody('unsubscribe'), status], ['', 'subscribed'], 'unsubscribe'],
    [[everybody('subscribed'), everybody('bounce')], ['', ''], 'bounce'],
    [[everybody('subscribed'), status], ['', ''], false],
  ])('uses the most serious status of several columns: %j of %j', (kinds, said, expected) => {
    expect(statusBy(kinds, ...said)).toBe(expected);
  });

  it('refuses an unknown status even if another column says subscribed', () => {
    expect(statusBy([everybody('subscribed'), status], '', 'gold')).toContain('the unknown status “gold”');
    expect(statusBy([unsubscribed, status], 'false', 'constructor')).toContain('the unknown status “constructor”');
  });

  it('addressOf returns the cell even when it is not an address', () => {
    expect(addressOf(columns, { line: 2, cells: [' nobody '] })).toBe('nobody');
    expect(addressOf(columns, { line: 2, cells: [] })).toBe('');
  });
});

describe('a list of addresses to suppress', () => {
  const options = { ignoreUnknown: true, isSuppression: true };

  it.each([
    [['address'], ['ada@example.net'], 'manual'],
    [['Email', 'reason'], ['ada@example.net', 'Complaint'], 'complaint'],
    [['email', 'status'], ['ada@example.net', 'bounced'], 'bounce'],
    [['email', 'fields.city'], ['ada@example.net', 'Paris'], 'manual'],
  ])('%j of %j: %s', (header, cells, reason) => {
    const row = readRow(readColumns(header, options), { line: 2, cells }, 'manual');
    expect(row).toEqual({ departed: { email: 'ada@example.net', reason } });
  });

  it('refuses subscribed people and unknown reasons', () => {
    const columns = readColumns(['email', 'status', 'reason'], options);
    const read = (...cells: string[]) => readRow(columns, { line: 2, cells }, 'manual');
    expect(read('ada@example.net', 'subscribed', '')).toEqual({
      refusal: expect.objectContaining({ en: 'has the status “subscribed” in the file and is not suppressed' }),
    });
    expect(read('ada@example.net', '', 'boredom')).toEqual({
      refusal: expect.objectContaining({ en: expect.stringContaining('reason must be one of') }),
    });
  });
});
