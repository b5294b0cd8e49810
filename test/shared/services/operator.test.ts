import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Actor } from '../../../shared/services/context.ts';
import { contextOf, operatorContext } from './context.ts';

const nouns = join(import.meta.dirname, '..', '..', '..', 'functions', 'cli', 'nouns');
const key = { kind: 'key', keyId: 'key_1', keyName: 'Site', lastFour: 'abcd', scopes: [] } as const;
const stranger = { ...operatorContext().actor, workspaceId: 'ws_2' };
/** They answer with what the operator may see, and nothing else. */
const verbsOfNoWorkspace = ['listWorkspaces'];
const others: Actor[] = [key, { kind: 'person' }, { kind: 'system' }];

/** What a module of the command line imports, by the file that it comes from; types are left out. */
function importsOf(file: string): { path: string; names: string[] }[] {
  const statements = readFileSync(file, 'utf8').matchAll(/^import (?!type )\{([^}]*)\} from '([^']+)';/gm);
  return [...statements].map(([, names = '', from = '']) => ({
    path: resolve(dirname(file), from),
    names: names.split(',').flatMap((name) => (/^\s*type /.test(name) || !name.trim() ? [] : [name.trim()])),
  }));
}

const files = [
  ...globSync('**/*.ts', { cwd: nouns }).map((name) => join(nouns, name)),
  join(nouns, '..', 'context.ts'),
];
const imports = files.flatMap(importsOf);
const api = join(nouns, '..', '..', 'api');
const calledByKeys = new Set(
  globSync('**/*.ts', { cwd: api }).flatMap((name) => importsOf(join(api, name)).map(({ path }) => path)),
);
/** What the API offers too is guarded by its scope: `test/contract` tries each. */
const verbs = imports.filter(({ path }) => path.includes('/shared/services/') && !calledByKeys.has(path));

describe('what the command line does', () => {
  it('it does by verbs, never by the stores', () => {
    expect(verbs.length).toBeGreaterThan(20);
    expect(imports.filter(({ path }) => path.includes('/shared/store/'))).toEqual([]);
  });

  it.each(verbs.flatMap(({ path, names }) => names.map((name) => [name, path] as const)))(
    '%s is refused to a key, a person with a link and a worker',
    async (name, path) => {
      const verb = (await import(path))[name];
      for (const actor of others) {
        const asked = async () => {
          const answer = await verb({ ...contextOf('ws_1'), actor }, {});
          return answer?.[Symbol.asyncIterator] ? answer.next() : answer;
        };
        await expect(asked()).rejects.toMatchObject({
          code: 'insufficient_scope',
          text: { en: 'Only the operator may do this.' },
        });
      }
    },
  );

  it.each(verbs.flatMap(({ path, names }) => names.map((name) => [name, path] as const)))(
    '%s is refused to an operator of another workspace',
    async (name, path) => {
      const verb = (await import(path))[name];
      const asked = async () => {
        const answer = await verb({ ...contextOf('ws_1'), actor: stranger }, { workspaceId: 'ws_1' });
        return answer?.[Symbol.asyncIterator] ? answer.next() : answer;
      };
      if (verbsOfNoWorkspace.includes(name)) return;
      await expect(asked()).rejects.toMatchObject({ code: 'insufficient_scope' });
    },
  );
});
