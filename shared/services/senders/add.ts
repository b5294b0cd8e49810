import { ValidationError } from '../../contract/errors.ts';
import { addressKey, domainOf, parseMailbox } from '../../domain/address/address.ts';
import { addressProblemTexts } from '../../domain/address/addressTexts.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import type { Text } from '../../language/text.ts';
import { putSenders } from '../../store/workspace/senders.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { existingWorkspace } from '../workspaces/existing.ts';
import { type ShownSender, shownSender } from './shown.ts';

/**
 * Registers `Display Name <address>` as a sender; again with another name renames it. The first sender is the default,
 * and `makeDefault` moves that flag, so that there is always exactly one.
 */
export const addSender = operatorVerb(
  { action: 'sender.add', needs: 'own', subject: ({ mailbox }) => mailbox },
  async (
    context: Context,
    wanted: { readonly mailbox: string; readonly makeDefault: boolean },
  ): Promise<ShownSender> => {
    const parsed = parseMailbox(wanted.mailbox);
    if (!parsed.ok) {
      const problem = addressProblemTexts[parsed.problem];
      throw refusal({ en: `"${wanted.mailbox}" ${problem.en}`, fr: `« ${wanted.mailbox} » ${problem.fr}` });
    }
    const email = addressKey(parsed.mailbox.address);
    const workspace = await existingWorkspace(context.workspaceId);
    checkOwnDomain(workspace, email);
    const others = workspace.senders.filter((sender) => sender.email !== email);
    const isDefault = wanted.makeDefault || !others.some((sender) => sender.default);
    const sender = { email, name: parsed.mailbox.name, default: isDefault };
    const demoted = isDefault
      ? others.filter((other) => other.default).map((other) => ({ ...other, default: false }))
      : [];
    await putSenders(workspace.id, [sender, ...demoted], context.now);
    return shownSender(sender);
  },
);

/** The domain need not be verified yet: a send checks that each time. */
function checkOwnDomain({ domains }: Workspace, email: string): void {
  const own = domainOf(email);
  if (domains.some(({ domain }) => own === domain || own.endsWith(`.${domain}`))) return;
  throw refusal({
    en: `the domain "${own}" was not added to this workspace`,
    fr: `le domaine « ${own} » n’a pas été ajouté à cet espace`,
  });
}

const refusal = (text: Text) => new ValidationError([{ path: '', text }]);
