import type { Confirmation, Person } from '../../domain/person/subscriber.ts';
import { type LinkSubject, linkSeconds } from '../../domain/token/linkToken.ts';
import { addSeconds } from '../../platform/clock.ts';
import { publicUrl } from '../../platform/config.ts';
import { addLogFields } from '../../platform/logContext.ts';
import { findConfirmLink, putConfirmLink } from '../../store/person/confirmLinks.ts';
import { readLink } from '../links.ts';

/** `<request>.<workspace without its prefix>`: nobody can guess a request, and nothing in it tells of the person. */
const shortToken = /^([A-Za-z0-9_-]{22})\.([0-9a-z]{26})$/;

/** The address of the page on which a person confirms; the same for each round of one request. */
export async function createConfirmLink(
  { workspaceId, email }: Person,
  { id, requestedAt }: Confirmation,
): Promise<string> {
  const validUntil = addSeconds(new Date(requestedAt), linkSeconds.confirm ?? 0);
  await putConfirmLink({ workspaceId, confirmationId: id, email, validUntil });
  return `${publicUrl()}/confirm/${id}.${workspaceId.replace(/^ws_/, '')}`;
}

export type ReadConfirmLink =
  | { readonly kind: 'valid' | 'expired'; readonly subject: LinkSubject }
  | { readonly kind: 'tampered' };

/** Reads the token of such an address, or one that the release before has mailed, which is signed and holds it all. */
export async function readConfirmLink(token: string, now: Date): Promise<ReadConfirmLink> {
  const [, confirmationId, workspace] = shortToken.exec(token) ?? [];
  if (confirmationId === undefined || workspace === undefined) {
    const read = await readLink('confirm', token, now);
    if (!read.ok && read.problem === 'tampered') return { kind: 'tampered' };
    return { kind: read.ok ? 'valid' : 'expired', subject: read.link };
  }
  const workspaceId = `ws_${workspace}`;
  const found = await findConfirmLink(workspaceId, confirmationId);
  if (!found) return { kind: 'tampered' };
  addLogFields({ workspace_id: workspaceId });
  return { kind: found.validUntil > now ? 'valid' : 'expired', subject: found };
}
