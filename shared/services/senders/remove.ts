import { ServiceError } from '../../contract/errors.ts';
import { text } from '../../language/text.ts';
import { deleteSender } from '../../store/workspace/senders.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { existingWorkspace } from '../workspaces/existing.ts';

/** Takes a sender off. The default one goes last, so that there is always one as long as there are any. */
export const removeSender = operatorVerb(
  { action: 'sender.remove', needs: 'own', subject: ({ email }) => email },
  async (context: Context, { email }: { readonly email: string }) => {
    const { id, senders } = await existingWorkspace(context.workspaceId);
    const sender = senders.find((one) => one.email === email);
    if (!sender) throw missing(email);
    if (sender.default && senders.length > 1) throw isDefault(email);
    await deleteSender(id, email);
    return { object: 'sender' as const, email, deleted: true };
  },
);

const missing = (email: string) =>
  new ServiceError('not_found', {
    text: text({ en: `There is no sender "${email}".`, fr: `Il n’y a pas d’expéditeur « ${email} ».` }),
  });

const isDefault = (email: string) =>
  new ServiceError('conflict', {
    text: text({
      en: `"${email}" is the default sender: make another one the default first.`,
      fr: `« ${email} » est l’expéditeur par défaut : choisissez-en d’abord un autre.`,
    }),
  });
