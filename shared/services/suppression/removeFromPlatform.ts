import { ServiceError } from '../../contract/errors.ts';
import { forgetAtProvider } from '../../email/accountSuppression.ts';
import { deletePlatformSuppression } from '../../store/suppression/platformSuppression.ts';
import type { DeploymentContext } from '../context.ts';
import { personSubject } from '../operators/personSubject.ts';
import { operatorVerb } from '../operators/verb.ts';

/**
 * Takes an address (canonical form) off the platform's list, and says why it stood there. SES forgets first, or its own
 * list would put the address back here with the next send. Throws `not_found`.
 */
export const removeFromPlatform = operatorVerb(
  { action: 'platform_suppression.remove', needs: 'own', subject: ({ email }) => personSubject(email) },
  async (_context: DeploymentContext, { email }: { readonly email: string }) => {
    await forgetAtProvider(email);
    const was = await deletePlatformSuppression(email);
    if (was) return { object: 'suppression' as const, email, reason: was.reason, scope: was.scope, deleted: true };
    throw new ServiceError('not_found', {
      text: {
        en: `"${email}" is not on the suppression list of the platform.`,
        fr: `« ${email} » n’est pas sur la liste d’exclusion de la plateforme.`,
      },
    });
  },
);
