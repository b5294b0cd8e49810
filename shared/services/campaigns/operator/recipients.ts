import { chunksOfGroup, type Freeze } from '../../../domain/campaign/campaign.ts';
import {
  chunkPositions,
  outcomeOf,
  type SliceOutcome,
  type SliceSets,
  setOf,
  skipReasons,
  slicePositions,
} from '../../../domain/campaign/slice.ts';
import { getChunk } from '../../../store/campaign/chunks.ts';
import { readSlices } from '../../../store/campaign/slices.ts';
import { readTallies } from '../../../store/campaign/tallies.ts';
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

/** What a list of people is narrowed to: an outcome, or something that happened to them. */
export const recipientFilters = [
  'sent',
  'delivered',
  'opened',
  'clicked',
  'unsubscribed',
  'bounced',
  'complained',
  'skipped',
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

const isWanted = (person: CampaignRecipientOutcome, wanted: RecipientFilter | undefined): boolean => {
  if (wanted === undefined || person.outcome === wanted) return true;
  const flags = { ...person, sent: false, skipped: false, failed: false, uncertain: false, waiting: false };
  return flags[wanted];
};

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
  const frozen = { workspaceId, campaignId: id, freezeId: freeze.id };
  const { first, chunks } = part ?? { first: 0, chunks: chunksOfFreeze(freeze) };
  const last = Math.min(chunksOfFreeze(freeze), first + chunks);
  for (let number = first; number < last; number += 1) {
    yield (await peopleOfChunk(frozen, number)).filter((person) => isWanted(person, outcome));
  }
}

const chunksOfFreeze = ({ groups }: Freeze): number => groups.reduce((sum, group) => sum + chunksOfGroup(group), 0);

type Frozen = Parameters<typeof getChunk>[0];

async function peopleOfChunk(frozen: Frozen, number: number): Promise<CampaignRecipientOutcome[]> {
  const [chunk, slices] = await Promise.all([getChunk(frozen, number), readSlices({ ...frozen, chunk: number })]);
  return (chunk?.emails ?? []).map((email, index) => {
    const slice = slices[Math.floor(index / slicePositions)];
    return outcomeOfPerson(email, slice?.sets ?? {}, index % slicePositions);
  });
}

/** Chunks that one page looks through at most: 20,000 people, of whom few may be those that are looked for. */
const chunksOfPage = 40;
const chunksAtOnce = 8;

/**
 * Some of the people of a campaign, in the order in which they were frozen, after a position of that order. What a page
 * costs does not depend on how many people there are: one that looks for few people among many may hold fewer than its
 * limit, and goes on after the last it looked at. Shards whose counters know of nobody are passed over.
 */
export async function pageOfRecipients(
  context: Context,
  wanted: {
    readonly id: string;
    readonly outcome?: RecipientFilter | undefined;
    readonly after: number;
    readonly limit: number;
  },
): Promise<{ readonly people: readonly CampaignRecipientOutcome[]; readonly next: number | null }> {
  requireOperator(context, 'read');
  const { workspaceId } = context;
  const { id, outcome, limit } = wanted;
  const { freeze } = await findCampaign(workspaceId, id);
  if (!freeze) return { people: [], next: null };
  const isCounted = outcome === undefined || outcome === 'waiting' ? null : (await readTallies(workspaceId, id)).shards;
  const mayHold = (number: number) =>
    isCounted === null || outcome === undefined || (isCounted[number % isCounted.length]?.[outcome] ?? 0) > 0;
  const frozen = { workspaceId, campaignId: id, freezeId: freeze.id };
  const all = chunksOfFreeze(freeze);
  const first = Math.floor(wanted.after / chunkPositions);
  const until = Math.min(all, first + chunksOfPage);
  const people: CampaignRecipientOutcome[] = [];
  const step = outcome === undefined ? 1 : chunksAtOnce;
  for (let start = first; start < until; start += step) {
    const numbers = Array.from({ length: Math.min(step, until - start) }, (_, index) => start + index);
    const found = await Promise.all(numbers.map((number) => (mayHold(number) ? peopleOfChunk(frozen, number) : [])));
    for (const [index, chunk] of found.entries()) {
      const number = start + index;
      const skipped = number === first ? wanted.after % chunkPositions : 0;
      for (let place = skipped; place < chunk.length; place += 1) {
        const person = chunk[place];
        if (!person || !isWanted(person, outcome)) continue;
        if (people.length === limit) return { people, next: number * chunkPositions + place };
        people.push(person);
      }
    }
  }
  return { people, next: until < all ? until * chunkPositions : null };
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
