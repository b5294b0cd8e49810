import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import type { Consumption } from './costs/consumption.ts';

export interface Row {
  readonly what: string;
  readonly measured: string;
  /** What the design asks for; empty where it asks for nothing. */
  readonly budget?: string;
  readonly ok?: boolean;
}

export interface Section {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Every figure, for machines. */
  readonly figures: unknown;
  /** What one of each thing takes of AWS, for the cost sheet. */
  readonly consumption?: readonly Consumption[];
}

export interface BenchContext {
  readonly quick: boolean;
  /** Whether the report takes the place of the committed one. */
  readonly write: boolean;
}

/**
 * Writes report.md and report.json into a folder and answers it: beside this file when that is asked for (`--write`),
 * else among the system's temporary files, so that a run leaves the working tree as it was.
 */
export function writeReport(sections: readonly Section[], context: BenchContext, seconds: number): string {
  const folder = context.write ? import.meta.dirname : join(tmpdir(), 'mailroom-bench-report');
  mkdirSync(folder, { recursive: true });
  const machine = {
    date: new Date().toISOString(),
    quick: context.quick,
    seconds: Math.round(seconds),
    node: process.version,
    platform: `${process.platform}-${process.arch}`,
    processors: cpus().length,
    processor: cpus()[0]?.model.trim() ?? '',
    memoryGigabytes: Math.round(totalmem() / 1024 ** 3),
    versions: {
      ...packageFile.dependencies,
      ...packageFile.optionalDependencies,
      fauxqs: packageFile.devDependencies.fauxqs,
    },
  };
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify({ machine, sections }, null, 2)}\n`);
  const lines = [
    '# Bench',
    '',
    `${machine.date}, ${context.quick ? 'quick' : 'full'} run of ${machine.seconds} s. Node ${machine.node} on ${machine.platform}, ` +
      `${machine.processors} × ${machine.processor}, ${machine.memoryGigabytes} GB. Local engines, everything on this machine.`,
    'Times are of a shared machine: compare ratios and counts first.',
    ...sections.flatMap(sectionLines),
    '',
    '## Versions',
    '',
    ...Object.entries(machine.versions).map(([name, version]) => `- ${name} ${version}`),
  ];
  writeFileSync(join(folder, 'report.md'), `${lines.join('\n')}\n`);
  return folder;
}

function sectionLines({ title, rows }: Section): string[] {
  return [
    '',
    `## ${title}`,
    '',
    '| what | measured | budget | |',
    '|---|---|---|---|',
    ...rows.map(
      ({ what, measured, budget = '', ok }) =>
        `| ${what} | ${measured} | ${budget} | ${ok === undefined ? '' : ok ? 'kept' : '**missed**'} |`,
    ),
  ];
}
