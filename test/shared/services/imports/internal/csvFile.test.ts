import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import {
  delimiterOf,
  fingerprintOf,
  type ReadRow,
  readRows,
  rowsOfFile,
} from '../../../../../shared/services/imports/internal/csvFile.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailroom-rows-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function rowsOf(content: string | Buffer): Promise<{ rows: ReadRow[]; error: string | null }> {
  const path = join(folder, 'people.csv');
  writeFileSync(path, content);
  const rows: ReadRow[] = [];
  try {
    for await (const row of rowsOfFile(path)) rows.push(row);
    return { rows, error: null };
  } catch (error) {
    return { rows, error: (error as Error).message };
  }
}
const cellsOf = async (content: string | Buffer) => (await rowsOf(content)).rows.map(({ cells }) => cells);

describe('readRows', () => {
  it('numbers lines as an editor does, through empty lines and breaks within cells', async () => {
    const { rows } = await rowsOf('email,note\r\n\r\na@b.example,"two\r\nlines"\nb@b.example,x\n\n');
    expect(rows.map(({ line, cells }) => [line, cells[0]])).toEqual([
      [1, 'email'],
      [3, 'a@b.example'],
      [5, 'b@b.example'],
    ]);
  });

  it.each([',', ';', '\t'])('detects the delimiter %j', async (delimiter) => {
    expect(await cellsOf(['email', '"a,b;c"'].join(delimiter))).toEqual([['email', 'a,b;c']]);
  });

  it('reads with or without a byte order mark, with any line end, with or without one at the end', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      expect(await cellsOf(`\uFEFFemail${end}a@b.example`)).toEqual([['email'], ['a@b.example']]);
    }
  });

  it('keeps a quote within an unquoted cell', async () => {
    expect(await cellsOf('email,note\na,5" disk\nb,Ada "the" L\n')).toEqual([
      ['email', 'note'],
      ['a', '5" disk'],
      ['b', 'Ada "the" L'],
    ]);
  });

  it('yields the good lines, then reports where a quote is never closed', async () => {
    const { rows, error } = await rowsOf(`email\na\nb\n"c\n${'d\n'.repeat(10)}`);
    expect(rows.map(({ cells }) => cells[0])).toEqual(['email', 'a', 'b']);
    expect(error).toContain('from line 4 on: a quote is opened and never closed');
  });

  it('limits the length of one line', async () => {
    const { rows, error } = await rowsOf(`email\n"${'x'.repeat(3_000_000)}`);
    expect(rows).toHaveLength(1);
    expect(error).toContain('from line 2 on');
  });

  it('reads an empty file as no lines', async () => {
    expect(await rowsOf('')).toEqual({ rows: [], error: null });
  });

  it('reads back any CSV that was written', async () => {
    const cell = fc.oneof(fc.constantFrom('a', 'é', '"', '\n', ',', ';', '""x'), fc.string());
    const table = fc.array(fc.tuple(fc.constant('x'), cell, cell), { minLength: 1, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        expect(await cellsOf(`email,a,b\n${stringify(rows)}`)).toEqual([['email', 'a', 'b'], ...rows]);
      }),
      { numRuns: 50 },
    );
  });
});

describe('readRows from the middle of a file', () => {
  async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }

  it('yields the remaining lines with their numbers, from every line end and for every size of pieces', async () => {
    const cell = fc.oneof(fc.constantFrom('a', 'é', '"', '\n', '\r\n', ',', '日本'), fc.string());
    const table = fc.array(fc.tuple(fc.constant('x'), cell), { minLength: 1, maxLength: 8 });
    const end = fc.constantFrom('\n', '\r\n' as const);
    const file = fc.record({
      rows: table,
      end,
      mark: fc.constantFrom('', '\uFEFF'),
      size: fc.integer({ min: 1, max: 40 }),
    });
    await fc.assert(
      fc.asyncProperty(file, async ({ rows, end: record_delimiter, mark, size }) => {
        const bytes = Buffer.from(`${mark}email,note\n${stringify(rows, { record_delimiter })}`);
        const read = async (start: { bytes: number; line: number }) => {
          const pieces = inPieces(bytes.subarray(start.bytes), size);
          const found: ReadRow[] = [];
          for await (const row of readRows({ name: 'x', delimiter: delimiterOf(bytes), start, pieces }))
            found.push(row);
          return found;
        };
        const all = await read({ bytes: 0, line: 1 });
        for (const [index, { bytes: left, next }] of all.entries()) {
          expect(await read({ bytes: left, line: next })).toEqual(all.slice(index + 1));
        }
      }),
      { numRuns: 60 },
    );
  });
});

it('fingerprintOf differs for different contents', async () => {
  const path = join(folder, 'people.csv');
  writeFileSync(path, 'a');
  const first = await fingerprintOf(path);
  writeFileSync(path, 'b');
  expect(first.bytes).toBe(1);
  expect((await fingerprintOf(path)).sha256).not.toBe(first.sha256);
});
