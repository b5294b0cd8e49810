import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestTable } from '../../store/testTable.ts';

/** A table and the secrets, set in the environment of this process. */
export async function startWorld() {
  const table = await startTestTable();
  const files = {
    SERVICE_SECRET_FILE: join(table.folder, 'secret.json'),
    CONSOLE_SECRET_FILE: join(table.folder, 'console-secret.json'),
  };
  for (const path of Object.values(files))
    writeFileSync(path, JSON.stringify({ current: randomBytes(32).toString('base64url') }));
  Object.assign(process.env, { ...files, PUBLIC_URL: 'http://127.0.0.1:8787' });
  return { stop: () => table.stop() };
}
