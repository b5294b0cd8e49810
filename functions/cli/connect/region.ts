import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readSettings, settingsFile } from '../../../infra/settings.ts';

/** Where the settings of a deployment are looked for when no file is named. */
const usualFile = resolve(import.meta.dirname, '..', '..', '..', settingsFile);

/**
 * The region of a deployment: the one that is given, else that of its settings (said aloud, since it decides which
 * deployment is worked on), else undefined for the AWS configuration's own.
 */
export function regionOf(given: string | undefined, settings: string | undefined): string | undefined {
  if (given) return given;
  if (!settings && !existsSync(usualFile)) return undefined;
  const file = settings ? resolve(settings) : usualFile;
  const { region } = readSettings(file);
  process.stderr.write(`Region ${region}, from ${settings ?? settingsFile}.\n`);
  return region;
}
