import * as fc from 'fast-check';
import type { Inline } from '../../../../shared/domain/content/block.ts';
import { readInline } from '../../../../shared/domain/content/internal/inline.ts';
import { readImageSource, readLinkTarget } from '../../../../shared/domain/webAddress.ts';

const kinds = (inlines: readonly Inline[]): unknown[] =>
  inlines.map((inline) => {
    if (inline.kind === 'text') return inline.text;
    if (inline.kind === 'merge') return { merge: inline.field };
    if (inline.kind === 'link') return { link: inline.href, children: kinds(inline.children) };
    return { [inline.kind]: kinds(inline.children) };
  });
const read = (text: string) => kinds(readInline(text).inlines);

describe('inline markup', () => {
  it.each([
    ['plain', ['plain']],
    ['**bold** and *italic*', [{ bold: ['bold'] }, ' and ', { italic: ['italic'] }]],
    ['**bold *both***', [{ bold: ['bold ', { italic: ['both'] }] }]],
    ['2 * 3 * 4', ['2 * 3 * 4']],
    ['**never closed', ['**', 'never closed']],
    ['*a **b* c**', [{ italic: ['a ', '**', 'b'] }, ' c', '**']],
    ['[here](https://example.com/a?b=c)', [{ link: 'https://example.com/a?b=c', children: ['here'] }]],
    ['[**x**](mailto:ada@example.net)', [{ link: 'mailto:ada@example.net', children: [{ bold: ['x'] }] }]],
    ['see [1] and (2)', ['see [1] and (2)']],
    ['_it_ and __bold__, snake_case_name', [{ italic: ['it'] }, ' and ', { bold: ['bold'] }, ', snake_case_name']],
    [
      'see https://example.com/a_b_c.',
      ['see ', { link: 'https://example.com/a_b_c', children: ['https://example.com/a_b_c'] }, '.'],
    ],
    ['(<https://example.com/>)', ['(', { link: 'https://example.com/', children: ['https://example.com/'] }, ')']],
    ['https://nowhere and http', ['https://nowhere and http']],
    [
      'Hi {{firstName|you * there}}!',
      ['Hi ', { merge: { source: { kind: 'firstName' }, fallback: 'you * there' } }, '!'],
    ],
    ['{ one } {{ email }}', ['{ one } ', { merge: { source: { kind: 'email' }, fallback: '' } }]],
  ])('reads %j', (text, expected) => {
    const merged = (list: unknown[]): unknown[] =>
      list.reduce<unknown[]>((all, one) => {
        const last = all.pop();
        if (typeof one === 'string' && typeof last === 'string') all.push(last + one);
        else all.push(...(last === undefined ? [] : [last]), one);
        return all;
      }, []);
    expect(merged(read(text))).toEqual(merged(expected as unknown[]));
    expect(readInline(text).problems).toEqual([]);
  });

  it.each([
    ['javascript:alert(1)', /must start with/],
    ['JaVaScRiPt:alert(1)', /must start with/],
    ['data:text/html,x', /must start with/],
    ['vbscript:x', /must start with/],
    ['/relative', /must start with/],
    ['https://', /complete link address/],
    ['https://example.com/{{email}}', /merge field/],
  ])('refuses a link to %s', (target, message) => {
    const { problems, inlines } = readInline(`go [now](${target})`);
    expect(problems).toEqual([{ at: 3, text: expect.objectContaining({ en: expect.stringMatching(message) }) }]);
    expect(JSON.stringify(inlines)).not.toContain(target);
  });

  it.each([
    ['Hello {{', 6],
    ['{{nobody}} x', 0],
    ['a {{fields.with space}}', 2],
    ['{{firstName', 0],
    ['x {{constructor}}', 2],
    ['{{__proto__|x}}', 0],
  ])('reports the position of the broken merge field in %j', (text, at) => {
    expect(readInline(text).problems.map((problem) => problem.at)).toEqual([at]);
  });

  it('keeps every character of unknown markup', () => {
    const textOf = (inlines: readonly Inline[]): string =>
      inlines
        .map((inline) => {
          if (inline.kind === 'text') return inline.text;
          return inline.kind === 'merge' ? '' : textOf(inline.children);
        })
        .join('');
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z *[\]()]{0,60}$/), (text) => {
        const { inlines, problems } = readInline(text);
        if (problems.length === 0) expect(textOf(inlines).replaceAll('*', '')).toBe(text.replaceAll('*', ''));
      }),
    );
  });

  // A quadratic reader would take minutes for each of these.
  it.each(['*', '**a', '[', '[a](', '{{', '[a](https://e.example/(', '*a **b'])(
    'reads 400,000 characters of %j in one pass',
    (piece) => {
      const { inlines } = readInline(piece.repeat(Math.ceil(400_000 / piece.length)));
      expect(inlines).not.toEqual([]);
    },
  );
});

describe('the address of a link', () => {
  it.each([
    ['https://Example.com', 'https://example.com/'],
    [' http://example.com/a?b=1&c=2#d ', 'http://example.com/a?b=1&c=2#d'],
    ['mailto:ada@example.com', 'mailto:ada@example.com'],
    ['tel:+33123456789', 'tel:+33123456789'],
    ['https://example.com/{id}?q="x"', 'https://example.com/%7Bid%7D?q=%22x%22'],
    ["https://example.com/it's", 'https://example.com/it%27s'],
    ['https://münchen.example/', 'https://xn--mnchen-3ya.example/'],
  ])('%s', (text, href) => {
    expect(readLinkTarget(text)).toEqual({ ok: true, href });
  });

  it.each([
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'ftp://example.com/',
    '//example.com/',
    'example.com',
    'https://',
    'https://intranet/',
    'https://example.com/a b',
    'https://example.com/{{email}}',
    '{{fields.url}}',
    '',
  ])('refuses %j', (text) => {
    expect(readLinkTarget(text)).toEqual({ ok: false, problem: { en: expect.any(String), fr: expect.any(String) } });
  });

  it('has no character with a meaning in HTML or in a template of SES', () => {
    const result = readLinkTarget('https://example.com/\\{x}<y>`"\'?a={b}#{c}');
    expect(result.ok && /[{}\\<>"'`]/.test(result.href)).toBe(false);
    expect(result.ok).toBe(true);
  });

  it('is a web address for an image', () => {
    expect(readImageSource('https://example.com/i.png').ok).toBe(true);
    for (const text of ['mailto:a@example.com', 'tel:1', 'data:image/png;base64,AA']) {
      expect(readImageSource(text).ok).toBe(false);
    }
  });
});
