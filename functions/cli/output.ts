import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommanderError } from 'commander';
import { ServiceError, ValidationError } from '../../shared/contract/errors.ts';
import { withoutCredentials } from '../../shared/platform/logger.ts';
import type { ExportPiece } from '../../shared/services/jobs/exportFile.ts';

/** The output of a command, for machines (--json) and for people. */
export interface CommandOutput {
  readonly json: unknown;
  readonly text: string;
  /** The exit code, 0 by default; 1 when the command ran but its finding is negative. */
  readonly exitCode?: number;
}

export type Cell = string | number | boolean | null | undefined;

/** A table with columns as wide as their longest cell, or `whenEmpty` without rows. */
export function table(columns: readonly string[], rows: readonly (readonly Cell[])[], whenEmpty: string): string {
  if (rows.length === 0) return whenEmpty;
  const lines = [columns.map((column) => column.toUpperCase()), ...rows.map((row) => row.map(cellText))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? '').length)));
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One name with its value a line. */
export function fields(entries: readonly (readonly [string, Cell])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, value]) => `${name.padEnd(width)}  ${cellText(value)}`).join('\n');
}

function cellText(value: Cell): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return printable(String(value));
}

/** Without control characters: stored text must not move the cursor of a terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '?');
}

export function percent(rate: number): string {
  return `${(rate * 100).toFixed(2)} %`;
}

export function print({ json, text, exitCode = 0 }: CommandOutput, asJson: boolean): void {
  process.exitCode = exitCode;
  process.stdout.write(`${asJson ? JSON.stringify(json, null, 2) : text}\n`);
}

/** A reader that closes the pipe early, such as `| head`, is not an error. */
export async function writeToStdout(pieces: AsyncIterable<ExportPiece>): Promise<void> {
  try {
    await write(pieces, process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** The file gets its name when it is complete. Only its owner may read it, as it contains personal data. */
export async function writeToFile(pieces: AsyncIterable<ExportPiece>, file: string): Promise<number> {
  const draft = `${file}.partial`;
  try {
    const records = await write(pieces, createWriteStream(draft, { mode: 0o600 }), { end: true });
    renameSync(draft, file);
    return records;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

async function write(pieces: AsyncIterable<ExportPiece>, target: Writable, options: { end: boolean }): Promise<number> {
  let written = 0;
  const texts = async function* () {
    for await (const { text, records } of pieces) {
      written += records;
      if (text !== '') yield text;
    }
  };
  await pipeline(Readable.from(texts()), target, options);
  return written;
}

export const exitCodes = { failed: 1, usage: 2 } as const;

/** The exit code and message of an error; the message is null for errors of commander, which prints its own. */
export function failureOf(error: unknown): { readonly exitCode: number; readonly line: string | null } {
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? 0 : exitCodes.usage, line: null };
  }
  return {
    exitCode: exitCodes.failed,
    line: `error: ${withoutCredentials(sentenceOf(error)).replace(/\s+/g, ' ').trim()}`,
  };
}

function sentenceOf(error: unknown): string {
  if (error instanceof ValidationError)
    return error.issues.map(({ path, text, place }) => `${place?.en ?? path} ${text.en}`).join('; ');
  if (error instanceof ServiceError) return error.text.en;
  if (!(error instanceof Error)) return String(error);
  // A refused connection to several addresses is an AggregateError, whose own message is empty.
  const inner = error instanceof AggregateError ? error.errors[0] : undefined;
  const message = error.message || (inner instanceof Error ? inner.message : '') || error.name;
  const isPlain = error.name === 'Error' || error.name === 'AggregateError';
  return isPlain ? message : `${error.name}: ${message}`;
}
