import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StackLinks } from './stackLinks.ts';
import { synthesize } from './synthesis.ts';

/** What later releases must be able to follow, and to be rolled back to. */
export interface RecordedRelease {
  readonly release: string;
  /** The stacks by the settings that they were synthesized with. */
  readonly deployments: readonly { readonly settings: object; readonly stacks: readonly StackLinks[] }[];
}

const file = join(import.meta.dirname, 'lastRelease.json');

export const lastRelease = (): RecordedRelease => JSON.parse(readFileSync(file, 'utf8'));

/** Settings of which a deployment of the last release may be. */
const settingsOfUsers: readonly object[] = [
  {},
  { console: { deployed: false } },
  { console: { userPool: true }, domains: [], dashboard: true, topicKey: true },
];

/** The records of every kind, as tests hold them: what a release wrote stays readable for all that follow. */
const recordFixtures = join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'records');

/** Records what CloudFormation's rules need to know of this release, and what its stored records look like. */
export function recordRelease(release: string): void {
  if (existsSync(join(recordFixtures, release)))
    throw new Error(
      `${release} is recorded already: raise the version, or delete test/fixtures/records/${release} first.`,
    );
  for (const name of readdirSync(recordFixtures).filter((one) => one.endsWith('.json')))
    cpSync(join(recordFixtures, name), join(recordFixtures, release, name));
  const deployments = settingsOfUsers.map((settings) => ({ settings, stacks: synthesize(settings).links }));
  writeFileSync(file, `${JSON.stringify({ release, deployments } satisfies RecordedRelease, null, 1)}\n`);
}
