import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import packageFile from '../../package.json' with { type: 'json' };
import type { Consumption } from './costs/consumption.ts';

export interface Row {
  readonly what: string;
  readonly measured: string;
  /** Of the design, if it has one. */
  readonly budget?: string;
  readonly ok?: boolean;
}

export interface Section {
  readonly title: string;
  /** The conditions of its rows, and what they leave out. */
  readonly head?: string;
  readonly rows: readonly Row[];
  /** All figures, for programs. */
  readonly figures: unknown;
  /** For the cost sheet. */
  readonly consumption?: readonly Consumption[];
}

export interface BenchContext {
  readonly quick: boolean;
  /** Whether the sections replace those of the committed report. */
  readonly write: boolean;
}

/** When a section was measured, on which machine and commit. */
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

/** The committed report, so that one section can be measured again alone; empty without `--write`. */
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

/** The checked out commit, and whether anything but the report differs from it. */
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
 * Writes report.md and report.json and answers their folder: this one with `--write`, otherwise a temporary one, so that
 * a run does not change the working tree.
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
    'Local engines, everything on one machine. Compare counts and ratios first: times depend on the machine and its load.',
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
