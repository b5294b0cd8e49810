import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { openDatabaseFile, rollback } from '../sqlite.ts';

export type Row = Record<string, SQLOutputValue>;

/** One SQLite file with cached statements. Synchronous: a statement takes tens of microseconds. */
export interface SesDatabase {
  all(sql: string, ...values: SQLInputValue[]): Row[];
  get(sql: string, ...values: SQLInputValue[]): Row | undefined;
  /** Answers the row id of an insert, or 0. */
  run(sql: string, ...values: SQLInputValue[]): number;
  transaction<Result>(work: () => Result): Result;
  /**
   * Like `transaction`, but shares one commit with all work of the same turn of the event loop, which makes many small
   * writes cheap. The work is done at once; the promise resolves when it is committed.
   */
  grouped<Result>(work: () => Result): Promise<Result>;
  /** Caches what was read under a key until `forget`: for what every send reads and little changes. */
  remember<Result>(key: string, read: () => Result): Result;
  forget(): void;
  close(): void;
}

const maximumRemembered = 1000;

/** In WAL mode with `synchronous = NORMAL` a commit survives a crash of the process, but not of the machine. */
const schema = `
PRAGMA journal_mode = WAL;
PRAGMA synchronous = NORMAL;
PRAGMA busy_timeout = 5000;
PRAGMA journal_size_limit = 67108864;
CREATE TABLE IF NOT EXISTS identities (
  name TEXT PRIMARY KEY, type TEXT NOT NULL, verification_status TEXT NOT NULL, created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS identity_options (name TEXT PRIMARY KEY, options TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS configuration_sets (
  name TEXT PRIMARY KEY, options TEXT NOT NULL, created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS event_destinations (
  configuration_set TEXT NOT NULL, name TEXT NOT NULL, definition TEXT NOT NULL, PRIMARY KEY (configuration_set, name)
) STRICT, WITHOUT ROWID;
-- The source comes last, so that a page of the list is read without touching the bodies.
CREATE TABLE IF NOT EXISTS messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT NOT NULL UNIQUE, created_at INTEGER NOT NULL,
  visible INTEGER NOT NULL, sender TEXT NOT NULL, recipients TEXT NOT NULL, subject TEXT NOT NULL,
  configuration_set TEXT, mail TEXT NOT NULL, links TEXT NOT NULL, source BLOB NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS recipients (
  address TEXT NOT NULL, message INTEGER NOT NULL, PRIMARY KEY (address, message)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (
  id INTEGER PRIMARY KEY, message INTEGER NOT NULL, type TEXT NOT NULL, happened_at INTEGER NOT NULL,
  detail TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS events_by_message ON events (message);
CREATE TABLE IF NOT EXISTS outbox (
  id INTEGER PRIMARY KEY, event INTEGER NOT NULL, message INTEGER NOT NULL, topic_arn TEXT NOT NULL,
  due_at INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS outbox_by_due ON outbox (due_at);
-- Tables of their own, so that a file of an earlier release needs no change.
CREATE TABLE IF NOT EXISTS seen (message INTEGER PRIMARY KEY) STRICT;
CREATE TABLE IF NOT EXISTS search_texts (message INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS sent_by_minute (minute INTEGER PRIMARY KEY, recipients INTEGER NOT NULL) STRICT;
`;

export function openDatabase(path: string): SesDatabase {
  const database = openDatabaseFile(path, schema);
  const statements = new Map<string, StatementSync>();
  const group = groupCommit(database);
  const remembered = new Map<string, unknown>();
  const prepared = (sql: string) => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    all: (sql, ...values) => prepared(sql).all(...values),
    get: (sql, ...values) => prepared(sql).get(...values),
    run: (sql, ...values) => Number(prepared(sql).run(...values).lastInsertRowid),
    transaction: (work) => {
      group.commit();
      return inside(database, ['BEGIN IMMEDIATE', 'COMMIT'], () => rollback(database), work);
    },
    grouped: (work) => group.add(work),
    remember: <Result>(key: string, read: () => Result): Result => {
      if (!remembered.has(key)) {
        if (remembered.size >= maximumRemembered) remembered.clear();
        remembered.set(key, read());
      }
      return remembered.get(key) as Result;
    },
    forget: () => remembered.clear(),
    close: () => {
      group.commit();
      database.close();
    },
  };
}

function inside<Result>(
  database: DatabaseSync,
  [begin, commit]: readonly [string, string],
  undo: () => void,
  work: () => Result,
): Result {
  database.exec(begin);
  try {
    const result = work();
    database.exec(commit);
    return result;
  } catch (error) {
    undo();
    throw error;
  }
}

/** Opens a transaction with the first work and commits it at the end of the turn of the event loop. */
function groupCommit(database: DatabaseSync) {
  let open: PromiseWithResolvers<void> | null = null;
  const commit = () => {
    if (!open) return;
    const { resolve, reject } = open;
    open = null;
    try {
      database.exec('COMMIT');
      resolve();
    } catch (error) {
      rollback(database);
      reject(error);
    }
  };
  const begin = () => {
    database.exec('BEGIN IMMEDIATE');
    setImmediate(commit);
    return Promise.withResolvers<void>();
  };
  const savepoint = ['SAVEPOINT work', 'RELEASE work'] as const;
  const undo = () => {
    if (database.isTransaction) database.exec('ROLLBACK TO work; RELEASE work');
  };
  return {
    commit,
    add: async <Result>(work: () => Result): Promise<Result> => {
      open ??= begin();
      const { promise } = open;
      const result = inside(database, savepoint, undo, work);
      await promise;
      return result;
    },
  };
}
