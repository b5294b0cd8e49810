import { ServiceError } from '../../contract/errors.ts';
import type { SuppressionReason } from '../../domain/person/suppression.ts';
import { forgetAtProvider } from '../../email/accountSuppression.ts';
import { deletePlatformSuppression } from '../../store/person/platformSuppression.ts';
import { changePerson } from '../subscribers/change.ts';

/**
 * What only an operator does: takes an address (canonical form) off the list of a workspace, or of the platform when
 * `workspaceId` is null; answers why it stood there. SES forgets first, or its own list would put the address back here
 * with the next send. It subscribes nobody: a subscriber keeps the status that they had.
 */
export async function unsuppress(workspaceId: string | null, email: string, now: Date): Promise<SuppressionReason> {
  await forgetAtProvider(email);
  const reason = workspaceId === null ? await offPlatform(email) : await offWorkspace(workspaceId, email, now);
  if (reason) return reason;
  throw new ServiceError('not_found', {
    text: {
      en: `"${email}" is not on the suppression list of ${workspaceId ? 'this workspace' : 'the platform'}.`,
      fr: `« ${email} » n’est pas sur la liste d’exclusion ${workspaceId ? 'de cet espace' : 'de la plateforme'}.`,
    },
  });
}

async function offPlatform(email: string): Promise<SuppressionReason | undefined> {
  return (await deletePlatformSuppression(email))?.reason;
}

/** No event comes of it: nobody's status changes. */
function offWorkspace(workspaceId: string, email: string, now: Date): Promise<SuppressionReason | undefined> {
  return changePerson({ workspaceId, email }, 'api', now, ({ person }) => ({
    person: person.suppression ? { ...person, suppression: null } : person,
    result: person.suppression?.reason,
  }));
}
