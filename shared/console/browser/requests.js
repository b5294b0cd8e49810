// @ts-check
// How requests are cut, repeated and spaced.

/**
 * Whether the same request may succeed later: there was no answer (null), or one of 429 or from 500 on.
 * @param {number | null} status
 */
export const isTransient = (status) => status === null || status === 429 || status >= 500;

/**
 * How long to wait before the next attempt: 1, 2, 4 … seconds.
 * @param {number} repeats attempts that were repeated already
 */
export const backoffMilliseconds = (repeats) => 1000 * 2 ** repeats;

/**
 * How many pieces a file of this many bytes is sent in; an empty file is one piece.
 * @param {number} bytes
 * @param {number} pieceBytes
 */
export const pieceCount = (bytes, pieceBytes) => Math.max(1, Math.ceil(bytes / pieceBytes));

/**
 * Where a piece, counted from 0, begins and ends in the file.
 * @param {number} piece
 * @param {number} pieceBytes
 * @returns {[start: number, end: number]}
 */
export const pieceRange = (piece, pieceBytes) => [piece * pieceBytes, (piece + 1) * pieceBytes];

export const shortestPauseMilliseconds = 500;
const longestPauseMilliseconds = 10_000;

/**
 * How long to wait after a change before counting again: twice as long as the last count took, so that a list of a
 * million people is not counted at every key.
 * @param {number} milliseconds
 */
export const pauseAfter = (milliseconds) =>
  Math.max(shortestPauseMilliseconds, Math.min(longestPauseMilliseconds, milliseconds * 2));
