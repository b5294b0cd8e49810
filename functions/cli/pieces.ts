import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** A piece of what is written, and how many records are in it. */
export interface Piece {
  readonly text: string;
  readonly records: number;
}

/** Whoever reads may have seen enough: `| head` is no failure. */
export async function writeToStdout(pieces: AsyncIterable<Piece>): Promise<void> {
  try {
    await write(pieces, process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** Under another name until it is whole, readable by its owner only: it holds people. */
export async function writeToFile(pieces: AsyncIterable<Piece>, file: string): Promise<number> {
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

async function write(pieces: AsyncIterable<Piece>, target: Writable, options: { end: boolean }): Promise<number> {
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
