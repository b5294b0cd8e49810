import { blockStates, isAbout, shapeOf, splitPairs } from '../../../../../shared/console/browser/editor/draft.js';

const pairs = [
  ['subject', 'News'],
  ['shared', 'yes'],
  ['content[0].type', 'list'],
  ['content[0].items', 'one\ntwo'],
  ['content[0].ordered', 'yes'],
  ['content[1].type', 'columns'],
  ['content[1].count', '2'],
  ['content[1].columns[0][0].type', 'paragraph'],
  ['content[1].columns[0][0].text', 'left'],
  ['content[1].columns[1][0].type', 'heading'],
  ['content[1].columns[1][1].type', 'divider'],
  ['content[10].type', 'divider'],
] as const;

describe('the form of the editor as data', () => {
  const { others, blocks } = splitPairs(pairs);

  it('has the fields that are of no block', () => {
    expect([...others]).toEqual([
      ['subject', 'News'],
      ['shared', 'yes'],
    ]);
  });

  it('has blocks in their order, those in columns below them, up to the first number that is missing', () => {
    const [list, columns, ...rest] = blockStates(blocks, 'content');
    expect(rest).toEqual([]);
    expect(list).toEqual({
      kind: 'list',
      values: [
        ['.type', 'list'],
        ['.items', 'one\ntwo'],
        ['.ordered', true],
      ],
      lists: [],
    });
    expect(columns?.kind).toBe('columns2');
    expect(columns?.lists.map((column) => column.map(({ kind }) => kind))).toEqual([
      ['paragraph'],
      ['heading', 'divider'],
      [],
    ]);
  });

  it('has the shape of its blocks: as many columns as the kind has', () => {
    expect(blockStates(blocks, 'content').map(shapeOf)).toEqual([
      ['list'],
      ['columns2', [['paragraph']], [['heading'], ['divider']]],
    ]);
  });
});

describe('an issue', () => {
  it.each([
    ['content[0].items', 'content[0].items', true],
    ['content[0].items[2]', 'content[0].items', true],
    ['content[0].items.text', 'content[0].items', true],
    ['content[0].itemsOf', 'content[0].items', false],
    ['content[0]', 'content[0].items', false],
  ])('at %s is about the field %s: %s', (issue, field, expected) => {
    expect(isAbout(issue, field)).toBe(expected);
  });
});
