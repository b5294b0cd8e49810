import { InvalidArgumentError } from 'commander';
import { type Scope, scopeNames } from '../../../shared/contract/scopes.ts';
import { createKey } from '../../../shared/services/keys/create.ts';
import { listKeys } from '../../../shared/services/keys/list.ts';
import { revokeKey } from '../../../shared/services/keys/revoke.ts';
import { action, commaList, type Noun, nameText, type WorkspaceOption, workspaceFlag } from '../action.ts';
import { inWorkspace } from '../context.ts';
import { fields, type Output, table } from '../output.ts';

export const keyNoun: Noun = (program) => {
  const noun = program.command('key').description('API keys; the full key is shown once, when it is made');
  noun
    .command('create')
    .description('make a key')
    .argument('<name>', 'what it is for', nameText)
    .requiredOption('--scopes <list>', `what it may do, with commas, or "all": ${scopeNames.join(', ')}`, scopeList)
    .option(...workspaceFlag)
    .action(action<WorkspaceOption & { scopes: Scope[] }>(create));
  noun
    .command('list')
    .description('show the keys of a workspace')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(list));
  noun
    .command('revoke')
    .description('end a key, from its next call on')
    .argument('<id>', 'the identifier of the key, not the key')
    .option(...workspaceFlag)
    .action(action<WorkspaceOption>(revoke));
};

function scopeList(text: string): Scope[] {
  if (text === 'all') return [...scopeNames];
  const names = [...new Set(commaList(text))];
  const unknown = names.filter((name) => !scopeNames.includes(name as Scope));
  if (unknown.length > 0)
    throw new InvalidArgumentError(
      `There is no scope ${unknown.join(', ')}. There are: ${scopeNames.join(', ')}, or "all" alone.`,
    );
  return names as Scope[];
}

async function create(options: WorkspaceOption & { scopes: Scope[] }, name = ''): Promise<Output> {
  const created = await createKey(await inWorkspace(options), { name, scopes: options.scopes });
  const shown = fields([
    ['Key', created.key],
    ['Id', created.id],
    ['Name', created.name],
    ['Scopes', created.scopes.join(', ')],
  ]);
  return {
    json: created,
    text: `${shown}\n\nKeep the key now: it is not stored and cannot be shown again.`,
  };
}

async function list(options: WorkspaceOption): Promise<Output> {
  const keys = await listKeys(await inWorkspace(options));
  return {
    json: { object: 'list', data: keys },
    text: table(
      ['id', 'name', 'ends in', 'scopes', 'created', 'last used', 'revoked'],
      keys.map((key) => [
        key.id,
        key.name,
        key.last_four,
        key.scopes.join(','),
        key.created_at,
        key.last_used_at,
        key.revoked_at,
      ]),
      'There is no key yet.',
    ),
  };
}

async function revoke(options: WorkspaceOption, id = ''): Promise<Output> {
  const key = await revokeKey(await inWorkspace(options), { id });
  return { json: key, text: `Revoked ${key.id} (${key.name}), which ended in ${key.last_four}.` };
}
