import type { Campaign, Freeze } from '../../../domain/campaign/campaign.ts';
import type { Workspace } from '../../../domain/workspace/workspace.ts';
import { type CampaignMessage, getMessage } from '../../../store/campaign/messages.ts';
import { getWorkspace } from '../../../store/workspace/workspaces.ts';

import type { TallyBook } from './book.ts';

/** A campaign on its way, as one turn of a runner sees it. */
export interface Flight {
  readonly campaign: Campaign;
  readonly freeze: Freeze;
  readonly workspace: Workspace;
  /** Nothing begins after it: what a frozen function would do later, another does by then. */
  readonly deadline: Date;
  readonly now: () => Date;
  /** What the tally is to be moved by, written once a turn. */
  readonly book: TallyBook;
}

/** Messages are frozen with their campaign: what a container has read once is right for good. */
const messages = new Map<string, Promise<CampaignMessage>>();
const keptMessages = 20;

export function messageOf(
  { campaign, freeze }: Pick<Flight, 'campaign' | 'freeze'>,
  variant: number,
): Promise<CampaignMessage> {
  const key = `${freeze.id}#${variant}`;
  const known = messages.get(key);
  if (known) return known;
  const read = readMessage(campaign, freeze, variant);
  messages.set(key, read);
  read.catch(() => messages.delete(key));
  for (const old of [...messages.keys()].slice(0, -keptMessages)) messages.delete(old);
  return read;
}

async function readMessage(campaign: Campaign, freeze: Freeze, variant: number): Promise<CampaignMessage> {
  const { workspaceId, id: campaignId } = campaign;
  const message = await getMessage({ workspaceId, campaignId, freezeId: freeze.id, variant });
  if (!message) throw new Error('A frozen campaign has no message.');
  return message;
}

export const workspaceOf = async (campaign: Campaign): Promise<Workspace> => {
  const workspace = await getWorkspace(campaign.workspaceId);
  if (!workspace) throw new Error('A campaign has no workspace.');
  return workspace;
};
