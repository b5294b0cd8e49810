import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BundledFunction, bundleFunctions } from '../../infra/bundle.ts';
import { entries } from '../../infra/endpoints.ts';

/** The bundle of every function by its entry file, made once for all test files of a run. */
export async function allBundles(): Promise<ReadonlyMap<string, BundledFunction>> {
  const folder = join(process.env.MAILROOM_TEST_RUN ?? '', 'bundles');
  const finished = join(folder, 'bundles.json');
  if (isFirst(folder)) {
    const bundles = await bundleFunctions(entries, folder);
    writeFileSync(`${finished}.part`, JSON.stringify([...bundles]));
    renameSync(`${finished}.part`, finished);
  }
  while (!existsSync(finished)) await sleep(50);
  return new Map(JSON.parse(readFileSync(finished, 'utf8')));
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
