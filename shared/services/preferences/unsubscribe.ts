import { leave } from '../../domain/person/consent.ts';
import { isAlias } from '../../domain/person/erased.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { logger } from '../../platform/logger.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { noteUnsubscribed } from '../campaigns/counters.ts';
import type { PersonContext } from '../context.ts';
import { readUnsubscribeLink, type UnsubscribeLink } from '../links.ts';
import { changePerson } from '../people.ts';

/** `unknown`: the link is genuine, but its workspace was deleted. `erased`: the person was erased, and stays suppressed. */
export type UnsubscribeOutcome = 'unsubscribed' | 'tampered' | 'unknown' | 'erased';

export interface UnsubscribeResult {
  readonly outcome: UnsubscribeOutcome;
  readonly workspace: Workspace | null;
  readonly email: string | null;
}

/**
 * One-click unsubscription (RFC 8058) and the button of the page. Idempotent. An address of which nothing is stored is
 * suppressed as well: the link proves that mail was sent to it.
 */
export async function unsubscribeByLink(
  context: PersonContext,
  { token }: { readonly token: string },
): Promise<UnsubscribeResult> {
  const link = await readUnsubscribeLink(token, context.now);
  const result = await resultFor(link);
  const { outcome, workspace } = result;
  if (outcome !== 'unsubscribed' || !workspace || !link) return result;
  await changePerson({ workspaceId: workspace.id, email: link.email }, 'link', context.now, ({ person }) => ({
    person: leave(person, 'unsubscribe', context.now),
    result: undefined,
  }));
  await countForCampaign(link);
  return result;
}

/** A failure is only logged: the person is unsubscribed already. */
async function countForCampaign({ workspaceId, campaignId, listPosition }: UnsubscribeLink): Promise<void> {
  if (!campaignId || !listPosition) return;
  try {
    await noteUnsubscribed(workspaceId, campaignId, listPosition);
  } catch (error) {
    logger.error('An unsubscription could not be counted for its campaign.', { error: error as Error });
  }
}

/** The outcome that `unsubscribeByLink` would have, for the page with the button. Changes nothing. */
export async function previewUnsubscription(
  { now }: PersonContext,
  { token }: { readonly token: string },
): Promise<UnsubscribeResult> {
  return resultFor(await readUnsubscribeLink(token, now));
}

async function resultFor(link: UnsubscribeLink | null): Promise<UnsubscribeResult> {
  if (!link) return { outcome: 'tampered', workspace: null, email: null };
  const workspace = await getWorkspace(link.workspaceId);
  if (!workspace) return { outcome: 'unknown', workspace, email: link.email };
  if (isAlias(link.email)) return { outcome: 'erased', workspace, email: null };
  return { outcome: 'unsubscribed', workspace, email: link.email };
}
