import { setTimeout as wait } from 'node:timers/promises';
import { releaseSending } from '../../../shared/services/changeSendingHold.ts';
import { beginRestoring } from '../../../shared/services/restore/beginRestore.ts';
import { type CheckedRestore, checkRestored } from '../../../shared/services/restore/checkRestored.ts';
import { action, type CommandGroup, type GlobalOptions, operator } from '../command.ts';
import { timeOf } from '../input.ts';
import { type CommandOutput, fields, table } from '../output.ts';

interface BeginOptions {
  readonly to: Date;
}

interface CheckOptions {
  readonly point?: Date;
  readonly from?: string;
  readonly former: boolean;
}

export const restoreCommands: CommandGroup = (program) => {
  const group = program
    .command('restore')
    .description('go back to an earlier state of the table without sending anything twice');
  group
    .command('begin')
    .description('hold all sending and make a table of a point in time, in which sending is held too')
    .requiredOption('--to <time>', 'the point in time: ISO 8601 with an offset', instant)
    .action(action<BeginOptions>(begin));
  group
    .command('check')
    .description(
      'take over what people decided and what was sent after that point; run it once the new table is deployed',
    )
    .option('--point <time>', 'the time that the table shows, if "restore begin" did not make it', instant)
    .option('--from <table>', 'the table that was used until now, if "restore begin" did not note it')
    .option('--no-former', 'that table can no longer be read: what it alone knows counts as unknown')
    .action(action<CheckOptions>(check));
  group.command('release').description('release the hold after the check').action(action(release));
};

const instant = (text: string): Date => timeOf(text, undefined).at;

const pollMilliseconds = 10_000;

/** DynamoDB makes the table in the background: this waits for it, and may be ended and run again. */
async function begin({ to, stack }: BeginOptions & GlobalOptions): Promise<CommandOutput> {
  // Before anything is held.
  if (!stack)
    throw new Error(
      'Only a deployed table has backups: name its stack with --stack. On a laptop, copy the data folder.',
    );
  let restore = await beginRestoring(operator(), { point: to });
  while (restore.state !== 'ready') {
    process.stderr.write(`DynamoDB is making ${restore.table}…\n`);
    await wait(pollMilliseconds);
    restore = await beginRestoring(operator(), { point: to });
  }
  const lines = [
    `${restore.table} shows ${restore.point}. All sending is held in it.`,
    restore.hold_failed !== null &&
      `Sending could NOT be held in ${restore.from}: ${restore.hold_failed} Deploy with "sending": "held" at once.`,
    'Next:',
    `1. "tableName": "${restore.table}" in the settings, then npm run deploy.`,
    '2. mailroom restore check',
    '3. mailroom restore release',
  ];
  return { json: restore, text: lines.filter((line) => line !== false).join('\n') };
}

async function check({ point, from, former }: CheckOptions): Promise<CommandOutput> {
  const checked = await checkRestored(operator(), { point, from, withoutFormer: !former });
  return { json: checked, text: checkedText(checked) };
}

function checkedText(checked: CheckedRestore): string {
  const { scheduled_emails: scheduled, confirmations } = checked;
  const counts = fields([
    ['People who decided against mail', checked.people],
    ['Erased again', checked.erased],
    ['Added to the platform’s list', checked.platform_suppressions],
    ['Records of sent mail', checked.sent_records],
    ['API keys revoked', checked.api_keys_revoked],
    ['Scheduled emails kept', scheduled.kept],
    ['  sent or canceled since', scheduled.sent + scheduled.canceled],
    ['  unknown, not sent', scheduled.unknown],
    ['Confirmations kept', confirmations.kept],
    ['  unknown, not sent', confirmations.unknown],
  ]);
  const campaigns = table(
    ['campaign', 'workspace', 'name', 'is now', 'unknown people'],
    checked.campaigns.map(({ id, workspace_id, name, state, uncertain }) => [id, workspace_id, name, state, uncertain]),
    'No campaign needs a decision.',
  );
  const decisions = checked.campaigns.some(({ state }) => state === 'paused')
    ? '"campaign resume" sends a paused campaign to those who have certainly not received it; "campaign cancel" ends it.'
    : null;
  return [counts, campaigns, decisions, 'Next: mailroom restore release'].filter((part) => part !== null).join('\n\n');
}

async function release(): Promise<CommandOutput> {
  const sending = await releaseSending(operator());
  return { json: sending, text: sending.changed ? 'Sending continues.' : 'Sending was not held: nothing changed.' };
}
