import { Option } from 'commander';
import { type ExportFormat, exportFormats } from '../../../shared/domain/person/exportFormat.ts';
import { type SubscriberStatus, subscriberStatuses } from '../../../shared/domain/person/subscriber.ts';
import { exportSubscribers } from '../../../shared/services/exports/run.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace } from '../context.ts';
import { runImport } from '../importFile.ts';
import type { Output } from '../output.ts';
import { writeToFile, writeToStdout } from '../pieces.ts';
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
    .argument(
      '<file>',
      'columns email, firstName, lastName, tags, fields.NAME; or an export of Mailchimp, listmonk, Resend',
    )
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
  const { consentGiven, ignoreUnknown, restart } = options;
  return runImport(await inWorkspace(options), { file, consentGiven, ignoreUnknown, restart });
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
