import { InvalidArgumentError } from 'commander';
import { type Scope, scopeNames } from '../../../shared/contract/scopes.ts';
import { now } from '../../../shared/platform/clock.ts';
import { createKey } from '../../../shared/services/keys/create.ts';
import { revokeKey } from '../../../shared/services/keys/revoke.ts';
import { findWorkspace } from '../../../shared/services/workspaces/find.ts';
import { type ApiKey, listApiKeys } from '../../../shared/store/workspace/apiKeys.ts';
import { action, commaList, type Noun, nameText, type WorkspaceOption, workspaceFlag } from '../action.ts';
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
  if (unknown.length > 0) throw new InvalidArgumentError(`There is no scope ${unknown.join(', ')}.`);
  return names as Scope[];
}

async function create(options: WorkspaceOption & { scopes: Scope[] }, name = ''): Promise<Output> {
  const { id: workspaceId } = await findWorkspace(options.workspace);
  const { key, record } = await createKey({ workspaceId, name, scopes: options.scopes }, now());
  const shown = fields([
    ['Key', key],
    ['Id', record.keyId],
    ['Name', record.keyName],
    ['Scopes', record.scopes.join(', ')],
  ]);
  return {
    json: { ...recordOf({ ...record, revokedAt: null }), key },
    text: `${shown}\n\nKeep the key now: it is not stored and cannot be shown again.`,
  };
}

async function list(options: WorkspaceOption): Promise<Output> {
  const { id } = await findWorkspace(options.workspace);
  const keys = await listApiKeys(id);
  return {
    json: { object: 'list', data: keys.map(recordOf) },
    text: table(
      ['id', 'name', 'ends in', 'scopes', 'created', 'revoked'],
      keys.map((key) => [key.keyId, key.keyName, key.lastFour, key.scopes.join(','), key.createdAt, key.revokedAt]),
      'There is no key yet.',
    ),
  };
}

async function revoke(options: WorkspaceOption, keyId = ''): Promise<Output> {
  const { id } = await findWorkspace(options.workspace);
  const key = await revokeKey(id, keyId, now());
  return { json: recordOf(key), text: `Revoked ${key.keyId} (${key.keyName}), which ended in ${key.lastFour}.` };
}

function recordOf(key: ApiKey) {
  return {
    object: 'key',
    id: key.keyId,
    name: key.keyName,
    last_four: key.lastFour,
    scopes: key.scopes,
    workspace_id: key.workspaceId,
    created_at: key.createdAt,
    revoked_at: key.revokedAt,
  };
}
