import { leave } from '../../domain/person/consent.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { logger } from '../../platform/logger.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { noteUnsubscribed } from '../campaigns/noteUnsubscribed.ts';
import type { PersonContext } from '../context.ts';
import { readLink } from '../links.ts';
import { changePerson } from './change.ts';

/** `unknown`: the link is genuine and its workspace is gone. */
export type UnsubscribeOutcome = 'unsubscribed' | 'tampered' | 'unknown';

export interface UnsubscribeResult {
  readonly outcome: UnsubscribeOutcome;
  readonly workspace: Workspace | null;
  readonly email: string | null;
}

/**
 * One-click (RFC 8058) and the page's button alike: at once, and again without harm. Somebody of whom nothing is stored
 * any more is suppressed all the same: the link proves that they were written to.
 */
export async function unsubscribeByLink(
  context: PersonContext,
  { token }: { readonly token: string },
): Promise<UnsubscribeResult> {
  const result = await previewUnsubscription(context, { token });
  const { outcome, workspace, email } = result;
  if (outcome !== 'unsubscribed' || !workspace || email === null) return result;
  await changePerson({ workspaceId: workspace.id, email }, 'link', context.now, ({ person }) => ({
    person: leave(person, 'unsubscribe', context.now),
    result: undefined,
  }));
  await countForCampaign(token, context.now);
  return result;
}

/** The person has left, whatever becomes of the counting. */
async function countForCampaign(token: string, now: Date): Promise<void> {
  const read = await readLink('unsubscribe', token, now);
  if (!read.ok || !read.link.campaignId || !read.link.place) return;
  const { workspaceId, campaignId, place } = read.link;
  try {
    await noteUnsubscribed(workspaceId, campaignId, place);
  } catch (error) {
    logger.error('Somebody left through a campaign and could not be counted.', { error: error as Error });
  }
}

/** What the page shows before the button is pressed: the outcome that pressing it would have. Changes nothing. */
export async function previewUnsubscription(
  { now }: PersonContext,
  { token }: { readonly token: string },
): Promise<UnsubscribeResult> {
  const read = await readLink('unsubscribe', token, now);
  if (!read.ok) return { outcome: 'tampered', workspace: null, email: null };
  const workspace = await getWorkspace(read.link.workspaceId);
  return { outcome: workspace ? 'unsubscribed' : 'unknown', workspace, email: read.link.email };
}
