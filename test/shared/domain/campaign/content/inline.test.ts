import * as fc from 'fast-check';
import { type Inline, readInline } from '../../../../../shared/domain/campaign/content/inline.ts';

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
    ['javascript:alert(1)', /must begin with/],
    ['JaVaScRiPt:alert(1)', /must begin with/],
    ['data:text/html,x', /must begin with/],
    ['vbscript:x', /must begin with/],
    ['/relative', /must begin with/],
    ['https://', /complete address/],
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
  ])('tells the place of the broken merge field in %j', (text, at) => {
    expect(readInline(text).problems.map((problem) => problem.at)).toEqual([at]);
  });

  it('loses no character of what it does not understand', () => {
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
