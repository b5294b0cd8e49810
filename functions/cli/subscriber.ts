import { now } from '../../shared/platform/clock.ts';
import { importSubscribers } from '../../shared/services/imports/run.ts';
import { findWorkspace } from '../../shared/services/workspaces/find.ts';
import { action, type Noun, type WorkspaceOption, workspaceFlag } from './action.ts';
import { fields, type Output } from './output.ts';
import { createProgressBar } from './progressBar.ts';

interface ImportFlags extends WorkspaceOption {
  readonly consentGiven: boolean;
  readonly ignoreUnknown: boolean;
  readonly restart: boolean;
}

export const subscriberNoun: Noun = (program) => {
  const noun = program.command('subscriber').description('the people of a workspace, many at a time');
  noun
    .command('import')
    .description('add or update the people of a CSV file; run it again when it was interrupted')
    .argument('<file>', 'columns email, firstName, lastName, tags, fields.NAME; only email is required')
    .option('--consent-given', 'you answer for their consent: they are subscribed without being asked', false)
    .option('--ignore-unknown', 'leave out columns that an import does not know', false)
    .option('--restart', 'begin anew after an interrupted import of the file', false)
    .option(...workspaceFlag)
    .action(action<ImportFlags>(importFile));
};

async function importFile(options: ImportFlags, file = ''): Promise<Output> {
  const workspace = await findWorkspace(options.workspace);
  const bar = await createProgressBar();
  const began = now().getTime();
  const { consentGiven, ignoreUnknown, restart } = options;
  const report = await importSubscribers({ workspace, file, consentGiven, ignoreUnknown, restart }, (progress, bytes) =>
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
