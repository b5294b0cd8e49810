import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Actor } from '../../../shared/services/context.ts';
import { contextOf, operatorContext } from './context.ts';

const commands = join(import.meta.dirname, '..', '..', '..', 'functions', 'cli', 'commands');
const key = { kind: 'key', keyId: 'key_1', keyName: 'Site', lastFour: 'abcd', scopes: [] } as const;
const otherOperator = { ...operatorContext().actor, workspaceId: 'ws_2' };
/** They return only what the operator may see. */
const verbsOfNoWorkspace = ['listWorkspaces'];
/** Behind verbs of the API (scheduleByTime, createSender, updateForm, …), whose scope stands for the role. */
const verbsBehindKeys = [
  ...['scheduleCampaign', 'addSender', 'setForm', 'addDomain', 'verifyDomain', 'removeDomain'],
  // A key begins a job, which calls these in the key's name.
  ...['erasePerson', 'exportPerson', 'exportSubscribers'],
];
const others: Actor[] = [key, { kind: 'person' }, { kind: 'system' }];

/** What a module of the command line imports, by source file, without types. */
function importsOf(file: string): { path: string; names: string[] }[] {
  const statements = readFileSync(file, 'utf8').matchAll(/^import (?!type )\{([^}]*)\} from '([^']+)';/gm);
  return [...statements].map(([, names = '', from = '']) => ({
    path: resolve(dirname(file), from),
    names: names.split(',').flatMap((name) => (/^\s*type /.test(name) || !name.trim() ? [] : [name.trim()])),
  }));
}

const files = [
  ...globSync('**/*.ts', { cwd: commands }).map((name) => join(commands, name)),
  join(commands, '..', 'command.ts'),
];
const imports = files.flatMap(importsOf);
const api = join(commands, '..', '..', 'api');
/** What the API offers too is guarded by its scope: `test/contract` tries each. */
const calledByKeys = new Set(
  globSync('**/*.ts', { cwd: api }).flatMap((name) =>
    importsOf(join(api, name)).flatMap(({ path, names }) => names.map((verb) => `${path} ${verb}`)),
  ),
);
const verbs = imports
  .filter(({ path }) => path.includes('/shared/services/'))
  .flatMap(({ path, names }) => names.map((name) => [name, path] as const))
  .filter(([name, path]) => !calledByKeys.has(`${path} ${name}`));

describe('what the command line does', () => {
  it('is done by verbs, never by the store', () => {
    expect(verbs.length).toBeGreaterThan(20);
    expect(imports.filter(({ path }) => path.includes('/shared/store/'))).toEqual([]);
  });

  it.each(verbs)('%s is refused for a key, a person with a link and a worker', async (name, path) => {
    const verb = (await import(path))[name];
    if (verbsBehindKeys.includes(name)) return;
    for (const actor of others) {
      const called = async () => {
        const answer = await verb({ ...contextOf('ws_1'), actor }, {});
        return answer?.[Symbol.asyncIterator] ? answer.next() : answer;
      };
      await expect(called()).rejects.toMatchObject({
        code: 'insufficient_scope',
        text: { en: 'Only an operator may do this.' },
      });
    }
  });

  it.each(verbs)('%s is refused for an operator of another workspace', async (name, path) => {
    const verb = (await import(path))[name];
    const called = async () => {
      const answer = await verb({ ...contextOf('ws_1'), actor: otherOperator }, { workspaceId: 'ws_1' });
      return answer?.[Symbol.asyncIterator] ? answer.next() : answer;
    };
    if (verbsOfNoWorkspace.includes(name)) return;
    await expect(called()).rejects.toMatchObject({ code: 'insufficient_scope' });
  });
});
