import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Path of the engine for this platform, from the package `@dynoxide/<os>-<cpu>`. Throws with the way out without one. */
export function engineBinary(platform: string = process.platform, cpu: string = process.arch): string {
  const packageName = `@dynoxide/${platform}-${cpu}`;
  const binary = installedBinary(packageName);
  if (binary === undefined || platform === 'win32') {
    throw new Error(
      `No local DynamoDB engine for ${platform}-${cpu} (package ${packageName} is not installed). ` +
        'Start any DynamoDB-compatible server and name its address in AWS_ENDPOINT_URL_DYNAMODB, ' +
        'for example AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000.',
    );
  }
  return binary;
}

/** Where infra/local/bootstrap.mjs puts the engine of a platform that the lock file does not name. */
const fetched = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'engine', 'index.js');

function installedBinary(packageName: string): string | undefined {
  for (const place of [import.meta.filename, fetched]) {
    try {
      const manifest = createRequire(place).resolve(`${packageName}/package.json`);
      const binary = join(dirname(manifest), 'dynoxide');
      if (existsSync(binary)) return binary;
    } catch {
      // Not in this place.
    }
  }
  return undefined;
}
