import { leave } from '../../domain/person/consent.ts';
import { isAlias } from '../../domain/person/erased.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { logger } from '../../platform/logger.ts';
import { getWorkspace } from '../../store/workspace/workspaces.ts';
import { noteUnsubscribed } from '../campaigns/noteUnsubscribed.ts';
import type { PersonContext } from '../context.ts';
import { type Leaver, readLeaver } from '../preferences/read.ts';
import { changePerson } from './change.ts';

/** `unknown`: the link is genuine and its workspace is gone; `erased`: nothing is kept of the person, who left for good. */
export type UnsubscribeOutcome = 'unsubscribed' | 'tampered' | 'unknown' | 'erased';

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
  const leaver = await readLeaver(token, context.now);
  const result = await resultFor(leaver);
  const { outcome, workspace } = result;
  if (outcome !== 'unsubscribed' || !workspace || !leaver) return result;
  await changePerson({ workspaceId: workspace.id, email: leaver.email }, 'link', context.now, ({ person }) => ({
    person: leave(person, 'unsubscribe', context.now),
    result: undefined,
  }));
  await countForCampaign(leaver);
  return result;
}

/** The person has left, whatever becomes of the counting. */
async function countForCampaign({ workspaceId, campaignId, place }: Leaver): Promise<void> {
  if (!campaignId || !place) return;
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
  return resultFor(await readLeaver(token, now));
}

async function resultFor(leaver: Leaver | null): Promise<UnsubscribeResult> {
  if (!leaver) return { outcome: 'tampered', workspace: null, email: null };
  const workspace = await getWorkspace(leaver.workspaceId);
  if (!workspace) return { outcome: 'unknown', workspace, email: leaver.email };
  if (isAlias(leaver.email)) return { outcome: 'erased', workspace, email: null };
  return { outcome: 'unsubscribed', workspace, email: leaver.email };
}
