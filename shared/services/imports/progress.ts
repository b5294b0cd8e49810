import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import * as z from 'zod';
import { suppressionReasons } from '../../domain/person/suppression.ts';

/**
 * How far an import came: every line up to `rows` has been dealt with, and none after it is counted. A line that was
 * under way when the process died is imported again, which changes nothing.
 */
const progress = z.object({
  sha256: z.string(),
  workspace_id: z.string(),
  consent_given: z.boolean(),
  /** Of a list of addresses that get no mail: the reason of those that give none. */
  suppress_as: z.enum(suppressionReasons).nullable().default(null),
  rows: z.int(),
  added: z.int(),
  updated: z.int(),
  /** Of people who are gone where the file comes from. */
  suppressed: z.int().default(0),
  refused: z.int(),
  /** Length of the report of refused lines then. */
  refused_bytes: z.int(),
});

export type Progress = z.output<typeof progress>;

const progressFile = (file: string): string => `${file}.import.json`;

export function readProgress(file: string): Progress | null {
  const path = progressFile(file);
  return existsSync(path) ? progress.parse(JSON.parse(readFileSync(path, 'utf8'))) : null;
}

/** Written whole or not at all, and on the disk before it takes the place of the last one. */
export function writeProgress(file: string, state: Progress): void {
  const draft = `${progressFile(file)}.${process.pid}`;
  const handle = openSync(draft, 'w', 0o600);
  try {
    writeSync(handle, `${JSON.stringify(state, null, 2)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, progressFile(file));
}

export function removeProgress(file: string): void {
  rmSync(progressFile(file), { force: true });
}
