import type * as keys from '../../../../shared/store/table/keys.ts';

/** A kind of stored record: its fixture was written by `write` once, and the present code must still read it. */
export interface RecordKind {
  readonly name: string;
  /** The functions and constants of keys.ts that say where its items are. */
  readonly keys: readonly (keyof typeof keys)[];
  /** Attributes whose stored value is random, or depends on the version of Node.js. */
  readonly random?: readonly string[];
  /** Writes records that together have every attribute of the kind. */
  write(): Promise<unknown>;
  /** Reads them, and everything that is found through them. */
  read(): Promise<unknown>;
  /** What `read` answers. */
  readonly expected: unknown;
  /** What it answers for a record of an earlier release, where that differs. */
  readonly readAs?: Readonly<Record<string, unknown>>;
}

export const workspaceId = 'ws_01m7xx6qyft23rbk625h7dc39r';
export const at = new Date('2026-11-20T10:00:00.000Z');
export const seconds = (count: number): Date => new Date(at.getTime() + count * 1000);
export const iso = (count: number): string => seconds(count).toISOString();
export const expiresAt = 1_826_755_200;

/** A salt of address hashes that tests know, so that the keys of blocks are the same at every run. */
export const salt = 'c2FsdCBvZiB0aGUgcmVjb3Jkcw';
