import { chunkInfo, chunksOfGroup, type Freeze } from '../../../domain/campaign/campaign.ts';
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

/** What a list of people is narrowed to: an outcome, why they were left out, or something that happened to them. */
export const recipientFilters = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'unsubscribed',
  'bounced',
  'complained',
  'skipped',
  ...skipReasons.map((reason) => `skip.${reason}` as const),
  'failed',
  'uncertain',
  'waiting',
] as const;
export type RecipientFilter = (typeof recipientFilters)[number];

interface Wanted {
  readonly id: string;
  readonly outcome?: RecipientFilter | undefined;
  /** A part of the list: so many chunks of 500, from this one on. All of it when left out. */
  readonly part?: { readonly first: number; readonly chunks: number };
}

function isWanted(person: CampaignRecipientOutcome, wanted: RecipientFilter | undefined): boolean {
  if (wanted === undefined || person.outcome === wanted) return true;
  if (wanted.startsWith('skip.')) return wanted === `skip.${person.reason}`;
  return person[wanted as keyof CampaignRecipientOutcome] === true;
}

/** Everybody whom the campaign was frozen with, chunk by chunk; memory holds one chunk. An export, in the audit log. */
export async function* campaignRecipients(
  context: Context,
  wanted: Wanted,
): AsyncGenerator<CampaignRecipientOutcome[]> {
  requireOperator(context, 'change');
  yield* notedPieces(context, { action: 'campaign.recipients', subject: wanted.id }, chunksOf(context, wanted));
}

async function* chunksOf(
  { workspaceId }: Context,
  { id, outcome, part }: Wanted,
): AsyncGenerator<CampaignRecipientOutcome[]> {
  const { freeze } = await findCampaign(workspaceId, id);
  if (!freeze) return;
  const { first, chunks } = part ?? { first: 0, chunks: chunksOfFreeze(freeze) };
  const last = Math.min(chunksOfFreeze(freeze), first + chunks);
  for (let number = first; number < last; number += 1) {
    const found = await peopleOfChunk({ workspaceId, campaignId: id, freeze }, number, { outcome, consistent: true });
    yield found.map(({ person }) => person);
  }
}

export const chunksOfFreeze = ({ groups }: Freeze): number =>
  groups.reduce((sum, group) => sum + chunksOfGroup(group), 0);

interface Frozen {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly freeze: Freeze;
}

/** Somebody of a chunk, and their place in it. */
interface Placed {
  readonly place: number;
  readonly person: CampaignRecipientOutcome;
}

/** Those of a chunk who are wanted. Its slices tell; its addresses are read where somebody is, and nowhere else. */
export async function peopleOfChunk(
  { workspaceId, campaignId, freeze }: Frozen,
  number: number,
  { outcome, consistent }: { readonly outcome: RecipientFilter | undefined; readonly consistent: boolean },
): Promise<Placed[]> {
  const slices = await readSlices({ workspaceId, campaignId, chunk: number }, { consistent });
  const people = chunkInfo(freeze, number)?.people ?? 0;
  const wanted = Array.from({ length: people }, (_, place) => place).flatMap((place): Placed[] => {
    const { sets = {} } = slices[Math.floor(place / slicePositions)] ?? {};
    const person = outcomeOfPerson('', sets, place % slicePositions);
    return isWanted(person, outcome) ? [{ place, person }] : [];
  });
  if (wanted.length === 0) return [];
  const chunk = await getChunk({ workspaceId, campaignId, freezeId: freeze.id }, number);
  return wanted.flatMap(({ place, person }) => {
    const email = chunk?.emails[place];
    return email === undefined ? [] : [{ place, person: { ...person, email } }];
  });
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
