import type { Template } from '../../domain/campaign/render/template.ts';
import { campaignMessageKey } from '../table/keys.ts';
import { getParts, putParts } from './parts.ts';

/** What is sent to everybody of a variant, as it was rendered when the campaign was frozen. */
export interface CampaignMessage extends Template {
  /** Sender as SES takes it, display name encoded. */
  readonly from: string;
  readonly listId: string;
  /** How many fit into one call of the provider; all of a slice when it is not said. */
  readonly peopleOfCall?: number;
}

interface Position {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly freezeId: string;
  readonly variant: number;
}

export function putMessage(position: Position, message: CampaignMessage, expiresAt: number): Promise<void> {
  return putParts(keysOf(position), message, expiresAt);
}

/** Null when the freeze has no such variant. */
export function getMessage(position: Position): Promise<CampaignMessage | null> {
  return getParts<CampaignMessage>(keysOf(position));
}

const keysOf =
  ({ workspaceId, campaignId, freezeId, variant }: Position) =>
  (part: number) =>
    campaignMessageKey(workspaceId, campaignId, { freezeId, variant, part });
