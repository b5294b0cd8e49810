import { appendFileSync, existsSync, rmSync, statSync, truncateSync } from 'node:fs';
import { stringify } from 'csv-stringify/sync';
import { guardCell } from '../../../domain/csvCell.ts';
import type { Language } from '../../../language/languages.ts';
import type { Text } from '../../../language/text.ts';

/** A line that was not imported, with the reason. */
export interface RefusedRow {
  readonly line: number;
  readonly email: string;
  readonly reason: Text;
}

export const refusedFile = (file: string): string => `${file}.refused.csv`;

/** Cuts the report back to its saved length, so that no line is in it twice; at 0 it is deleted. */
export function rewindRefused(file: string, bytes: number): void {
  const path = refusedFile(file);
  if (bytes === 0) rmSync(path, { force: true });
  else if (existsSync(path) && statSync(path).size > bytes) truncateSync(path, bytes);
}

/** CSV with cells that no spreadsheet runs as formulas. */
export function refusedLines(rows: readonly RefusedRow[], language: Language): string {
  return stringify(
    rows.map(({ line, email, reason }) => [String(line), guardCell(email), guardCell(reason[language])]),
  );
}

export const refusedHeader = stringify([['line', 'email', 'reason']]);

/** Adds lines and returns the new length in bytes. Only its owner may read the file, as it contains addresses. */
export function appendRefused(file: string, rows: readonly RefusedRow[]): number {
  const path = refusedFile(file);
  if (rows.length > 0) {
    const header = existsSync(path) ? '' : refusedHeader;
    appendFileSync(path, `${header}${refusedLines(rows, 'en')}`, { mode: 0o600 });
  }
  return existsSync(path) ? statSync(path).size : 0;
}
