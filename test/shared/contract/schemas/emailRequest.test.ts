import { issuesOf } from '../../../../shared/contract/errors.ts';
import { sendEmailRequest } from '../../../../shared/contract/schemas/emailRequest.ts';

const email = { from: 'a@example.com', to: 'b@example.net', subject: 's', text: 't' };

function problems(over: object): [string, string, string][] {
  const result = sendEmailRequest.safeParse({ ...email, ...over }, { reportInput: true });
  return result.success ? [] : issuesOf(result.error).map(({ path, text }) => [path, text.en, text.fr]);
}
const paths = (over: object) => problems(over).map(([path]) => path);

describe('sendEmailRequest', () => {
  it.each([
    ['cc', { cc: {} }, 'must be a string or an array', 'doit être une chaîne ou un tableau'],
    ['to', { to: [] }, 'must have at least one entry', 'doit compter au moins une entrée'],
    ['to[0]', { to: [['x']] }, 'must be a string', 'doit être une chaîne'],
    ['from', { from: [] }, 'must be a string', 'doit être une chaîne'],
    ['to', { to: '' }, 'must be an email address', 'doit être une adresse e-mail'],
    ['to[1]', { to: ['ada@example.net', 'a2'] }, 'must be an email address', 'doit être une adresse e-mail'],
    [
      'from',
      { from: `${'a'.repeat(400)}@example.com` },
      'must have at most 320 characters',
      'doit compter au plus 320 caractères',
    ],
    ['to', { to: '   ' }, 'is empty', 'est vide'],
    ['to', { to: undefined }, 'is required', 'est obligatoire'],
  ])('reports one problem of %s in %j', (path, over, en, fr) => {
    expect(problems(over)).toEqual([[path, en, fr]]);
  });

  it('reports invalid names even if values have the wrong type', () => {
    expect(paths({ headers: { From: 1, 'X-Number': 2, 'X Y': 'z' } })).toEqual(
      expect.arrayContaining(['headers.From', 'headers.X-Number', 'headers.X Y']),
    );
    expect(
      paths({ attachments: [{ filename: 'run.exe', content: 5, path: '/etc/passwd' }, { content: '?' }] }).sort(),
    ).toEqual([
      'attachments[0].content',
      'attachments[0].filename',
      'attachments[0].path',
      'attachments[1].content',
      'attachments[1].filename',
    ]);
  });

  it('reads fifty thousand header names in one pass', () => {
    const headers = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`X-${index}`, 'v']));
    expect(problems({ headers })).toEqual([
      ['headers', 'must have at most 15 entries', 'doit compter au plus 15 entrées'],
    ]);
  });

  it.each(['https:example.org', 'https:\\\\example.org', 'https://example.org/"', 'https://example.org/a b'])(
    'refuses the unsubscribe_url %s',
    (unsubscribe_url) => {
      expect(paths({ unsubscribe_url })).toEqual(['unsubscribe_url']);
    },
  );

  it('parses unsubscribe_url to its form in the header', () => {
    const { unsubscribe_url } = sendEmailRequest.parse({ ...email, unsubscribe_url: 'https://bücher.example/é' });
    expect(unsubscribe_url).toBe('https://xn--bcher-kva.example/%C3%A9');
  });

  it('reports a repeated tag even if another one is malformed', () => {
    const tags = [{ name: 'a', value: '!' }, { name: 'a', value: 'b' }, { value: 'c' }, null];
    expect(paths({ tags }).sort()).toEqual(['tags[0].value', 'tags[1].name', 'tags[2].name', 'tags[3]']);
  });

  const named = (...ids: unknown[]) => ({
    attachments: ids.map((content_id, index) => ({ filename: `${index}.png`, content: 'aGk=', content_id })),
  });
  it('accepts a content_id only if it fits into Content-ID and into a cid: URL', () => {
    expect(paths(named('logo', 'logo-2@example.com', 'a.b_c+d', null))).toEqual([]);
    const hostile = ['', '<logo>', 'a b', 'a"b', 'a\r\nBcc: x', 'é', '../logo', 'a@', 'x'.repeat(129), 5];
    expect(paths(named(...hostile))).toEqual(hostile.map((_, index) => `attachments[${index}].content_id`));
  });

  it('names the second file with the same content_id', () => {
    expect(paths(named('logo', 'photo', 'logo'))).toEqual(['attachments[2].content_id']);
  });

  it.each(['multipart/mixed', 'Multipart/related; boundary=x'])('refuses a file of the type %s', (content_type) => {
    expect(paths({ attachments: [{ filename: 'a', content: '', content_type }] })).toEqual([
      'attachments[0].content_type',
    ]);
  });
});
