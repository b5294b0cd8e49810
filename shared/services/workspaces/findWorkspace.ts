import { ServiceError } from '../../contract/errors.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { text, textsOf } from '../../language/text.ts';
import { getWorkspace, listWorkspaces } from '../../store/workspace/workspaces.ts';
import type { Context, DeploymentContext } from '../context.ts';
import { requireOpen } from '../existingWorkspace.ts';
import { requireOperator } from '../operatorVerb.ts';

const texts = textsOf({
  none: {
    en: 'There is no workspace yet: create one with "workspace create".',
    fr: 'Il n’y a pas encore d’espace : créez-en un avec « workspace create ».',
  },
  several: {
    en: 'There are several workspaces: choose one with --workspace NAME, or for later commands with "use NAME" ("workspace list" shows them).',
    fr: 'Il y a plusieurs espaces : choisissez-en un avec --workspace NOM, ou pour les commandes suivantes avec « use NOM » (« workspace list » les affiche).',
  },
});

type NamedWorkspace = Pick<Workspace, 'id' | 'name' | 'endedAt'>;

interface WorkspaceRequest {
  readonly requested?: string | undefined;
  readonly chosen?: string | undefined;
  readonly evenIfEnded?: boolean;
}

/**
 * The workspace of a command: by its id or name (`requested`), else the one that was chosen before, else the only one. A
 * chosen workspace that was deleted is ignored. Throws `not_found`, or `conflict` when several match or, without
 * `evenIfEnded`, when it is being deleted.
 */
export async function findWorkspace(
  context: DeploymentContext,
  { requested, chosen, evenIfEnded = false }: WorkspaceRequest,
): Promise<{ readonly context: Context; readonly name: string; readonly isOneOfSeveral: boolean }> {
  requireOperator(context, 'read');
  const { workspace, isOneOfSeveral } = requested
    ? { workspace: await namedWorkspace(requested), isOneOfSeveral: false }
    : await defaultWorkspace(chosen);
  if (!evenIfEnded) requireOpen(workspace);
  return { context: { ...context, workspaceId: workspace.id }, name: workspace.name, isOneOfSeveral };
}

/** The id comes first, so that no workspace can be named like the id of another one. */
async function namedWorkspace(requested: string): Promise<NamedWorkspace> {
  const byId = await getWorkspace(requested);
  if (byId) return byId;
  const [first, ...others] = (await listWorkspaces()).filter(({ name }) => folded(name) === folded(requested));
  if (!first) {
    throw new ServiceError('not_found', {
      text: text({ en: `There is no workspace "${requested}".`, fr: `Il n’y a pas d’espace « ${requested} ».` }),
    });
  }
  if (others.length === 0) return first;
  const ids = [first, ...others].map(({ id }) => id).join(', ');
  throw new ServiceError('conflict', {
    text: text({
      en: `Several workspaces are called "${requested}": use the id of one of them (${ids}).`,
      fr: `Plusieurs espaces s’appellent « ${requested} » : utilisez l’identifiant de l’un d’eux (${ids}).`,
    }),
  });
}

async function defaultWorkspace(
  chosen: string | undefined,
): Promise<{ workspace: NamedWorkspace; isOneOfSeveral: boolean }> {
  const all = await listWorkspaces();
  const workspace = all.find(({ id }) => id === chosen);
  if (workspace) return { workspace, isOneOfSeveral: all.length > 1 };
  const [first, ...others] = all;
  if (!first) throw new ServiceError('not_found', { text: texts.none });
  if (others.length > 0) throw new ServiceError('conflict', { text: texts.several });
  return { workspace: first, isOneOfSeveral: false };
}

const folded = (name: string): string => name.trim().normalize('NFC').toLowerCase();
