import { join } from 'node:path';
import { nowMilliseconds, runAhead } from '../../../shared/platform/clock.ts';
import { readJson, writePrivateJson } from '../files.ts';

/**
 * By how many milliseconds the service's clock is ahead of the machine's. It is in memory that all threads of the process
 * share, so that no part of the service ever sees another time than the others.
 */
let shared = new BigInt64Array(new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT));

export const aheadMilliseconds = (): number => Number(Atomics.load(shared, 0));

/** For a thread: its clock is that of the process. */
export const clockMemory = (): SharedArrayBuffer => shared.buffer as SharedArrayBuffer;

/** A thread's side. */
export function shareClock(memory: SharedArrayBuffer): void {
  shared = new BigInt64Array(memory);
}

interface ClockFile {
  readonly ahead_milliseconds: number;
}

const clockFile = (dataDir: string): string => join(dataDir, 'clock.json');

/** How far the clock of a data folder is ahead; 0 for most. */
export const readAhead = (dataDir: string): number =>
  readJson<ClockFile>(clockFile(dataDir), ['ahead_milliseconds'])?.ahead_milliseconds ?? 0;

/** This process goes by the clock of a data folder until the returned function is called. */
export function followFolderClock(dataDir: string): () => void {
  set(readAhead(dataDir));
  runAhead(aheadMilliseconds);
  return () => set(0);
}

/**
 * Moves the clock forward to a time, never back. It is on disk before any thread reads it, so that after a crash nothing stored
 * lies in the future of the clock.
 */
export function moveClock(dataDir: string, to: number): void {
  const forward = to - nowMilliseconds();
  if (forward <= 0) return;
  const ahead = Math.ceil(aheadMilliseconds() + forward);
  writePrivateJson(clockFile(dataDir), { ahead_milliseconds: ahead } satisfies ClockFile);
  set(ahead);
}

const set = (milliseconds: number): void => {
  Atomics.store(shared, 0, BigInt(milliseconds));
};
