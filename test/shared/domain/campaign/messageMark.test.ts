import { doubledPositions, messageMark } from '../../../../shared/domain/campaign/messageMark.ts';

const marks = (...named: [position: number, messageId: string][]) =>
  new Set(named.map(([position, id]) => messageMark(position, id)));

describe('positions that were named by two messages', () => {
  it('are none while each has its own, however often it is named', () => {
    expect(doubledPositions(marks([0, 'a'], [1, 'b']), marks([0, 'a'], [49, 'c']))).toEqual([]);
    expect(doubledPositions(new Set(), new Set())).toEqual([]);
  });

  it('are those that a second message names, at once or later', () => {
    expect(doubledPositions(marks([0, 'a'], [1, 'b']), marks([1, 'c'], [0, 'd']))).toEqual([0, 1]);
    expect(doubledPositions(new Set(), marks([7, 'a'], [7, 'b']))).toEqual([7]);
  });

  it('are told by whoever names them again, since the first may have died before it said so', () => {
    expect(doubledPositions(marks([3, 'a'], [3, 'b'], [4, 'c']), marks([3, 'b'], [4, 'c']))).toEqual([3]);
  });

  it('takes numbers of four digits at most', () => {
    for (const id of ['a', 'b', '0100018f-0000']) expect(messageMark(49, id)).toBeLessThan(10_000);
  });
});
