import fc from 'fast-check';
import { blocksOfText, unreadMarkdown } from '../../../../shared/domain/content/textBlocks.ts';

const paragraph = (text: string) => ({ type: 'paragraph', text });
const list = (...items: string[]) => ({ type: 'list', items });
const numbered = (...items: string[]) => ({ type: 'list', items, ordered: true });
const heading = (level: number, text: string) => ({ type: 'heading', level, text });

describe('blocks of text', () => {
  it('are paragraphs and headings of three levels', () => {
    expect(blocksOfText('# One\n## Two  \n### Three\nText\nmore\r\n\r\nLast')).toEqual([
      ...[heading(1, 'One'), heading(2, 'Two'), heading(3, 'Three'), paragraph('Text\nmore'), paragraph('Last')],
    ]);
    for (const text of ['#No', '####### Seven', '# ', ' # Indented', '#', '##']) {
      expect(blocksOfText(text)).toEqual([paragraph(text.trimEnd())]);
    }
  });

  it('are lists, with or without blank lines between the items', () => {
    expect(blocksOfText('Why:\n- one\n-   two\n\n- three\nAfter')).toEqual([
      ...[paragraph('Why:'), list('one', 'two', 'three'), paragraph('After')],
    ]);
    expect(blocksOfText('1. one\n2. two\n\n3. three\n\n1. new\n- other')).toEqual([
      ...[numbered('one', 'two', 'three'), numbered('new'), list('other')],
    ]);
    expect(blocksOfText('1. one\n1. two\n1. three')).toEqual([numbered('one', 'two', 'three')]);
    expect(blocksOfText('- one\n  more\n\n  apart')).toEqual([list('one\nmore'), paragraph('  apart')]);
  });

  it('leave as text what is no mark', () => {
    for (const text of ['1984. A novel', '2. Second', '-no', '- ', '1.no', '-- ', '--', ' - indented', '*star']) {
      expect(blocksOfText(text)).toEqual([paragraph(text.trimEnd())]);
    }
    expect(blocksOfText('1. one\n3. three')).toEqual([numbered('one'), paragraph('3. three')]);
    expect(blocksOfText('- one\n2. two')).toEqual([list('one'), paragraph('2. two')]);
  });

  it('are dividers', () => {
    expect(blocksOfText('One\n---\nTwo\n\n---  ')).toEqual([
      ...[paragraph('One'), { type: 'divider' }, paragraph('Two'), { type: 'divider' }],
    ]);
  });

  it('are what ordinary Markdown means', () => {
    expect(blocksOfText('#### Four ##\n###### Six')).toEqual([heading(4, 'Four'), heading(6, 'Six')]);
    expect(blocksOfText('* one\n+ two\n\n1) first\n2) second')).toEqual([
      list('one', 'two'),
      numbered('first', 'second'),
    ]);
    expect(blocksOfText('***\n___\n- - -\n-----')).toEqual(Array.from({ length: 4 }, () => ({ type: 'divider' })));
    expect(blocksOfText('> Warm\n> and dry.\nAfter')).toEqual([
      { type: 'quote', text: 'Warm\nand dry.' },
      paragraph('After'),
    ]);
    const image = { type: 'image', src: 'https://example.com/a.png', alt: 'A' };
    expect(blocksOfText('![A](https://example.com/a.png)')).toEqual([image]);
    expect(blocksOfText('[![A](https://example.com/a.png)](https://example.com/)')).toEqual([
      { ...image, href: 'https://example.com/' },
    ]);
    expect(blocksOfText('Try:\n```sh\nnpm start\n\n  # no heading\n```\nDone')).toEqual([
      paragraph('Try:'),
      { type: 'code', text: 'npm start\n\n  # no heading' },
      paragraph('Done'),
    ]);
    expect(blocksOfText('```\nnever closed')).toEqual([paragraph('```\nnever closed')]);
  });

  it('have a name for what none of them shows', () => {
    const named: [string, string][] = [
      ['| a | b |\n|---|---|\n| 1 | 2 |', '| a | b |'],
      ['- one\n  - two', '  - nested'],
      ['Run `npm start`.', '`code`'],
      ['~~old~~', '~~text~~'],
      ['See ![A](https://example.com/a.png) here', 'text ![](image)'],
      ['[a][1]', '[label][1]'],
      ['a[^1]', '[^1]'],
      ['a <b>b</b>', '<b>'],
      ['a \\*b\\*', '\\*'],
      ['Title\n=====', '==='],
    ];
    for (const [text, example] of named) expect([text, unreadMarkdown(text)]).toEqual([text, [example]]);
    const plain = '# A\n\n- **b** _c_ [d](https://example.com) https://example.com/x_y_z 2 < 3\n\n```\n<b> `x`\n```';
    expect(unreadMarkdown(plain)).toEqual([]);
  });

  it('contain every line once, in order', () => {
    const line = fc.oneof(
      fc.constantFrom(
        '',
        '- a',
        '* a',
        '1. b',
        '2) c',
        '---',
        '# d',
        ' e',
        'f',
        '- ',
        '3. g',
        '> h',
        '> ',
        '```',
        '**i**',
      ),
      fc.stringMatching(/^[a-z \d#.>-]{0,12}$/),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.join('\n');
        const letters = (all: string) => all.replace(/[^\p{L}]/gu, '');
        const shown = blocksOfText(text).flatMap((block) =>
          block.type === 'list' ? block.items : 'text' in block ? [block.text ?? ''] : [],
        );
        expect(letters(shown.join(''))).toBe(letters(text));
      }),
    );
  });
});
