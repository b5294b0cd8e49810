import { ServiceError } from '../../contract/errors.ts';
import { forgetAtProvider } from '../../email/accountSuppression.ts';
import type { Context } from '../context.ts';
import { personSubject } from '../operators/personSubject.ts';
import { operatorVerb } from '../operators/verb.ts';
import { changePerson } from '../subscribers/change.ts';

/**
 * Takes an address (canonical form) off the list of a workspace, and says why it stood there. SES forgets first, or its
 * own list would put the address back here with the next send. It subscribes nobody: a subscriber keeps the status that
 * they had, and no event comes of it. Throws `not_found`.
 */
export const removeSuppression = operatorVerb(
  {
    action: 'suppression.remove',
    needs: 'change',
    subject: ({ email }) => personSubject(email),
    note: ({ why }) => why,
  },
  async (context: Context, { email }: { readonly email: string; readonly why?: string | undefined }) => {
    const { workspaceId, now } = context;
    await forgetAtProvider(email);
    const reason = await changePerson({ workspaceId, email }, 'api', now, ({ person }) => ({
      person: person.suppression ? { ...person, suppression: null } : person,
      result: person.suppression?.reason,
    }));
    if (reason) return { object: 'suppression' as const, email, reason, scope: 'organization' as const, deleted: true };
    throw new ServiceError('not_found', {
      text: {
        en: `"${email}" is not on the suppression list of this workspace.`,
        fr: `« ${email} » n’est pas sur la liste d’exclusion de cet espace.`,
      },
    });
  },
);
