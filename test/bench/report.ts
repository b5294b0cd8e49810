import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };

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
}

export interface BenchContext {
  readonly quick: boolean;
}

/** Writes report.md and report.json beside this file. */
export function writeReport(sections: readonly Section[], context: BenchContext, seconds: number): void {
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
  writeFileSync(join(import.meta.dirname, 'report.json'), `${JSON.stringify({ machine, sections }, null, 2)}\n`);
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
  writeFileSync(join(import.meta.dirname, 'report.md'), `${lines.join('\n')}\n`);
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
