import fc from 'fast-check';
import { guardCell, readTags, tagsCell, unguardCell } from '../../../shared/domain/csvCell.ts';

describe('guardCell', () => {
  it.each(['=1+1', '+33 1', '-5', '@SUM(A1)', '\tx', '\rx', '\nx', '＝1', '＠x'])('guards %j', (cell) => {
    expect(guardCell(cell)).toBe(`'${cell}`);
  });

  it.each(['', 'Ada', "'tis", "O'Neil", '1-2', ' =1', 'a@b.example'])('leaves %j alone', (cell) => {
    expect(guardCell(cell)).toBe(cell);
  });

  it('guards every cell that a spreadsheet would evaluate, and can be undone', () => {
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

  it('reads a JSON array, and invalid JSON as words', () => {
    expect(readTags('["a,b","c"]')).toEqual(['a,b', 'c']);
    expect(readTags('[draft], x')).toEqual(['[draft]', 'x']);
    expect(readTags('[1]')).toEqual(['[1]']);
  });

  it('reads back every list of tags', () => {
    const tag = fc.oneof(fc.stringMatching(/^[a-z,;[\]" ]{1,6}$/), fc.string({ minLength: 1, maxLength: 8 }));
    fc.assert(fc.property(fc.array(tag, { maxLength: 5 }), (tags) => expect(readTags(tagsCell(tags))).toEqual(tags)));
  });
});
