import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestTable } from '../../store/testTable.ts';

/** A table and a secret of their own, and this process's environment pointed at them. */
export async function startWorld() {
  const table = await startTestTable();
  const secretFile = join(table.folder, 'secret.json');
  writeFileSync(secretFile, JSON.stringify({ current: randomBytes(32).toString('base64url') }));
  Object.assign(process.env, { SERVICE_SECRET_FILE: secretFile, PUBLIC_URL: 'http://127.0.0.1:8787' });
  return { stop: () => table.stop() };
}
