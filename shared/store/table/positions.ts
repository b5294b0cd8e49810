/** A range of a list, newest first, whose sort keys are a time, `#` and an id. */
export interface PositionRange {
  readonly limit: number;
  /** The position after which the page begins. */
  readonly after?: string | undefined;
  /** ISO 8601 UTC with milliseconds; `since` is inclusive, `until` exclusive. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** The bounds of the sort key; null for an empty range. */
export function sortOf({ after, since = '0', until = '9' }: Omit<PositionRange, 'limit'>) {
  const to = after === undefined || until < after ? until : before(after);
  return since > to ? null : { from: since, to };
}

/** The greatest text below a position: ids have a fixed length and consist of letters and digits. */
const before = (position: string): string =>
  `${position.slice(0, -1)}${String.fromCharCode(position.charCodeAt(position.length - 1) - 1)}~`;
