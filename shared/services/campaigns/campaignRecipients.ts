import type { Input, Result } from '../../contract/route.ts';
import type { listRecipientsRoute } from '../../contract/routes/campaignOutcome.ts';
import { chunkInfo, chunksOfGroup, type Freeze, frozenPeople } from '../../domain/campaign/campaign.ts';
import { progressCounts } from '../../domain/campaign/report.ts';
import {
  chunkPositions,
  outcomeOf,
  type RecipientFilter,
  recipientFilters,
  type SkipReason,
  type SliceOutcome,
  type SliceSets,
  setOf,
  skipReasons,
  slicePositions,
} from '../../domain/campaign/slice.ts';
import { inParallel } from '../../platform/parallel.ts';
import { getChunk } from '../../store/campaign/frozenContent.ts';
import { readSlices } from '../../store/campaign/slices.ts';
import { readTallies, type Tallies } from '../../store/campaign/tallies.ts';
import type { Context } from '../context.ts';
import { auditedPieces, requireOperator, requireRole } from '../operatorVerb.ts';
import { findCampaign } from './readCampaigns.ts';

/** What became of one person of a campaign. */
export interface CampaignRecipientOutcome {
  readonly email: string;
  readonly outcome: SliceOutcome;
  /** Why they were skipped; null for every other outcome. */
  readonly reason: SkipReason | null;
  readonly delivered: boolean;
  readonly bounced: boolean;
  readonly complained: boolean;
  readonly opened: boolean;
  readonly clicked: boolean;
  readonly unsubscribed: boolean;
}

interface RecipientsRequest {
  readonly id: string;
  readonly outcome?: RecipientFilter | undefined;
  /** Only this many chunks of 500, from the first one on; absent for all. */
  readonly part?: { readonly first: number; readonly chunks: number };
}

function passesFilter(person: CampaignRecipientOutcome, filter: RecipientFilter | undefined): boolean {
  if (filter === undefined || person.outcome === filter) return true;
  if (filter.startsWith('skip.')) return filter === `skip.${person.reason}`;
  return person[filter as keyof CampaignRecipientOutcome] === true;
}

/** All recipients of a campaign, chunk by chunk, with one chunk in memory. An export: it is recorded in the audit log. */
export async function* campaignRecipients(
  context: Context,
  request: RecipientsRequest,
): AsyncGenerator<CampaignRecipientOutcome[]> {
  requireOperator(context, 'change');
  yield* auditedPieces(context, { action: 'campaign.recipients', subject: request.id }, chunksOf(context, request));
}

async function* chunksOf(
  { workspaceId }: Context,
  { id, outcome, part }: RecipientsRequest,
): AsyncGenerator<CampaignRecipientOutcome[]> {
  const { freeze } = await findCampaign(workspaceId, id);
  if (!freeze) return;
  const { first, chunks } = part ?? { first: 0, chunks: chunksOfFreeze(freeze) };
  const last = Math.min(chunksOfFreeze(freeze), first + chunks);
  for (let number = first; number < last; number += 1) {
    const people = await peopleOfChunk({ workspaceId, campaignId: id, freeze }, number, { outcome, consistent: true });
    yield people.map(({ person }) => person);
  }
}

const chunksOfFreeze = ({ groups }: Freeze): number => groups.reduce((sum, group) => sum + chunksOfGroup(group), 0);

interface FrozenCampaign {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly freeze: Freeze;
}

/** A recipient and their position in the chunk. */
interface ChunkRecipient {
  readonly position: number;
  readonly person: CampaignRecipientOutcome;
}

/** The recipients of a chunk that pass the filter. The addresses are read only when the slices show that there are any. */
async function peopleOfChunk(
  { workspaceId, campaignId, freeze }: FrozenCampaign,
  number: number,
  { outcome, consistent }: { readonly outcome: RecipientFilter | undefined; readonly consistent: boolean },
): Promise<ChunkRecipient[]> {
  const slices = await readSlices({ workspaceId, campaignId, chunk: number }, { consistent });
  const people = chunkInfo(freeze, number)?.people ?? 0;
  const passing = Array.from({ length: people }, (_, position) => position).flatMap((position): ChunkRecipient[] => {
    const { sets = {} } = slices[Math.floor(position / slicePositions)] ?? {};
    const person = outcomeOfPerson('', sets, position % slicePositions);
    return passesFilter(person, outcome) ? [{ position, person }] : [];
  });
  if (passing.length === 0) return [];
  const chunk = await getChunk({ workspaceId, campaignId, freezeId: freeze.id }, number);
  return passing.flatMap(({ position, person }) => {
    const email = chunk?.emails[position];
    return email === undefined ? [] : [{ position, person: { ...person, email } }];
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

/** At most this many chunks are read for one page: 20,000 people. */
const chunksOfPage = 40;
const chunksAtOnce = 8;

interface PageRequest {
  readonly id: string;
  readonly outcome?: RecipientFilter | undefined;
  readonly after: number;
  readonly limit: number;
}

/** By filter, how many recipients the counters show; without filters that would show none. */
type RecipientCounts = ReadonlyMap<RecipientFilter, number>;

interface RecipientPage {
  readonly people: readonly CampaignRecipientOutcome[];
  /** The position where the next page starts; null at the end of the list. */
  readonly next: number | null;
  /** The length of the whole list. */
  readonly all: number;
  readonly counts: RecipientCounts;
}

/**
 * A page of the recipients in the order of the freeze. Its cost is limited: with a filter that few pass it may have
 * fewer than `limit`, and `next` is the position to continue from. Shards whose counters show no match are not read.
 */
export async function pageOfRecipients(context: Context, request: PageRequest): Promise<RecipientPage> {
  requireRole(context, 'read');
  const { workspaceId } = context;
  const { id, limit } = request;
  const { freeze } = await findCampaign(workspaceId, id);
  if (!freeze) return { people: [], next: null, all: 0, counts: new Map() };
  const tallies = await readTallies(workspaceId, id);
  const counts = countsOf(tallies, freeze);
  const all = frozenPeople(freeze);
  const people: CampaignRecipientOutcome[] = [];
  const { numbers, until } = chunksToRead(tallies, freeze, request);
  const step = request.outcome === undefined ? 1 : chunksAtOnce;
  for (let start = 0; start < numbers.length; start += step) {
    const round = numbers.slice(start, start + step);
    const options = { outcome: request.outcome, consistent: false };
    const chunks = await inParallel(step, round, (number) =>
      peopleOfChunk({ workspaceId, campaignId: id, freeze }, number, options),
    );
    for (const [index, chunk] of chunks.entries()) {
      for (const { position, person } of chunk) {
        const inList = (round[index] ?? 0) * chunkPositions + position;
        if (inList < request.after) continue;
        if (people.length === limit) return { people, next: inList, all, counts };
        people.push(person);
      }
    }
    const following = numbers[start + step];
    if (people.length === limit && following !== undefined) {
      return { people, next: following * chunkPositions, all, counts };
    }
  }
  return { people, next: until < chunksOfFreeze(freeze) ? until * chunkPositions : null, all, counts };
}

/** A page of the recipients as the API answers it. */
export async function listRecipients(
  context: Context,
  { after, ...request }: Input<typeof listRecipientsRoute>,
): Promise<Result<typeof listRecipientsRoute>> {
  const { people, next } = await pageOfRecipients(context, { ...request, after: Number(after ?? 0) });
  const entries = people.map(({ reason, ...person }) => ({
    object: 'campaign_recipient' as const,
    ...person,
    // A topic is called a kind where it is stored.
    reason: reason === 'left_kind' ? ('left_topic' as const) : reason,
  }));
  return { entries, next: next === null ? null : String(next) };
}

/** The chunks to read for a page, and the first chunk after them. */
function chunksToRead({ shards }: Tallies, freeze: Freeze, { outcome, after }: PageRequest) {
  const mayHold = (number: number) =>
    outcome === undefined || outcome === 'waiting' || (shards[number % shards.length]?.[outcome] ?? 0) > 0;
  const all = chunksOfFreeze(freeze);
  const numbers: number[] = [];
  let until = Math.floor(after / chunkPositions);
  for (; until < all && numbers.length < chunksOfPage; until += 1) if (mayHold(until)) numbers.push(until);
  while (until < all && !mayHold(until)) until += 1;
  return { numbers, until };
}

function countsOf({ total }: Tallies, freeze: Freeze): RecipientCounts {
  const counted: Readonly<Record<string, number>> = { ...total, ...progressCounts(total, frozenPeople(freeze)) };
  return new Map(
    recipientFilters.flatMap((name): [RecipientFilter, number][] => {
      const count = counted[name] ?? 0;
      return count > 0 ? [[name, count]] : [];
    }),
  );
}
