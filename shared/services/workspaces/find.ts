import { ServiceError } from '../../contract/errors.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { textsOf } from '../../language/text.ts';
import { getWorkspace, listWorkspaces } from '../../store/workspace/workspaces.ts';

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

/** The workspace of an id, or the only one there is when none is given. */
export async function findWorkspace(id: string | undefined): Promise<Workspace> {
  const wanted = id ?? (await onlyWorkspace());
  const workspace = await getWorkspace(wanted);
  if (workspace) return workspace;
  throw new ServiceError('not_found', {
    text: { en: `There is no workspace "${wanted}".`, fr: `Il n’y a pas d’espace « ${wanted} ».` },
  });
}

async function onlyWorkspace(): Promise<string> {
  const [first, ...others] = await listWorkspaces();
  if (!first) throw new ServiceError('not_found', { text: texts.none });
  if (others.length > 0) throw new ServiceError('conflict', { text: texts.several });
  return first.id;
}
