import { ServiceError, ValidationError } from '../contract/errors.ts';
import type { Input, Result } from '../contract/route.ts';
import type { createSenderRoute, listSendersRoute } from '../contract/routes/senders.ts';
import {
  addressKey,
  addressProblemTexts,
  canonicalAddress,
  domainOf,
  formatMailbox,
  parseMailbox,
} from '../domain/address.ts';
import type { Sender, Workspace } from '../domain/workspace/workspace.ts';
import { type Text, text } from '../language/text.ts';
import { changeSenders, type SenderChange } from '../store/workspace/workspaces.ts';
import type { Context } from './context.ts';
import { checkDomain } from './emails/checks.ts';
import { existingWorkspace } from './existingWorkspace.ts';
import { operatorVerb, requireOperator } from './operatorVerb.ts';

/** Every send reads the senders of its workspace. */
const maxSenders = 100;

/**
 * Adds `Display Name <address>` as a sender, or renames the sender with this address. Exactly one sender is the default:
 * the first one, until `makeDefault` names another.
 */
export const addSender = /* @__PURE__ */ operatorVerb(
  { action: 'sender.add', needs: 'own', subject: ({ mailbox }) => mailbox, byKeys: 'audited' },
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
    return changeList(context, (workspace) => {
      checkDomainAdded(workspace, email);
      const others = workspace.senders.filter((sender) => sender.email !== email);
      if (others.length >= maxSenders) throw tooManySenders;
      const isDefault = makeDefault || !others.some((sender) => sender.default);
      const sender = { email, name: parsed.mailbox.name, default: isDefault };
      const demoted = isDefault
        ? others.filter((other) => other.default).map((other) => ({ ...other, default: false }))
        : [];
      return { change: { put: [sender, ...demoted] }, answer: shownSender(sender) };
    });
  },
);

const maxTries = 5;

/** Two writers at once could leave two defaults, or none: the later one decides again, on the changed list. */
async function changeList<Answer>(
  { workspaceId, now }: Context,
  decide: (workspace: Workspace) => { readonly change: SenderChange; readonly answer: Answer },
): Promise<Answer> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const workspace = await existingWorkspace(workspaceId, 'strong');
    const { change, answer } = decide(workspace);
    if (await changeSenders(workspace, change, now)) return answer;
  }
  throw new ServiceError('conflict', {
    text: text({
      en: 'The senders of this workspace are being changed: try again.',
      fr: 'Les expéditeurs de cet espace sont en cours de modification : réessayez.',
    }),
    retryAfterSeconds: 1,
  });
}

/**
 * For applications: adds or renames a sender, whose domain must be verified. The name and being the default stay as they
 * are unless they are given.
 */
export async function createSender(
  context: Context,
  { email: address, name, default: isDefault }: Input<typeof createSenderRoute>,
): Promise<Result<typeof createSenderRoute>> {
  const email = canonicalAddress(address) ?? '';
  const workspace = await existingWorkspace(context.workspaceId, 'strong');
  const existing = workspace.senders.find((sender) => sender.email === email);
  const mailbox = formatMailbox({ name: name === undefined ? (existing?.name ?? null) : name, address: email });
  const parsed = parseMailbox(mailbox);
  if (!parsed.ok) throw new ValidationError([{ path: 'name', text: addressProblemTexts[parsed.problem] }]);
  checkDomain(mailbox, email, workspace.domains);
  if (isDefault === false && existing?.default) throw isDefaultSender(email);
  const output = await addSender(context, { mailbox, makeDefault: isDefault === true || existing?.default === true });
  return { outcome: existing ? 'updated' : 'created', output };
}

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

const tooManySenders = new ServiceError('conflict', {
  text: text({
    en: `A workspace has at most ${maxSenders} senders.`,
    fr: `Un espace a au plus ${maxSenders} expéditeurs.`,
  }),
});

export async function listSenders(context: Context): Promise<ShownSender[]> {
  requireOperator(context, 'read');
  return (await existingWorkspace(context.workspaceId)).senders.map(shownSender);
}

/** For applications: a page of the senders, newest first. All of them are in the workspace's own record. */
export async function pageOfSenders(
  { workspaceId }: Context,
  { limit, after }: Input<typeof listSendersRoute>,
): Promise<Result<typeof listSendersRoute>> {
  const senders = [...(await existingWorkspace(workspaceId)).senders].sort((a, b) =>
    positionOf(a) > positionOf(b) ? -1 : 1,
  );
  const start = after === undefined ? undefined : startOf(senders, after);
  const left = senders.filter((sender) => start === undefined || positionOf(sender) < start);
  const last = left.slice(0, limit).at(-1);
  return {
    entries: left.slice(0, limit).map(shownSender),
    next: left.length > limit && last ? positionOf(last) : null,
  };
}

/** A position stays one when its sender is removed. No address begins with a time. */
const positionOf = ({ createdAt = '', email }: Sender): string => `:${createdAt}#${email}`;

/** The position that a cursor holds, or that of the sender with the address in `after`. */
function startOf(senders: readonly Sender[], after: string): string {
  if (after.startsWith(':')) return after;
  const sender = senders.find(({ email }) => email === canonicalAddress(after));
  if (sender) return positionOf(sender);
  throw new ValidationError([
    {
      path: 'after',
      text: {
        en: 'is not the address of a sender of this workspace',
        fr: 'n’est pas l’adresse d’un expéditeur de cet espace',
      },
    },
  ]);
}

/** Removes a sender. The default sender can be removed only as the last one. */
export const removeSender = /* @__PURE__ */ operatorVerb(
  { action: 'sender.remove', needs: 'own', subject: ({ email }) => email, byKeys: 'audited' },
  async (context: Context, { email: address }: { readonly email: string }) => {
    const email = canonicalAddress(address);
    return changeList(context, ({ senders }) => {
      const sender = senders.find((one) => one.email === email);
      if (!sender) throw notFound(context, address);
      if (sender.default && senders.length > 1) throw isDefaultSender(sender.email);
      const answer = { object: 'sender' as const, id: sender.email, email: sender.email, deleted: true as const };
      return { change: { removed: sender.email }, answer };
    });
  },
);

const notFound = ({ actor }: Context, email: string) =>
  actor.kind === 'key'
    ? new ServiceError('not_found')
    : new ServiceError('not_found', {
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
