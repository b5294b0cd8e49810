import { createHmac } from 'node:crypto';
import { dropConfirmation, leave } from '../../domain/person/consent.ts';
import { isAlias } from '../../domain/person/erased.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { returnMessage } from '../../email/serviceMessages.ts';
import type { AskedToReturn } from '../../queue/confirmation.ts';
import { sendConfirmationMessage } from '../../queue/confirmation.ts';
import { getMailbox, mailboxPart } from '../../store/person/mailboxes.ts';
import { countSignUp } from '../../store/signUpWindows.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import type { PersonContext } from '../context.ts';
import { changePerson } from '../people.ts';
import { createReturnLink, readConfirmLink } from './confirmByLink.ts';
import { sendRequested } from './requestedMail.ts';

/**
 * `open`: the person may say that a confirmation was not for them. `declined`: they have. `asked`: a link by which they
 * allow confirmations again is on its way. `returning`: this is that link. `returned`: it was used.
 */
export type DeclineOutcome =
  | 'open'
  | 'declined'
  | 'asked'
  | 'returning'
  | 'returned'
  | 'expired'
  | 'tampered'
  | 'unknown';

export interface DeclineResult {
  readonly outcome: DeclineOutcome;
  readonly workspace: Workspace | null;
  readonly email: string | null;
}

interface Position {
  readonly workspace: Workspace;
  readonly email: string;
  readonly isReturn: boolean;
}

/** What the page of a link shows. Changes nothing. */
export async function previewDecline(
  { now }: PersonContext,
  { token }: { readonly token: string },
): Promise<DeclineResult> {
  const found = await readPosition(token, now);
  if ('outcome' in found) return found;
  const { workspace, email, isReturn } = found;
  const { blockedAt } = await getMailbox(workspace.id, email, now);
  const outcome = blockedAt === null ? (isReturn ? 'returned' : 'open') : isReturn ? 'returning' : 'declined';
  return { outcome, workspace, email };
}

/**
 * The button of the page. With the link of a confirmation, no further confirmation is sent to the mailbox and an open
 * request ends; a person who subscribed meanwhile is unsubscribed. With a link that the person requested, confirmations
 * are allowed again.
 */
export async function declineConfirmations(
  { now }: PersonContext,
  { token }: { readonly token: string },
): Promise<DeclineResult> {
  const found = await readPosition(token, now);
  if ('outcome' in found) return found;
  const { workspace, email, isReturn } = found;
  await changePerson({ workspaceId: workspace.id, email }, 'link', now, async ({ person }) => {
    const mailbox = await getMailbox(workspace.id, email, now);
    if (isReturn) {
      return { person, result: undefined, more: mailboxPart(mailbox, { unanswered: 0, blockedAt: null }, now) };
    }
    const isSubscribed = person.subscriber?.status === 'subscribed';
    const ended = isSubscribed
      ? leave(person, 'unsubscribe', now)
      : person.confirmation
        ? dropConfirmation(person)
        : person;
    if (mailbox.blockedAt) return { person: ended, result: undefined };
    return { person: ended, result: undefined, more: mailboxPart(mailbox, { blockedAt: now.toISOString() }, now) };
  });
  return { outcome: isReturn ? 'returned' : 'declined', workspace, email };
}

const windowSeconds = 86_400;
/** Of the same mail: a lost one can be requested again. */
const maxMessages = 3;

/** Requests the mail with the link that allows confirmations again: one a day. */
export async function askToReturn(
  { now }: PersonContext,
  { token }: { readonly token: string },
): Promise<DeclineResult> {
  const found = await readPosition(token, now);
  if ('outcome' in found) return found;
  const { workspace, email } = found;
  const { key } = await getMailbox(workspace.id, email, now);
  const { count, endsAt } = await countSignUp(`${key.pk}#RETURN`, windowSeconds, now);
  const askedAt = new Date((endsAt - windowSeconds) * 1000).toISOString();
  if (count <= maxMessages) {
    await sendConfirmationMessage({ kind: 'return', workspaceId: workspace.id, email, askedAt });
  }
  return { outcome: 'asked', workspace, email };
}

/** Mails that link, unless confirmations are allowed already. */
export async function sendReturnLink(request: AskedToReturn, now: Date): Promise<void> {
  const { workspaceId, email, askedAt } = request;
  const { key, blockedAt } = await getMailbox(workspaceId, email, now);
  if (blockedAt === null) return;
  // Derived from the request, so that a message that is handled twice sends the same link; the key of the mailbox is
  // not public.
  const id = createHmac('sha256', key.pk).update(`${blockedAt}#${askedAt}`).digest('base64url').slice(0, 22);
  await sendRequested(request, now, async ({ workspace }) => {
    const link = await createReturnLink(workspaceId, email, id, now);
    return returnMessage(workspace.language, workspace.name, link);
  });
}

async function readPosition(token: string, now: Date): Promise<Position | DeclineResult> {
  const read = await readConfirmLink(token, now);
  if (read.kind === 'tampered') return { outcome: 'tampered', workspace: null, email: null };
  const { workspaceId, email } = read.subject;
  const workspace = await getWorkspace(workspaceId);
  if (!workspace || workspace.endedAt || isAlias(email)) return { outcome: 'unknown', workspace: null, email: null };
  const isReturn = read.isReturn ?? false;
  // Only the confirmation itself expires: its page works as long as the link is known.
  if (isReturn && read.kind === 'expired') return { outcome: 'expired', workspace, email };
  return { workspace, email, isReturn };
}
