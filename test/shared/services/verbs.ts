import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { Context, OperatorActor } from '../../../shared/services/context.ts';
import type { OperatorNeed } from '../../../shared/services/operatorVerb.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'shared', 'services');

/** A verb by which an operator changes something, with what was declared of it. */
export interface DeclaredVerb {
  readonly name: string;
  readonly action: string;
  readonly needs: OperatorNeed;
  /** Called without what it works on, since it is to be refused before that. */
  readonly call: (context: Context<OperatorActor>) => Promise<unknown>;
}

/** Answers to every name, as the verbs read their input for the audit log before they act. */
const anyInput = { name: 'Test', email: 'ada@people.example', url: 'https://example.com' };

/** Every verb that `operatorVerb` made and a module exports. */
export async function declaredVerbs(): Promise<DeclaredVerb[]> {
  const modules = globSync('**/*.ts', { cwd: folder }).filter((path) => !path.includes('internal'));
  const found = await Promise.all(
    modules.map(async (path) =>
      Object.entries(await import(join(folder, path))).flatMap(([name, verb]): DeclaredVerb[] =>
        isDeclared(verb)
          ? [{ name, action: verb.action, needs: verb.needs, call: (context) => verb(context, anyInput) }]
          : [],
      ),
    ),
  );
  return found.flat().sort((a, b) => (a.name < b.name ? -1 : 1));
}

type Declared = ((context: Context<OperatorActor>, input: object) => Promise<unknown>) &
  Pick<DeclaredVerb, 'action' | 'needs'>;

const isDeclared = (value: unknown): value is Declared => typeof value === 'function' && 'action' in value;
