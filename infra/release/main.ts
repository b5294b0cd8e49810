import { parseArgs } from 'node:util';
import { oldestRollback, version } from '../version.ts';
import { type ReleaseNotes, readChangelog } from './changes.ts';
import { lastRelease, recordRelease } from './record.ts';

const help = `npm run release [-- --record]

Checks that a release can be tagged: its notes in CHANGELOG.md, and its recorded stacks.
  --record  records the stacks of this release, which later ones must be able to follow and to be rolled back to`;

/** What is missing before the version of package.json can be tagged. */
export function missingForRelease(notes: readonly ReleaseNotes[], recorded: string, own = version): string[] {
  const release = notes.find((one) => one.version === own);
  const unreleased = notes.find((one) => one.version === null);
  return [
    ...(release ? [] : [`CHANGELOG.md has no section “## ${own} - YYYY-MM-DD”.`]),
    ...(release && !release.date ? [`The section of ${own} in CHANGELOG.md has no date.`] : []),
    ...(release && !release.deployment ? [`The section of ${own} has no line “**Deployment:** …”.`] : []),
    ...(release && !release.rollback ? [`The section of ${own} has no line “**Rollback:** …”.`] : []),
    ...(release?.rollback && !release.rollback.includes(oldestRollback)
      ? [`The line “**Rollback:** …” of ${own} does not name ${oldestRollback}, as infra/version.ts does.`]
      : []),
    ...(unreleased?.deployment ? [`“Unreleased” still has a line “**Deployment:** …”: it belongs to ${own}.`] : []),
    ...(recorded === own ? [] : [`The recorded stacks are of ${recorded}: npm run release -- --record`]),
  ];
}

function main(): number {
  const { values } = parseArgs({ options: { record: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) {
    console.log(help);
    return 0;
  }
  if (values.record) recordRelease(version);
  const missing = missingForRelease(readChangelog(), lastRelease().release);
  for (const text of missing) console.log(text);
  if (missing.length === 0) console.log(`${version} can be tagged: git tag -a v${version}`);
  return missing.length === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = main();
