import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { finished, pipeline } from 'node:stream/promises';
import { CsvError, type Parser, parse } from 'csv-parse';
import { ServiceError } from '../../contract/errors.ts';
import type { Row } from './row.ts';

/** A longer line is one whose quote is never closed. */
const longestLineBytes = 1_000_000;

export interface ReadRow extends Row {
  /** How far into the file the line ends. */
  readonly bytes: number;
}

/**
 * The lines of a CSV file (RFC 4180; commas, semicolons or tabs, UTF-8 with or without a mark), one after the other. A
 * piece of the file is parsed at a time, and what was good before a fault is given out before the fault is thrown.
 */
export async function* readRows(path: string): AsyncGenerator<ReadRow> {
  const rows: ReadRow[] = [];
  let countedTwice = 0;
  const parser = parse({
    bom: true,
    delimiter: await delimiterOf(path),
    max_record_size: longestLineBytes,
    on_record: (cells: string[], { lines, bytes }) => {
      // The parser counts a CRLF within quotes as two lines.
      countedTwice += countOf(/\r\n/g, cells);
      rows.push({ cells, line: lines - countedTwice - lineBreaksIn(cells), bytes });
      return null;
    },
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  const ended = finished(parser.resume());
  ended.catch(() => {});
  let lastLine = 0;
  for await (const piece of pieces(path)) {
    const fault = await feed(parser, piece, ended);
    for (const row of rows.splice(0)) {
      yield row;
      lastLine = row.line + lineBreaksIn(row.cells);
    }
    if (fault) throw unreadable(path, lastLine + 1, fault);
  }
}

/** The file in pieces, and null at its end. */
async function* pieces(path: string): AsyncGenerator<Buffer | null> {
  yield* createReadStream(path) as AsyncIterable<Buffer>;
  yield null;
}

/** Hands a piece over and answers what was wrong with it, if anything. */
function feed(parser: Parser, piece: Buffer | null, ended: Promise<void>): Promise<Error | null> {
  if (piece) return new Promise((resolve) => parser.write(piece, (error) => resolve(error ?? null)));
  parser.end();
  return ended.then(
    () => null,
    (error: Error) => error,
  );
}

/** Identifies what is in a file, so that an import is only gone on with in the same one. */
export async function fingerprintOf(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { sha256: hash.digest('hex'), bytes: (await stat(path)).size };
}

/** Spreadsheets write semicolons where a comma stands in numbers: the header tells. */
async function delimiterOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(65_536), 0, 65_536, 0);
    const [header = ''] = buffer.toString('utf8', 0, bytesRead).split(/[\r\n]/, 1);
    const unquoted = header.replace(/"[^"]*"/g, '');
    const counts = [',', ';', '\t'].map((delimiter) => [delimiter, unquoted.split(delimiter).length] as const);
    return counts.reduce((best, next) => (next[1] > best[1] ? next : best))[0];
  } finally {
    await file.close();
  }
}

const countOf = (pattern: RegExp, cells: readonly string[]): number => cells.join(' ').match(pattern)?.length ?? 0;
const lineBreaksIn = (cells: readonly string[]): number => countOf(/\r\n|\r|\n/g, cells);

function unreadable(path: string, line: number, error: Error): Error {
  if (!(error instanceof CsvError)) return error;
  const isQuote = error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE';
  const problem = isQuote ? 'a quote is opened and not closed' : error.message;
  return new ServiceError('validation_error', {
    text: {
      en: `${path} cannot be read from line ${line} on: ${problem}. What stands before it was imported.`,
      fr: `${path} ne peut pas être lu à partir de la ligne ${line} : ${problem}. Ce qui précède a été importé.`,
    },
  });
}
