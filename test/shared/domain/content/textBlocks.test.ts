import fc from 'fast-check';
import { blocksOfText } from '../../../../shared/domain/content/textBlocks.ts';

const paragraph = (text: string) => ({ type: 'paragraph', text });
const list = (...items: string[]) => ({ type: 'list', items });
const numbered = (...items: string[]) => ({ type: 'list', items, ordered: true });
const heading = (level: number, text: string) => ({ type: 'heading', level, text });

describe('blocks of text', () => {
  it('are paragraphs and headings of three levels', () => {
    expect(blocksOfText('# One\n## Two  \n### Three\nText\nmore\r\n\r\nLast')).toEqual([
      ...[heading(1, 'One'), heading(2, 'Two'), heading(3, 'Three'), paragraph('Text\nmore'), paragraph('Last')],
    ]);
    for (const text of ['#No', '#### Four', '# ', ' # Indented', '#', '##']) {
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
    for (const text of [
      '1984. A novel',
      '2. Second',
      '-no',
      '- ',
      '1.no',
      '-- ',
      '----',
      '--',
      ' - indented',
      '* star',
    ]) {
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

  it('contain every line once, in order', () => {
    const line = fc.oneof(
      fc.constantFrom('', '- a', '1. b', '2. c', '---', '# d', ' e', 'f', '- ', '3. g'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const text = lines.join('\n');
        const letters = (all: string) => all.replace(/[\s#\d.-]/g, '');
        const shown = blocksOfText(text).flatMap((block) =>
          block.type === 'list' ? block.items : 'text' in block ? [block.text] : [],
        );
        expect(letters(shown.join(''))).toBe(letters(text));
      }),
    );
  });
});
