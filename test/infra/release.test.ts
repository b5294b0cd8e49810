import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareVersions, parseChangelog, readChangelog, releaseStep } from '../../infra/release/changes.ts';
import { missingForRelease } from '../../infra/release/main.ts';
import { synthesize } from '../../infra/release/synthesis.ts';
import { version } from '../../infra/version.ts';
import { deploymentOf } from './deployment.ts';

const changelog = `# Changelog

## Unreleased
**Deployment:** one more queue.
**Rollback:** to 1.1.0.

## 1.2.0 - 2026-12-24
**Deployment:** the table gets an index, some minutes.
**Rollback:** to 1.1.0.

## 1.1.0 - 2026-12-01
**Deployment:** new functions only.
**Rollback:** to 1.0.0.

## 1.0.0
Single emails.
`;
const notes = parseChangelog(changelog);

describe('the notes of releases', () => {
  it('are read with their dates, what a deployment changes and how far it can be rolled back', () => {
    expect(notes.map((one) => [one.version, one.date])).toEqual([
      [null, null],
      ['1.2.0', '2026-12-24'],
      ['1.1.0', '2026-12-01'],
      ['1.0.0', null],
    ]);
    expect(notes[2]).toMatchObject({ deployment: 'new functions only.', rollback: 'to 1.0.0.' });
    expect(notes[3]).toMatchObject({ deployment: null, rollback: null });
  });

  it('say in the changelog what a deployment of each release changes, and of what is not released yet', () => {
    const [unreleased, ...released] = readChangelog();
    expect(unreleased?.version).toBeNull();
    const text = readFileSync(join(import.meta.dirname, '..', '..', 'CHANGELOG.md'), 'utf8');
    const isEmpty = /^## Unreleased\s+## /m.test(text);
    for (const notes of isEmpty ? released : [unreleased, ...released])
      expect(notes).toMatchObject({ deployment: expect.any(String), rollback: expect.any(String) });
    for (const notes of released) expect(notes.date).toMatch(/^\d{4}-/);
  });

  it.each([
    ['1.10.0', '1.9.9', 1],
    ['1.0.0', '1.0.0', 0],
    ['0.9.0', '1.0.0', -1],
  ])('tell %s from %s', (one, other, sign) => {
    expect(Math.sign(compareVersions(one, other))).toBe(sign);
  });
});

describe('a deployment over another', () => {
  const over = (deployed: string | null, own: string, oldestRollback: string | null = '1.0.0') =>
    releaseStep({ version: deployed, oldestRollback }, notes, own);

  it('tells of every release between the two', () => {
    const { kind, lines } = over('1.0.0', '1.2.0');
    expect([kind, lines[0]]).toEqual(['upgrade', '1.0.0 is deployed, and 1.2.0 follows.']);
    expect(lines.join('\n')).toMatch(/some minutes(.|\n)*new functions only/);
    expect(over('1.1.0', '1.2.0').lines.join()).not.toContain('new functions only');
  });

  it('is a rollback when the deployed one is newer, and safe as far back as that one says', () => {
    expect(over('1.2.0', '1.1.0', '1.1.0')).toMatchObject({ kind: 'rollback', isSafe: true });
    expect(over('1.2.0', '1.0.0', '1.1.0')).toMatchObject({ kind: 'rollback', isSafe: false });
    expect(over('1.2.0', '1.1.0', null).isSafe).toBe(false);
  });

  it('may be of the same release, or over one that has no version', () => {
    expect(over('1.2.0', '1.2.0')).toMatchObject({ kind: 'same', isSafe: true });
    expect(over(null, '1.0.0')).toMatchObject({ kind: 'upgrade', isSafe: true });
  });
});

describe('a release', () => {
  it('needs a dated section with both lines, nothing left as unreleased, and its recorded stacks', () => {
    const released = parseChangelog(changelog.replace(/## Unreleased\n.*\n.*\n/, '## Unreleased\n'));
    const own = released.map((one) => (one.version === '1.2.0' ? { ...one, rollback: 'to 1.0.0.' } : one));
    expect(missingForRelease(own, '1.2.0', '1.2.0')).toEqual([]);
    expect(missingForRelease(notes, '1.1.0', '1.2.0')).toEqual([
      expect.stringContaining('does not name 1.0.0'),
      expect.stringContaining('“Unreleased” still has'),
      expect.stringContaining('npm run release -- --record'),
    ]);
    expect(missingForRelease(notes, '1.3.0', '1.3.0')[0]).toMatch(/no section “## 1\.3\.0/);
    expect(missingForRelease(notes, '1.0.0', '1.0.0')).toHaveLength(4);
  });

  it('is named by an output of the deployment, with how far it can be rolled back', () => {
    const { Outputs = {} } = deploymentOf().stack('');
    expect([Outputs.Version?.Value, Outputs.OldestRollback?.Value]).toEqual([version, '1.0.0']);
  });

  it('is a tag of every stack, which CloudFormation hands on to its resources', () => {
    const { stacks } = synthesize({ stage: 'dev' });
    expect(stacks.length).toBeGreaterThan(10);
    for (const { tags } of stacks) expect(tags).toEqual({ project: 'mailroom', stage: 'dev', version });
  });
});
