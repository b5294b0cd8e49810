import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import type { CommandGroup } from './command.ts';
import { addCompletion } from './completion.ts';

/** The program with the commands that these words need. */
export async function createProgram(words: readonly string[]): Promise<Command> {
  const program = new Command('mailroom')
    .description('Manage a Mailroom deployment: workspaces, keys, domains, senders, people and their mail.')
    .option('--json', 'print JSON for machines', false)
    .option('--data <folder>', 'folder of the local data', '.mailroom')
    .option('--stack <name>', 'use a deployed stack, with your AWS credentials, instead of the local data')
    .option(
      '--region <region>',
      'AWS region of the stack (default: the one in its settings, else in your AWS configuration)',
    )
    .option(
      '--settings <file>',
      'settings file of the stack, for its region (default: mailroom.settings.json, if it exists)',
    )
    .version(versionOf(), '--version', 'print the version')
    .exitOverride();
  for (const addCommands of await groupsFor(words)) addCommands(program);
  addCompletion(program);
  return program;
}

function versionOf(): string {
  const file = join(import.meta.dirname, '..', '..', 'package.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** All command groups, in the order of the help. Each is loaded only when it is needed. */
const groups: Readonly<Record<string, () => Promise<CommandGroup>>> = {
  workspace: async () => (await import('./commands/workspace.ts')).workspaceCommands,
  use: async () => (await import('./commands/workspace.ts')).useCommands,
  key: async () => (await import('./commands/key.ts')).keyCommands,
  domain: async () => (await import('./commands/domain.ts')).domainCommands,
  sender: async () => (await import('./commands/sender.ts')).senderCommands,
  plan: async () => (await import('./commands/workspace.ts')).planCommands,
  tracking: async () => (await import('./commands/workspace.ts')).trackingCommands,
  topic: async () => (await import('./commands/topic.ts')).topicCommands,
  cap: async () => (await import('./commands/cap.ts')).capCommands,
  form: async () => (await import('./commands/form.ts')).formCommands,
  brand: async () => (await import('./commands/brand.ts')).brandCommands,
  sending: async () => (await import('./commands/sending.ts')).sendingCommands,
  restore: async () => (await import('./commands/restore.ts')).restoreCommands,
  subscriber: async () => (await import('./commands/subscriber.ts')).subscriberCommands,
  person: async () => (await import('./commands/person.ts')).personCommands,
  event: async () => (await import('./commands/event.ts')).eventCommands,
  job: async () => (await import('./commands/job.ts')).jobCommands,
  email: async () => (await import('./commands/email.ts')).emailCommands,
  template: async () => (await import('./commands/template.ts')).templateCommands,
  segment: async () => (await import('./commands/segment.ts')).segmentCommands,
  campaign: async () => (await import('./commands/campaign.ts')).campaignCommands,
  automation: async () => (await import('./commands/automation.ts')).automationCommands,
  suppression: async () => (await import('./commands/suppression.ts')).suppressionCommands,
  webhook: async () => (await import('./commands/webhook.ts')).webhookCommands,
  account: async () => (await import('./commands/sending.ts')).accountCommands,
  operator: async () => (await import('./commands/operator.ts')).operatorCommands,
  audit: async () => (await import('./commands/audit.ts')).auditCommands,
  queue: async () => (await import('./commands/queue.ts')).queueCommands,
  doctor: async () => (await import('./commands/doctor.ts')).doctorCommands,
  clock: async () => (await import('./commands/clock.ts')).clockCommands,
  throttle: async () => (await import('./commands/throttle.ts')).throttleCommands,
  secret: async () => (await import('./commands/key.ts')).secretCommands,
};

/** Former names of groups, which scripts may use. */
const aliases: ReadonlyMap<string, string> = new Map([['kind', 'topic']]);

/** The group that the words begin with, or all groups, for the help and for suggestions after a typing error. */
function groupsFor([first = '']: readonly string[]): Promise<CommandGroup[]> {
  const name = aliases.get(first) ?? first;
  const named = Object.hasOwn(groups, name) ? groups[name] : undefined;
  return Promise.all((named ? [named] : Object.values(groups)).map((load) => load()));
}
