import { ServiceError, ValidationError } from '../contract/errors.ts';
import { addressKey, addressProblemTexts, domainOf, parseMailbox } from '../domain/address.ts';
import type { Sender, Workspace } from '../domain/workspace/workspace.ts';
import { type Text, text } from '../language/text.ts';
import { deleteSender, putSenders } from '../store/workspace/workspaces.ts';
import type { Context } from './context.ts';
import { existingWorkspace } from './existingWorkspace.ts';
import { operatorVerb, requireOperator } from './operatorVerb.ts';

/**
 * Adds `Display Name <address>` as a sender, or renames the sender with this address. Exactly one sender is the default:
 * the first one, until `makeDefault` names another.
 */
export const addSender = /* @__PURE__ */ operatorVerb(
  { action: 'sender.add', needs: 'own', subject: ({ mailbox }) => mailbox },
  async (
    context: Context,
    { mailbox, makeDefault }: { readonly mailbox: string; readonly makeDefault: boolean },
  ): Promise<ShownSender> => {
    const parsed = parseMailbox(mailbox);
    if (!parsed.ok) {
      const problem = addressProblemTexts[parsed.problem];
      throw invalidSender({ en: `"${mailbox}" ${problem.en}`, fr: `« ${mailbox} » ${problem.fr}` });
    }
    const email = addressKey(parsed.mailbox.address);
    const workspace = await existingWorkspace(context.workspaceId);
    checkDomainAdded(workspace, email);
    const others = workspace.senders.filter((sender) => sender.email !== email);
    const isDefault = makeDefault || !others.some((sender) => sender.default);
    const sender = { email, name: parsed.mailbox.name, default: isDefault };
    const demoted = isDefault
      ? others.filter((other) => other.default).map((other) => ({ ...other, default: false }))
      : [];
    await putSenders(workspace.id, [sender, ...demoted], context.now);
    return shownSender(sender);
  },
);

/** Whether the domain is verified is checked at each send. */
function checkDomainAdded({ domains }: Workspace, email: string): void {
  const own = domainOf(email);
  if (domains.some(({ domain }) => own === domain || own.endsWith(`.${domain}`))) return;
  throw invalidSender({
    en: `the domain "${own}" was not added to this workspace`,
    fr: `le domaine « ${own} » n’a pas été ajouté à cet espace`,
  });
}

const invalidSender = (text: Text) => new ValidationError([{ path: '', text }]);

export async function listSenders(context: Context): Promise<ShownSender[]> {
  requireOperator(context, 'read');
  return (await existingWorkspace(context.workspaceId)).senders.map(shownSender);
}

/** Removes a sender. The default sender can be removed only as the last one. */
export const removeSender = /* @__PURE__ */ operatorVerb(
  { action: 'sender.remove', needs: 'own', subject: ({ email }) => email },
  async (context: Context, { email }: { readonly email: string }) => {
    const { id, senders } = await existingWorkspace(context.workspaceId);
    const sender = senders.find((one) => one.email === email);
    if (!sender) throw notFound(email);
    if (sender.default && senders.length > 1) throw isDefaultSender(email);
    await deleteSender(id, email);
    return { object: 'sender' as const, email, deleted: true };
  },
);

const notFound = (email: string) =>
  new ServiceError('not_found', {
    text: text({ en: `There is no sender "${email}".`, fr: `Il n’y a pas d’expéditeur « ${email} ».` }),
  });

const isDefaultSender = (email: string) =>
  new ServiceError('conflict', {
    text: text({
      en: `"${email}" is the default sender: make another one the default first.`,
      fr: `« ${email} » est l’expéditeur par défaut : choisissez-en d’abord un autre.`,
    }),
  });

function shownSender({ email, name, default: isDefault }: Sender) {
  return { object: 'sender' as const, email, name, default: isDefault };
}

export type ShownSender = ReturnType<typeof shownSender>;
