import { startEngines } from '../../../infra/local/engines/engines.ts';
import { type DevFile, devFile, readJson, secretFile } from '../../../infra/local/files.ts';
import type { Connection } from './environment.ts';

/** Engines that end with the command, on the folder's data; throws when the folder is another process's. */
export async function startOwnEngines(dataDir: string): Promise<Connection> {
  const engines = await startEngines({ dataDir, env: process.env });
  const baseUrl = readJson<DevFile>(devFile(dataDir))?.base_url ?? 'http://127.0.0.1:8787';
  const environment = {
    ...engines.environment,
    PUBLIC_URL: baseUrl,
    SERVICE_SECRET_FILE: secretFile(dataDir),
    ALLOW_LOOPBACK: 'true',
  };
  return { environment, close: () => engines.stop() };
}
