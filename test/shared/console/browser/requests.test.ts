import {
  backoffMilliseconds,
  isTransient,
  pauseAfter,
  pieceCount,
  pieceRange,
} from '../../../../shared/console/browser/requests.js';

describe('a request of a page', () => {
  it.each([null, 429, 500, 503])('is repeated after %s', (status) => {
    expect(isTransient(status)).toBe(true);
  });

  it.each([200, 400, 401, 403, 413, 422])('is not repeated after %d', (status) => {
    expect(isTransient(status)).toBe(false);
  });

  it('waits twice as long before each further attempt', () => {
    expect([0, 1, 2, 3].map(backoffMilliseconds)).toEqual([1000, 2000, 4000, 8000]);
  });
});

describe('a file', () => {
  it.each([
    [0, 1],
    [1, 1],
    [4, 1],
    [5, 2],
    [8, 2],
    [9, 3],
  ])('of %d bytes is sent in %d pieces of four', (bytes, count) => {
    expect(pieceCount(bytes, 4)).toBe(count);
  });

  it('is covered by its pieces without gaps', () => {
    const bytes = Uint8Array.from({ length: 11 }, (_, index) => index);
    const pieces = Array.from({ length: pieceCount(11, 4) }, (_, piece) => [...bytes.slice(...pieceRange(piece, 4))]);
    expect(pieces.flat()).toEqual([...bytes]);
  });
});

describe('the pause before the next count', () => {
  it.each([
    [10, 500],
    [250, 500],
    [251, 502],
    [5000, 10_000],
    [60_000, 10_000],
  ])('after a count of %d ms is %d ms', (took, pause) => {
    expect(pauseAfter(took)).toBe(pause);
  });
});
