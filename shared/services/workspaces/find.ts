import { ServiceError } from '../../contract/errors.ts';
import { textsOf } from '../../language/text.ts';
import { listWorkspaces } from '../../store/workspace/workspaces.ts';
import type { Context, DeploymentContext } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { existingWorkspace } from './existing.ts';

const texts = textsOf({
  none: {
    en: 'There is no workspace yet: make one with "workspace create".',
    fr: 'Il n’y a pas encore d’espace : créez-en un avec « workspace create ».',
  },
  several: {
    en: 'There are several workspaces: say which with --workspace ID ("workspace list" shows them).',
    fr: 'Il y a plusieurs espaces : dites lequel avec --workspace ID (« workspace list » les montre).',
  },
});

/** What an operator works on: the workspace of an id, or the only one there is when none is given. Throws `not_found`. */
export async function findWorkspace(
  context: DeploymentContext,
  { id }: { readonly id?: string | undefined },
): Promise<Context> {
  requireOperator(context);
  return { ...context, workspaceId: (await existingWorkspace(id ?? (await onlyWorkspace()))).id };
}

async function onlyWorkspace(): Promise<string> {
  const [first, ...others] = await listWorkspaces();
  if (!first) throw new ServiceError('not_found', { text: texts.none });
  if (others.length > 0) throw new ServiceError('conflict', { text: texts.several });
  return first.id;
}
