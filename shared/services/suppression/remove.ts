import { ServiceError } from '../../contract/errors.ts';
import type { Suppression } from '../../store/suppression.ts';
import { removeSuppression } from '../../store/suppressionRemoval.ts';

/**
 * What only an operator does: takes an address off the list of a workspace, or of the platform when `workspaceId` is
 * null. It subscribes nobody: an unsubscribed person stays unsubscribed.
 */
export async function unsuppress(workspaceId: string | null, email: string): Promise<Suppression> {
  const removed = await removeSuppression(workspaceId, email);
  if (removed) return removed;
  throw new ServiceError('not_found', {
    text: {
      en: `"${email}" is not on the suppression list of ${workspaceId ? 'this workspace' : 'the platform'}.`,
      fr: `« ${email} » n’est pas sur la liste d’exclusion ${workspaceId ? 'de cet espace' : 'de la plateforme'}.`,
    },
  });
}
