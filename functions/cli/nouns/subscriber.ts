import { createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Option } from 'commander';
import { type ExportFormat, exportFormats } from '../../../shared/domain/person/exportFormat.ts';
import { type SubscriberStatus, subscriberStatuses } from '../../../shared/domain/person/subscriber.ts';
import { now } from '../../../shared/platform/clock.ts';
import { type ExportPiece, exportSubscribers } from '../../../shared/services/exports/run.ts';
import { importSubscribers } from '../../../shared/services/imports/run.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace } from '../context.ts';
import { fields, type Output } from '../output.ts';
import { createProgressBar } from '../progressBar.ts';
import { keepMemorySteady } from '../steadyMemory.ts';
import { addPeopleCommands } from './people.ts';

interface ImportFlags extends WorkspaceOption {
  readonly consentGiven: boolean;
  readonly ignoreUnknown: boolean;
  readonly restart: boolean;
}

interface ExportFlags extends WorkspaceOption {
  readonly format: ExportFormat;
  readonly status?: SubscriberStatus;
  readonly segment?: string;
  readonly out?: string;
}

export const subscriberNoun: Noun = (program) => {
  const noun = program.command('subscriber').description('the people of a workspace');
  addPeopleCommands(noun);
  noun
    .command('import')
    .description('add or update the people of a CSV file; run it again when it was interrupted')
    .argument('<file>', 'columns email, firstName, lastName, tags, fields.NAME; only email is required')
    .option('--consent-given', 'you answer for their consent: they are subscribed without being asked', false)
    .option('--ignore-unknown', 'leave out columns that an import does not know', false)
    .option('--restart', 'begin anew after an interrupted import of the file', false)
    .option(...workspaceFlag)
    .action(action<ImportFlags>(importFile));
  noun
    .command('export')
    .description('write the people of a workspace to stdout or to a file')
    .addOption(new Option('--format <format>', 'csv, or one JSON record a line').choices(exportFormats).default('csv'))
    .addOption(new Option('--status <status>', 'only subscribers of this status').choices(subscriberStatuses))
    .addOption(
      new Option('--segment <segment>', 'only whom a campaign to this segment would reach').conflicts('status'),
    )
    .option('--out <file>', 'the file; it appears when it is whole')
    .option(...workspaceFlag)
    .action(action<ExportFlags>(exportPeople));
};

async function importFile(options: ImportFlags, file = ''): Promise<Output> {
  const context = await inWorkspace(options);
  const bar = await createProgressBar();
  keepMemorySteady();
  const began = now().getTime();
  const { consentGiven, ignoreUnknown, restart } = options;
  const wanted = { file, consentGiven, ignoreUnknown, restart };
  const report = await importSubscribers(context, wanted, (progress, bytes) =>
    bar.update(bytes.done, bytes.total, `${progress.rows} lines, ${progress.refused} refused`),
  ).finally(() => bar.stop());
  const seconds = (now().getTime() - began) / 1000;
  const perSecond = Math.round((report.rows - report.resumedAfter) / Math.max(seconds, 0.001));
  return {
    json: {
      object: 'import',
      lines: report.rows,
      added: report.added,
      updated: report.updated,
      refused: report.refused,
      refused_file: report.refusedFile,
      resumed_after: report.resumedAfter,
      lines_per_second: perSecond,
    },
    text: fields([
      ['Lines', report.resumedAfter > 0 ? `${report.rows}, ${report.resumedAfter} of them before` : report.rows],
      ['Added', report.added],
      ['Updated', report.updated],
      ['Refused', report.refusedFile ? `${report.refused}, listed in ${report.refusedFile}` : 0],
      ['Rate', `${perSecond} a second`],
    ]),
  };
}

async function exportPeople(options: ExportFlags): Promise<Output | null> {
  keepMemorySteady();
  const { format, status, segment, out } = options;
  const pieces = exportSubscribers(await inWorkspace(options), { format, status, segment });
  if (out === undefined) {
    await writeToStdout(pieces);
    return null;
  }
  const people = await writeToFile(pieces, out);
  return {
    json: { object: 'export', file: out, format, people },
    text: `Exported ${people} people to ${out}.`,
  };
}

/** Whoever reads may have seen enough: `| head` is no failure. */
async function writeToStdout(pieces: AsyncIterable<ExportPiece>): Promise<void> {
  try {
    await write(pieces, process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** Under another name until it is whole, readable by its owner only: it holds people. */
async function writeToFile(pieces: AsyncIterable<ExportPiece>, file: string): Promise<number> {
  const draft = `${file}.partial`;
  try {
    const people = await write(pieces, createWriteStream(draft, { mode: 0o600 }), { end: true });
    renameSync(draft, file);
    return people;
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

async function write(pieces: AsyncIterable<ExportPiece>, target: Writable, options: { end: boolean }): Promise<number> {
  let written = 0;
  const texts = async function* () {
    for await (const { text, people } of pieces) {
      written += people;
      if (text !== '') yield text;
    }
  };
  await pipeline(Readable.from(texts()), target, options);
  return written;
}
