import { confirm } from '../../domain/person/consent.ts';
import type { Confirmation, Person } from '../../domain/person/person.ts';
import { type LinkSubject, linkSeconds } from '../../domain/token.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { addSeconds } from '../../platform/clock.ts';
import { publicUrl } from '../../platform/config.ts';
import { addLogFields } from '../../platform/logger.ts';
import { findConfirmLink, putConfirmLink } from '../../store/person/links.ts';
import { getMailbox, mailboxPart } from '../../store/person/mailboxes.ts';
import { getAddress } from '../../store/person/people.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import type { PersonContext } from '../context.ts';
import { readLink } from '../links.ts';
import { changePerson } from '../people.ts';

/**
 * `refused`: the request was withdrawn or replaced, or the address has bounced or complained since.
 * `unknown`: the link is genuine, but the workspace or the person was deleted.
 */
export type ConfirmOutcome = 'confirmed' | 'already_confirmed' | 'expired' | 'tampered' | 'unknown' | 'refused';

/** `workspace` is null for a tampered link, or a workspace that was or is being deleted. The page shows its name and links to its form. */
export interface ConfirmResult {
  readonly outcome: ConfirmOutcome;
  readonly workspace: Workspace | null;
  readonly email: string | null;
}

/** The button of the confirmation page: subscribes the person and removes a suppression that consent lifts. */
export async function confirmSubscriber(
  { now }: PersonContext,
  { token, source }: { readonly token: string; readonly source?: string },
): Promise<ConfirmResult> {
  return followLink(token, now, ({ workspaceId, email, confirmationId }) =>
    changePerson({ workspaceId, email }, 'link', now, async (address) => {
      const [result, person] = confirm(address.person, confirmationId, now, source);
      if (result !== 'confirmed') return { person, result };
      // Answered: earlier messages no longer count as unanswered.
      const mailbox = await getMailbox(workspaceId, email, now);
      return { person, result, more: mailboxPart(mailbox, { unanswered: 0, blockedAt: null }, now) };
    }),
  );
}

/** The outcome that `confirmSubscriber` would have now, for the page with the button. Changes nothing. */
export async function previewConfirmation(
  { now }: PersonContext,
  { token }: { readonly token: string },
): Promise<ConfirmResult> {
  return followLink(token, now, async ({ workspaceId, email, confirmationId }) => {
    const { person } = await getAddress(workspaceId, email);
    return confirm(person, confirmationId, now)[0];
  });
}

async function followLink(
  token: string,
  now: Date,
  follow: (link: LinkSubject) => Promise<ConfirmOutcome>,
): Promise<ConfirmResult> {
  const read = await readConfirmLink(token, now);
  if (read.kind === 'tampered' || read.isReturn) return { outcome: 'tampered', workspace: null, email: null };
  const { workspaceId, email } = read.subject;
  const found = await getWorkspace(workspaceId);
  const workspace = found?.endedAt ? null : found;
  if (read.kind === 'expired') return { outcome: 'expired', workspace, email };
  return { outcome: workspace ? await follow(read.subject) : 'unknown', workspace, email };
}

/** `<confirmation id>.<workspace id without its prefix>`: not guessable, and without personal data. */
const shortToken = /^([A-Za-z0-9_-]{22})\.([0-9a-z]{26})$/;

/** The URL of the confirmation page; the same for each round of one request. */
export async function createConfirmLink(
  { workspaceId, email }: Person,
  { id, requestedAt }: Confirmation,
): Promise<string> {
  const validUntil = addSeconds(new Date(requestedAt), linkSeconds.confirm ?? 0);
  await putConfirmLink({ workspaceId, confirmationId: id, email, validUntil });
  return `${publicUrl()}/confirm/${tokenOf(workspaceId, id)}`;
}

/** The URL by which a person who declined confirmations allows them again; the same for all requests of a day. */
export async function createReturnLink(workspaceId: string, email: string, id: string, now: Date): Promise<string> {
  const validUntil = addSeconds(now, linkSeconds.confirm ?? 0);
  await putConfirmLink({ workspaceId, confirmationId: id, email, validUntil, purpose: 'return' });
  return `${publicUrl()}/not-me/${tokenOf(workspaceId, id)}`;
}

const tokenOf = (workspaceId: string, id: string): string => `${id}.${workspaceId.replace(/^ws_/, '')}`;

/** The page on which its person says that the request was not theirs. */
export const declineLinkOf = (confirmLink: string): string => confirmLink.replace('/confirm/', '/not-me/');

type LinkState =
  | { readonly kind: 'valid' | 'expired'; readonly subject: LinkSubject; readonly isReturn?: boolean }
  | { readonly kind: 'tampered' };

/** Reads a token: the short form above, or the older signed form, which mailboxes may still hold. */
export async function readConfirmLink(token: string, now: Date): Promise<LinkState> {
  const [, confirmationId, workspace] = shortToken.exec(token) ?? [];
  if (confirmationId === undefined || workspace === undefined) {
    const read = await readLink('confirm', token, now);
    if (!read.ok && read.problem === 'tampered') return { kind: 'tampered' };
    return { kind: read.ok ? 'valid' : 'expired', subject: read.link };
  }
  const workspaceId = `ws_${workspace}`;
  const stored = await findConfirmLink(workspaceId, confirmationId, now);
  if (!stored) return { kind: 'tampered' };
  addLogFields({ workspace_id: workspaceId });
  const kind = stored.validUntil > now ? 'valid' : 'expired';
  return { kind, subject: stored, isReturn: stored.purpose === 'return' };
}
