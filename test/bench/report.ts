import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  /** What a reader has to know of its rows: under which conditions, and what is not in them. */
  readonly head?: string;
  readonly rows: readonly Row[];
  /** Every figure, for machines. */
  readonly figures: unknown;
  /** What one of each thing takes of AWS, for the cost sheet. */
  readonly consumption?: readonly Consumption[];
}

export interface BenchContext {
  readonly quick: boolean;
  /** Whether the sections take the place of those in the committed report. */
  readonly write: boolean;
}

/** Where, when and of what a section was measured. */
interface Run {
  readonly date: string;
  readonly commit: string;
  readonly quick: boolean;
  readonly machine: string;
}

/** The sections by name, in the order of the benches. */
export type Report = Readonly<Record<string, Section & { readonly run: Run }>>;

const folderOf = ({ write }: BenchContext): string =>
  write ? import.meta.dirname : join(tmpdir(), 'mailroom-bench-report');

/** The committed report, so that a section can be measured again alone; nothing when the report is not to be kept. */
export function readReport(context: BenchContext): Report {
  const file = join(folderOf(context), 'report.json');
  if (!context.write || !existsSync(file)) return {};
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly sections: Report }).sections;
}

export function runOf(context: BenchContext): Run {
  return {
    date: new Date().toISOString(),
    commit: commit(),
    quick: context.quick,
    machine:
      `Node ${process.version} on ${process.platform}-${process.arch}, ` +
      `${cpus().length} × ${cpus()[0]?.model.trim() ?? ''}, ${Math.round(totalmem() / 1024 ** 3)} GB`,
  };
}

/** The commit that is checked out, and whether anything but the report itself differs from it. */
function commit(): string {
  const git = (...words: string[]) => execFileSync('git', words, { encoding: 'utf8' }).trim();
  const changed = git(
    'status',
    '--porcelain',
    '--',
    ':/',
    ...['md', 'json'].map((end) => `:(top,exclude)test/bench/report.${end}`),
  );
  return git('rev-parse', '--short', 'HEAD') + (changed === '' ? '' : ' with changes');
}

/**
 * Writes report.md and report.json into a folder and answers it: beside this file when that is asked for (`--write`),
 * else among the system's temporary files, so that a run leaves the working tree as it was.
 */
export function writeReport(sections: Report, context: BenchContext): string {
  const folder = folderOf(context);
  mkdirSync(folder, { recursive: true });
  const versions = {
    ...packageFile.dependencies,
    ...packageFile.optionalDependencies,
    fauxqs: packageFile.devDependencies.fauxqs,
  };
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify({ sections, versions }, null, 2)}\n`);
  const lines = [
    '# Bench',
    '',
    'Local engines, everything on one machine. Compare ratios and counts first: a time is of the machine and of its hour.',
    ...Object.values(sections).flatMap(sectionLines),
    '',
    '## Versions',
    '',
    ...Object.entries(versions).map(([name, version]) => `- ${name} ${version}`),
  ];
  writeFileSync(join(folder, 'report.md'), `${lines.join('\n')}\n`);
  return folder;
}

function sectionLines({ title, head, rows, run }: Report[string]): string[] {
  return [
    '',
    `## ${title}`,
    '',
    `${run.quick ? 'Quick' : 'Full'} run, ${run.date}, commit ${run.commit}. ${run.machine}.`,
    ...(head ? ['', head] : []),
    '',
    '| what | measured | budget | |',
    '|---|---|---|---|',
    ...rows.map(
      ({ what, measured, budget = '', ok }) =>
        `| ${what} | ${measured} | ${budget} | ${ok === undefined ? '' : ok ? 'kept' : '**missed**'} |`,
    ),
  ];
}
