import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../version.ts';

/** What CHANGELOG.md says about deploying a release. */
export interface ReleaseNotes {
  /** Null for what no release has yet. */
  readonly version: string | null;
  readonly date: string | null;
  /** What a deployment changes; null for a release from before this was written down. */
  readonly deployment: string | null;
  /** Whether it can be rolled back, and to which release. */
  readonly rollback: string | null;
}

const heading = /^## (?:(Unreleased)|(\d+\.\d+\.\d+)(?: - (\d{4}-\d{2}-\d{2}))?)\s*$/gm;

/** The notes of all releases, the newest first. */
export function parseChangelog(text: string): ReleaseNotes[] {
  const headings = [...text.matchAll(heading)];
  return headings.map((found, index) => {
    const section = text.slice(found.index, headings[index + 1]?.index);
    const line = (name: string) => new RegExp(`^\\*\\*${name}:\\*\\* (.+)$`, 'm').exec(section)?.[1] ?? null;
    return {
      version: found[2] ?? null,
      date: found[3] ?? null,
      deployment: line('Deployment'),
      rollback: line('Rollback'),
    };
  });
}

export const readChangelog = (): ReleaseNotes[] =>
  parseChangelog(readFileSync(join(import.meta.dirname, '..', '..', 'CHANGELOG.md'), 'utf8'));

/** What is deployed, as its outputs say; null for a release that had no such outputs. */
export interface DeployedRelease {
  readonly version: string | null;
  readonly oldestRollback: string | null;
}

/** What a deployment of this checkout over the deployed release is, in words, and whether it is safe. */
export interface ReleaseStep {
  readonly kind: 'first' | 'upgrade' | 'same' | 'rollback';
  readonly isSafe: boolean;
  readonly lines: readonly string[];
}

/** `deployed` is undefined where there is no deployment. */
export function releaseStep(
  deployed: DeployedRelease | undefined,
  notes: readonly ReleaseNotes[],
  own: string = version,
): ReleaseStep {
  if (!deployed) return { kind: 'first', isSafe: true, lines: [`This is the first deployment, of ${own}.`] };
  const former = deployed.version;
  if (former !== null && compareVersions(own, former) < 0) return rollback(former, deployed.oldestRollback, own);
  const kind = former === own ? 'same' : 'upgrade';
  const passed = notes.filter(
    (one) =>
      one.version === null ||
      (compareVersions(one.version, own) <= 0 && (former === null || compareVersions(one.version, former) > 0)),
  );
  return {
    kind,
    isSafe: true,
    lines: [
      kind === 'same'
        ? `${own} is deployed already.`
        : `${former ?? 'A release without a version'} is deployed, and ${own} follows.`,
      ...passed.flatMap(({ version: name, deployment, rollback: back }) => [
        ...(deployment ? [`${name ?? 'Not released yet'}: ${deployment}`] : []),
        ...(back ? [`  Rollback: ${back}`] : []),
      ]),
    ],
  };
}

function rollback(former: string, oldest: string | null, own: string): ReleaseStep {
  const isSafe = oldest !== null && compareVersions(own, oldest) >= 0;
  const outcome = isSafe
    ? `${own} reads what ${former} wrote.`
    : `${former} can be rolled back to ${oldest ?? 'no earlier release'} at the earliest: ${own} may misread what it wrote.`;
  return { kind: 'rollback', isSafe, lines: [`${former} is deployed: deploying ${own} rolls it back. ${outcome}`] };
}

/** Negative when `one` is older than `other`. Versions are three numbers. */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [one, other].map((text) => text.split('.').map(Number)) as [number[], number[]];
  for (const [index, number] of first.entries()) {
    const difference = number - (second[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
