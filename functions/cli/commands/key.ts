import { InvalidArgumentError } from 'commander';
import { type Scope, scopeNames } from '../../../shared/contract/scopes.ts';
import { createKey, listKeys, revokeKey } from '../../../shared/services/keys.ts';
import { rotateSecret } from '../../../shared/services/serviceSecret.ts';
import { action, type CommandGroup, inWorkspace, operator, type WorkspaceOption, workspaceFlag } from '../command.ts';
import { commaList, nameText } from '../input.ts';
import { type CommandOutput, fields, table } from '../output.ts';

export const keyCommands: CommandGroup = (program) => {
  const group = program.command('key').description('API keys; a key is shown only once, when it is created');
  group
    .command('create')
    .description('create a key')
    .argument('<name>', 'what it is for', nameText)
    .requiredOption('--scopes <list>', `its scopes, separated by commas, or "all": ${scopeNames.join(', ')}`, scopeList)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { scopes: Scope[] }>(create));
  group
    .command('list')
    .description('show the keys of a workspace')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(list));
  group
    .command('revoke')
    .description('revoke a key, from its next request on')
    .argument('<id>', 'the identifier of the key, not the key itself')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(revoke));
};

function scopeList(text: string): Scope[] {
  if (text === 'all') return [...scopeNames];
  const names = [...new Set(commaList(text))];
  const unknown = names.filter((name) => !scopeNames.includes(name as Scope));
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `There is no scope ${unknown.join(', ')}. Choose from ${scopeNames.join(', ')}, or give only "all".`,
    );
  return names as Scope[];
}

async function create(options: WorkspaceOption & { scopes: Scope[] }, name = ''): Promise<CommandOutput> {
  const created = await createKey(await inWorkspace(options), { name, scopes: options.scopes });
  const shown = fields([
    ['Key', created.key],
    ['Id', created.id],
    ['Name', created.name],
    ['Scopes', created.scopes.join(', ')],
  ]);
  return {
    json: created,
    text: `${shown}\n\nSave the key now: it is not stored and cannot be shown again.`,
  };
}

async function list(options: WorkspaceOption): Promise<CommandOutput> {
  const keys = await listKeys(await inWorkspace(options));
  return {
    json: { object: 'list', data: keys },
    text: table(
      ['id', 'name', 'ends in', 'scopes', 'made by', 'created', 'last used', 'expires', 'revoked'],
      keys.map((key) => [
        key.id,
        key.name,
        key.last_four,
        key.scopes.join(','),
        key.parent_id,
        key.created_at,
        key.last_used_at,
        key.expires_at,
        key.revoked_at,
      ]),
      'There is no key yet.',
    ),
  };
}

async function revoke(options: WorkspaceOption, id = ''): Promise<CommandOutput> {
  const key = await revokeKey(await inWorkspace(options), { id });
  return {
    json: key,
    text: `Revoked ${key.id} (${key.name}), which ended in ${key.last_four}, and every key that it made.`,
  };
}

export const secretCommands: CommandGroup = (program) => {
  const group = program
    .command('secret')
    .description('the secret that signs links and cursors and encrypts webhook secrets');
  group
    .command('rotate')
    .description('create new secrets; what earlier ones signed or encrypted stays valid')
    .action(action(rotate));
};

async function rotate(): Promise<CommandOutput> {
  const secret = await rotateSecret(operator());
  const earlier = secret.earlier_secrets;
  return {
    json: secret,
    text: [
      'A new service secret is in use; every function reads it within five minutes.',
      `${earlier} earlier ${earlier === 1 ? 'secret is' : 'secrets are'} kept, so that links in sent mail stay valid.`,
      'Next, to encrypt stored webhook secrets with the new one: webhook reseal.',
    ].join('\n'),
  };
}
