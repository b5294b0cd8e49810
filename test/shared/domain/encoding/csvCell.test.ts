import fc from 'fast-check';
import { guardCell, readTags, tagsCell, unguardCell } from '../../../../shared/domain/encoding/csvCell.ts';

describe('guardCell', () => {
  it.each(['=1+1', '+33 1', '-5', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1', '＠x'])('makes text of %j', (cell) => {
    expect(guardCell(cell)).toBe(`'${cell}`);
  });

  it.each(['', 'Ada', "'tis", "O'Neil", '1-2', ' =1', 'a@b.example'])('leaves %j alone', (cell) => {
    expect(guardCell(cell)).toBe(cell);
  });

  it('never lets a cell begin with what a spreadsheet runs, and gives every cell back', () => {
    const text = fc.oneof(fc.string(), fc.stringMatching(/^['=+@\t-]{0,4}[a-z]?$/));
    fc.assert(
      fc.property(text, (cell) => {
        expect(guardCell(cell)).not.toMatch(/^[=+\-@\t\r]/);
        expect(unguardCell(guardCell(cell))).toBe(cell);
      }),
    );
  });
});

describe('tags in a cell', () => {
  it('reads words between commas or semicolons', () => {
    expect(readTags('vip, news;  ,b')).toEqual(['vip', 'news', 'b']);
    expect(readTags('')).toEqual([]);
  });

  it('reads a JSON array, and takes what only looks like one for words', () => {
    expect(readTags('["a,b","c"]')).toEqual(['a,b', 'c']);
    expect(readTags('[draft], x')).toEqual(['[draft]', 'x']);
    expect(readTags('[1]')).toEqual(['[1]']);
  });

  it('gives back every list of tags', () => {
    const tag = fc.oneof(fc.stringMatching(/^[a-z,;[\]" ]{1,6}$/), fc.string({ minLength: 1, maxLength: 8 }));
    fc.assert(fc.property(fc.array(tag, { maxLength: 5 }), (tags) => expect(readTags(tagsCell(tags))).toEqual(tags)));
  });
});
