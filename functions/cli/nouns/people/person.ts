import { showLeaveLink } from '../../../../shared/services/preferences/showLink.ts';
import { erasePerson } from '../../../../shared/services/rights/erase.ts';
import { exportPerson } from '../../../../shared/services/rights/export.ts';
import { action, addressText, type Noun, type WorkspaceOption, workspaceFlag } from '../../action.ts';
import { inWorkspace } from '../../context.ts';
import { fields, type Output } from '../../output.ts';
import { writeToFile, writeToStdout } from '../../pieces.ts';
import { createProgressBar } from '../../progressBar.ts';
import { keepMemorySteady } from '../../steadyMemory.ts';

export const personNoun: Noun = (program) => {
  const noun = program.command('person').description('what somebody may ask of you: to see what is held, to be erased');
  noun
    .command('export')
    .description('write everything that a workspace holds about an address, as JSON')
    .argument('<address>', 'the address', addressText)
    .option('--out <file>', 'the file; it appears when it is whole')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { out?: string }>(exportOne));
  noun
    .command('link')
    .description('print the link by which an address leaves the workspace; whoever has it can do so')
    .argument('<address>', 'the address', addressText)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(link));
  noun
    .command('erase')
    .description('erase an address from a workspace; what stays is a salted hash that keeps it from being written to')
    .argument('<address>', 'the address', addressText)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(erase));
};

async function exportOne(options: WorkspaceOption & { out?: string }, email = ''): Promise<Output | null> {
  keepMemorySteady();
  const pieces = exportPerson(await inWorkspace(options), { email });
  if (options.out === undefined) {
    await writeToStdout(pieces);
    return null;
  }
  const records = await writeToFile(pieces, options.out);
  return {
    json: { object: 'export', file: options.out, format: 'json', records },
    text: `Exported what is stored of ${email} to ${options.out}; other records that name it: ${records}.`,
  };
}

async function link(options: WorkspaceOption, email = ''): Promise<Output> {
  const url = await showLeaveLink(await inWorkspace(options), { email });
  return { json: { object: 'unsubscribe_link', email, url }, text: url };
}

async function erase(options: WorkspaceOption, email = ''): Promise<Output> {
  const context = await inWorkspace(options);
  const bar = await createProgressBar();
  const report = ({ scanned, records }: { readonly scanned: number; readonly records: number }) =>
    bar.update(scanned, scanned, `${scanned} items looked at, ${records} changed`);
  const erased = await erasePerson(context, { email }, { report }).finally(() => bar.stop());
  return {
    json: {
      object: 'person',
      erased: true,
      alias: erased.alias,
      suppressed: true,
      reason: erased.reason,
      records: erased.records,
    },
    text: fields([
      ['Erased', email],
      ['Other records changed', erased.records],
      ['Called from now on', erased.alias],
      ['Suppressed for', erased.reason],
    ]),
  };
}
