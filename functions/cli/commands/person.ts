import { showUnsubscribeLink } from '../../../shared/services/preferences/preferences.ts';
import { erasePerson } from '../../../shared/services/rights/erasePerson.ts';
import { exportPerson } from '../../../shared/services/rights/exportPerson.ts';
import { action, type CommandGroup, inWorkspace, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { isAtTerminal, isConfirmed, yesFlag } from '../confirmation.ts';
import { addressText } from '../input.ts';
import { type CommandOutput, fields, writeToFile, writeToStdout } from '../output.ts';
import { createProgressBar } from '../progressBar.ts';
import { keepMemorySteady } from '../steadyMemory.ts';

export const personCommands: CommandGroup = (program) => {
  const group = program.command('person').description('the rights of a person: their stored data, and erasure');
  group
    .command('export')
    .description('write everything that a workspace stores about an address, as JSON')
    .argument('<address>', 'the address', addressText)
    .option('--out <file>', 'the file, which appears when it is complete')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { out?: string }>(exportOne));
  group
    .command('link')
    .description('print the unsubscribe link of an address; anybody who has the link can use it')
    .argument('<address>', 'the address', addressText)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(link));
  group
    .command('erase')
    .description('erase an address from a workspace; a salted hash remains, so that no more mail is sent to it')
    .argument('<address>', 'the address', addressText)
    .option(...yesFlag)
    .option(...workspaceFlag)
    .action(action<EraseOptions>(erase));
};

async function exportOne(options: WorkspaceOption & { out?: string }, email = ''): Promise<CommandOutput | null> {
  keepMemorySteady();
  const pieces = exportPerson(await inWorkspace(options), { email });
  if (options.out === undefined) {
    await writeToStdout(pieces);
    return null;
  }
  const records = await writeToFile(pieces, options.out);
  return {
    json: { object: 'export', file: options.out, format: 'json', records },
    text: `Exported the stored data of ${email} to ${options.out}. Other records that contain the address: ${records}.`,
  };
}

async function link(options: WorkspaceOption, email = ''): Promise<CommandOutput> {
  const url = await showUnsubscribeLink(await inWorkspace(options), { email });
  return { json: { object: 'unsubscribe_link', email, url }, text: url };
}

interface EraseOptions extends WorkspaceOption {
  readonly yes: boolean;
}

async function erase(options: EraseOptions, email = ''): Promise<CommandOutput> {
  const context = await inWorkspace(options);
  const question = `Erase everything that is stored about ${email}? This cannot be undone.`;
  if (!options.yes && isAtTerminal() && !(await isConfirmed(question))) throw new Error('Nothing was erased.');
  const bar = await createProgressBar();
  const report = ({ scanned, records }: { readonly scanned: number; readonly records: number }) =>
    bar.update(scanned, scanned, `${scanned} items read, ${records} changed`);
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
      ['Replaced by', erased.alias],
      ['Suppressed for', erased.reason],
    ]),
  };
}
