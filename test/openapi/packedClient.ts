import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clientFolder } from '../../infra/openapi/client.ts';

const run = promisify(execFile);

export const clientName: string = JSON.parse(readFileSync(join(clientFolder, 'package.json'), 'utf8')).name;

/** Packs the client as it would be published, and installs it into an empty project in this folder, without a network. */
export async function installClient(folder: string): Promise<void> {
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: clientFolder });
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as { filename: string }[];
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  const parameters = ['install', '--offline', '--no-audit', '--no-fund', `./${packed?.filename}`];
  await run('npm', parameters, { cwd: folder });
}
