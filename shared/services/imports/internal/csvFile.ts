import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { finished, pipeline } from 'node:stream/promises';
import { CsvError, type Parser, parse } from 'csv-parse';
import { ServiceError } from '../../../contract/errors.ts';
import { text } from '../../../language/text.ts';
import type { CsvRow } from './row.ts';

/** A longer record has a quote that is never closed. */
const maxLineBytes = 1_000_000;

export interface ReadRow extends CsvRow {
  /** The byte offset of the end of the line. */
  readonly bytes: number;
  /** The number of the next line. */
  readonly next: number;
}

/** CSV to parse, from the beginning of a line on. */
export interface CsvText {
  /** Its name in error messages. */
  readonly name: string;
  readonly delimiter: Delimiter;
  /** The bytes before the first piece, and the number of its first line. */
  readonly start: { readonly bytes: number; readonly line: number };
  readonly pieces: AsyncIterable<Buffer>;
}

/**
 * Parses CSV (RFC 4180, with commas, semicolons or tabs; UTF-8 with or without a byte order mark) piece by piece. The
 * lines before a syntax error are yielded before the error is thrown.
 */
export async function* readRows({ name, delimiter, start, pieces }: CsvText): AsyncGenerator<ReadRow> {
  const rows: ReadRow[] = [];
  let countedTwice = 0;
  const parser = parse({
    bom: start.bytes === 0,
    delimiter,
    max_record_size: maxLineBytes,
    on_record: (cells: string[], { lines, bytes }) => {
      // The parser counts a CRLF within quotes as two lines.
      countedTwice += countOf(/\r\n/g, cells);
      const line = start.line - 1 + lines - countedTwice - lineBreaksIn(cells);
      rows.push({ cells, line, bytes: start.bytes + bytes, next: line + lineBreaksIn(cells) + 1 });
      return null;
    },
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  const ended = finished(parser.resume());
  ended.catch(() => {});
  let next = start.line;
  for await (const piece of withEnd(pieces)) {
    const error = await feed(parser, piece, ended);
    for (const row of rows.splice(0)) {
      yield row;
      next = row.next;
    }
    if (error) throw unreadable(name, next, error);
  }
}

/** Parses a file on this machine. */
export async function* rowsOfFile(path: string): AsyncGenerator<ReadRow> {
  const delimiter = delimiterOf(await headOf(path));
  const pieces = createReadStream(path) as AsyncIterable<Buffer>;
  yield* readRows({ name: path, delimiter, start: { bytes: 0, line: 1 }, pieces });
}

/** The pieces, and null at the end. */
async function* withEnd(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer | null> {
  yield* pieces;
  yield null;
}

/** Writes a piece to the parser and returns its error, if there is one. */
function feed(parser: Parser, piece: Buffer | null, ended: Promise<void>): Promise<Error | null> {
  if (piece) return new Promise((resolve) => parser.write(piece, (error) => resolve(error ?? null)));
  parser.end();
  return ended.then(
    () => null,
    (error: Error) => error,
  );
}

/** Identifies the content of a file, so that an import only continues with the same content. */
export async function fingerprintOf(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { sha256: hash.digest('hex'), bytes: (await stat(path)).size };
}

const headBytes = 65_536;

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const delimiters = [',', ';', '\t'] as const;
type Delimiter = (typeof delimiters)[number];

/** The delimiter by the header. Spreadsheets write semicolons in languages with decimal commas. */
export function delimiterOf(head: Buffer): Delimiter {
  const [header = ''] = head.toString('utf8', 0, headBytes).split(/[\r\n]/, 1);
  const unquoted = header.replace(/"[^"]*"/g, '');
  const counts = delimiters.map((delimiter) => [delimiter, unquoted.split(delimiter).length] as const);
  return counts.reduce((best, next) => (next[1] > best[1] ? next : best))[0];
}

const countOf = (pattern: RegExp, cells: readonly string[]): number => cells.join(' ').match(pattern)?.length ?? 0;
const lineBreaksIn = (cells: readonly string[]): number => countOf(/\r\n|\r|\n/g, cells);

function unreadable(name: string, line: number, error: Error): Error {
  if (!(error instanceof CsvError)) return error;
  const isQuote = error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE';
  const problem = isQuote
    ? text({ en: 'a quote is opened and never closed', fr: 'un guillemet est ouvert et jamais fermé' })
    : text({ en: error.message, fr: error.message });
  return new ServiceError('validation_error', {
    text: {
      en: `${name} cannot be read from line ${line} on: ${problem.en}. The lines before it were imported.`,
      fr: `${name} ne peut pas être lu à partir de la ligne ${line} : ${problem.fr}. Les lignes précédentes ont été importées.`,
    },
  });
}
