import { chunkInfo, chunksOfGroup } from '../../../domain/campaign/campaign.ts';
import {
  outcomeOf,
  type SliceOutcome,
  type SliceSets,
  setOf,
  skipReasons,
  slicePositions,
} from '../../../domain/campaign/slice.ts';
import { getChunk } from '../../../store/campaign/chunks.ts';
import { readSlices } from '../../../store/campaign/slices.ts';
import type { Context } from '../../context.ts';
import { notedPieces } from '../../operators/verb.ts';
import { requireOperator } from '../../requireOperator.ts';
import { findCampaign } from '../find.ts';

/** What became of one person of a campaign. */
export interface CampaignRecipientOutcome {
  readonly email: string;
  readonly outcome: SliceOutcome;
  /** Why somebody was skipped. */
  readonly reason: string | null;
  readonly delivered: boolean;
  readonly bounced: boolean;
  readonly complained: boolean;
  readonly opened: boolean;
  readonly clicked: boolean;
  readonly unsubscribed: boolean;
}

interface Wanted {
  readonly id: string;
  readonly outcome?: SliceOutcome | undefined;
}

/** Everybody whom the campaign was frozen with, chunk by chunk; memory holds one chunk. */
export async function* campaignRecipients(
  context: Context,
  wanted: Wanted,
): AsyncGenerator<CampaignRecipientOutcome[]> {
  requireOperator(context, 'change');
  yield* notedPieces(context, { action: 'campaign.recipients', subject: wanted.id }, chunksOf(context, wanted));
}

async function* chunksOf(context: Context, { id, outcome }: Wanted): AsyncGenerator<CampaignRecipientOutcome[]> {
  const { freeze } = await findCampaign(context.workspaceId, id);
  if (!freeze) return;
  const frozen = { workspaceId: context.workspaceId, campaignId: id, freezeId: freeze.id };
  const chunks = freeze.groups.reduce((sum, group) => sum + chunksOfGroup(group), 0);
  for (let number = 0; number < chunks; number += 1) {
    if (!chunkInfo(freeze, number)) continue;
    const [chunk, slices] = await Promise.all([getChunk(frozen, number), readSlices({ ...frozen, chunk: number })]);
    const people = (chunk?.emails ?? []).map((email, index) => {
      const slice = slices[Math.floor(index / slicePositions)];
      return outcomeOfPerson(email, slice?.sets ?? {}, index % slicePositions);
    });
    yield people.filter((person) => outcome === undefined || person.outcome === outcome);
  }
}

export function outcomeOfPerson(email: string, sets: SliceSets, position: number): CampaignRecipientOutcome {
  const isIn = (name: Parameters<typeof setOf>[1]) => setOf(sets, name).has(position);
  const isInAny = (prefix: string) =>
    Object.entries(sets).some(([name, positions]) => name.startsWith(prefix) && positions?.has(position));
  const outcome = outcomeOf(sets, position);
  return {
    email,
    outcome,
    reason: outcome === 'skipped' ? (skipReasons.find((reason) => isIn(`skip.${reason}`)) ?? null) : null,
    delivered: isIn('delivered') && !isIn('bounced'),
    bounced: isIn('bounced'),
    complained: isIn('complained'),
    opened: isInAny('open.'),
    clicked: isInAny('click.'),
    unsubscribed: isIn('unsubscribed'),
  };
}
