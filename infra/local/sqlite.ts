import { DatabaseSync } from 'node:sqlite';

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damaged = [11, 26];

/** Opens a database file and prepares it with `schema`. An error names the file. */
export function openDatabaseFile(path: string, schema: string): DatabaseSync {
  return naming(path, () => {
    const database = new DatabaseSync(path);
    try {
      database.exec(schema);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Adds the name of the file to an error of `open`, which SQLite's own errors lack. */
export function naming<Opened>(path: string, open: () => Opened): Opened {
  try {
    return open();
  } catch (cause) {
    const { errcode = 0, message } = cause as Error & { errcode?: number };
    const text = damaged.includes(errcode) ? damagedFile(path) : `The file ${path} cannot be used: ${message}.`;
    throw new Error(text, { cause });
  }
}

export const damagedFile = (path: string): string =>
  `The file ${path} is damaged: restore it, or start with another folder (--data).`;

/** Does nothing when SQLite has ended the transaction itself, as it does when the disk is full. */
export function rollback(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('ROLLBACK');
}
