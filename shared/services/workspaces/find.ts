import { ServiceError } from '../../contract/errors.ts';
import { text, textsOf } from '../../language/text.ts';
import { getWorkspace, listWorkspaces } from '../../store/workspace/workspaces.ts';
import type { Context, DeploymentContext } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';

const texts = textsOf({
  none: {
    en: 'There is no workspace yet: make one with "workspace create".',
    fr: 'Il n’y a pas encore d’espace : créez-en un avec « workspace create ».',
  },
  several: {
    en: 'There are several workspaces: say which with --workspace NAME, or once with "use NAME" ("workspace list" shows them).',
    fr: 'Il y a plusieurs espaces : dites lequel avec --workspace NOM, ou une fois avec « use NOM » (« workspace list » les montre).',
  },
});

interface Found {
  readonly id: string;
  readonly name: string;
}

/**
 * What an operator works on: the workspace of an id or a name, else the one that was chosen before, else the only one
 * there is. A chosen one that is gone counts as none. Throws `not_found`, or `conflict` when it could be several.
 */
export async function findWorkspace(
  context: DeploymentContext,
  { wanted, chosen }: { readonly wanted?: string | undefined; readonly chosen?: string | undefined },
): Promise<{ readonly context: Context; readonly name: string; readonly isOneOfSeveral: boolean }> {
  requireOperator(context, 'read');
  const { found, isOneOfSeveral } = wanted
    ? { found: await namedWorkspace(wanted), isOneOfSeveral: false }
    : await usualWorkspace(chosen);
  return { context: { ...context, workspaceId: found.id }, name: found.name, isOneOfSeveral };
}

/** An id comes first, so that nobody can take another workspace's place by its name. */
async function namedWorkspace(wanted: string): Promise<Found> {
  const byId = await getWorkspace(wanted);
  if (byId) return byId;
  const [first, ...others] = (await listWorkspaces()).filter(({ name }) => folded(name) === folded(wanted));
  if (!first) {
    throw new ServiceError('not_found', {
      text: text({ en: `There is no workspace "${wanted}".`, fr: `Il n’y a pas d’espace « ${wanted} ».` }),
    });
  }
  if (others.length === 0) return first;
  const ids = [first, ...others].map(({ id }) => id).join(', ');
  throw new ServiceError('conflict', {
    text: text({
      en: `Several workspaces are called "${wanted}": give the id of one of them (${ids}).`,
      fr: `Plusieurs espaces s’appellent « ${wanted} » : donnez l’identifiant de l’un d’eux (${ids}).`,
    }),
  });
}

async function usualWorkspace(chosen: string | undefined): Promise<{ found: Found; isOneOfSeveral: boolean }> {
  const all = await listWorkspaces();
  const found = all.find(({ id }) => id === chosen);
  if (found) return { found, isOneOfSeveral: all.length > 1 };
  const [first, ...others] = all;
  if (!first) throw new ServiceError('not_found', { text: texts.none });
  if (others.length > 0) throw new ServiceError('conflict', { text: texts.several });
  return { found: first, isOneOfSeveral: false };
}

const folded = (name: string): string => name.trim().normalize('NFC').toLowerCase();
