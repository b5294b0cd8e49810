import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { openDatabaseFile } from '../../sqlite.ts';

/** A stored schedule. Times are epoch milliseconds. */
export interface ScheduleRow {
  readonly name: string;
  /** The CreateSchedule input, as JSON. */
  readonly definition: string;
  readonly client_token: string | null;
  readonly created_at: number;
  readonly modified_at: number;
  /** Null once it has fired, or while it is disabled. */
  readonly next_attempt_at: number | null;
  readonly attempts: number;
}

export type ScheduleDatabase = ReturnType<typeof openSchedules>;

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS schedules (
    name TEXT PRIMARY KEY, definition TEXT NOT NULL, client_token TEXT, created_at INTEGER NOT NULL,
    modified_at INTEGER NOT NULL, next_attempt_at INTEGER, attempts INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX IF NOT EXISTS schedules_due ON schedules (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
`;

/** The schedules on disk; writes survive a kill. */
export function openSchedules(databasePath: string) {
  mkdirSync(dirname(databasePath), { recursive: true });
  const database = openDatabaseFile(databasePath, schema);
  const statement = (sql: string) => database.prepare(sql);
  const insert = statement(
    'INSERT INTO schedules (name, definition, client_token, created_at, modified_at, next_attempt_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const replace = statement(
    'UPDATE schedules SET definition = ?, modified_at = ?, next_attempt_at = ?, attempts = 0 WHERE name = ?',
  );
  const select = statement('SELECT * FROM schedules WHERE name = ?');
  const remove = statement('DELETE FROM schedules WHERE name = ?');
  const page = statement('SELECT * FROM schedules WHERE name > ? AND substr(name, 1, ?) = ? ORDER BY name LIMIT ?');
  const due = statement('SELECT * FROM schedules WHERE next_attempt_at <= ? ORDER BY next_attempt_at LIMIT ?');
  const next = statement('SELECT min(next_attempt_at) AS moment FROM schedules WHERE next_attempt_at IS NOT NULL');
  const upcoming = statement(
    'SELECT next_attempt_at AS moment FROM schedules WHERE next_attempt_at IS NOT NULL ORDER BY next_attempt_at LIMIT ?',
  );
  const unchanged = 'name = ? AND modified_at = ? AND definition = ?';
  const finish = statement(`UPDATE schedules SET next_attempt_at = NULL WHERE ${unchanged}`);
  const finishAndDelete = statement(`DELETE FROM schedules WHERE ${unchanged}`);
  const postpone = statement(`UPDATE schedules SET next_attempt_at = ?, attempts = attempts + 1 WHERE ${unchanged}`);
  return {
    insert: (row: Omit<ScheduleRow, 'attempts'>) => {
      insert.run(row.name, row.definition, row.client_token, row.created_at, row.modified_at, row.next_attempt_at);
    },
    replace: (row: Pick<ScheduleRow, 'name' | 'definition' | 'modified_at' | 'next_attempt_at'>) => {
      replace.run(row.definition, row.modified_at, row.next_attempt_at, row.name);
    },
    get: (name: string) => select.get(name) as unknown as ScheduleRow | undefined,
    delete: (name: string) => {
      remove.run(name);
    },
    list: (after: string, prefix: string, limit: number) =>
      page.all(after, prefix.length, prefix, limit) as unknown as ScheduleRow[],
    due: (now: number, limit: number) => due.all(now, limit) as unknown as ScheduleRow[],
    upcoming: (limit: number) => upcoming.all(limit).map(({ moment }) => Number(moment)),
    nextAttemptAt: () => (next.get() as { moment: number | null }).moment,
    /** These three do not change a schedule that was updated during its delivery. */
    finish: (row: ScheduleRow) => {
      finish.run(row.name, row.modified_at, row.definition);
    },
    finishAndDelete: (row: ScheduleRow) => {
      finishAndDelete.run(row.name, row.modified_at, row.definition);
    },
    postpone: (row: ScheduleRow, until: number) => {
      postpone.run(until, row.name, row.modified_at, row.definition);
    },
    close: () => database.close(),
  };
}
