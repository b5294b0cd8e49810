import { DatabaseSync } from 'node:sqlite';

/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const damaged = [11, 26];

/** Opens a file of the data folder and prepares it with `schema`. Throws with its name when it cannot be used. */
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

/** What opens a file: its error gets the name of the file, which SQLite's own lacks. */
export function naming<Opened>(path: string, open: () => Opened): Opened {
  try {
    return open();
  } catch (cause) {
    const { errcode = 0, message } = cause as Error & { errcode?: number };
    const said = damaged.includes(errcode) ? damagedFile(path) : `The file ${path} cannot be used: ${message}.`;
    throw new Error(said, { cause });
  }
}

export const damagedFile = (path: string): string =>
  `The file ${path} is damaged: restore it, or start with another folder (--data).`;

/** SQLite may have ended a transaction by itself, as it does when the disk is full. */
export function rollback(database: DatabaseSync): void {
  if (database.isTransaction) database.exec('ROLLBACK');
}
