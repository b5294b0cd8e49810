import { type Campaign, chunksOfGroup, type Freeze } from '../../domain/campaign/campaign.ts';
import { slicePositions } from '../../domain/campaign/slice.ts';
import { isAlias } from '../../domain/person/erased.ts';
import { getChunk } from '../../store/campaign/frozenContent.ts';
import { getSlice } from '../../store/campaign/slices.ts';
import { type CampaignRecipientOutcome, outcomeOfPerson } from './campaignRecipients.ts';

type FrozenCampaign = Pick<Campaign, 'workspaceId' | 'id'> & { readonly freeze: Freeze };

/**
 * The outcome of a campaign for one person (address in canonical form); null when it was not sent to them. The people
 * of each group are sorted by address: of a million, some ten chunks are read, of a test some twenty.
 */
export async function findRecipient(
  { workspaceId, id: campaignId, freeze }: FrozenCampaign,
  email: string,
): Promise<CampaignRecipientOutcome | null> {
  const readChunk = async (chunk: number) =>
    (await getChunk({ workspaceId, campaignId, freezeId: freeze.id }, chunk))?.emails ?? [];
  let share: number | null = null;
  for (const range of largestFirst(freeze)) {
    const { chunk, position } = await search(range, email, share, readChunk);
    if (position >= 0) {
      const { sets } = await getSlice({ workspaceId, campaignId, chunk, slice: Math.floor(position / slicePositions) });
      return outcomeOfPerson(email, sets, position % slicePositions);
    }
    // Groups are random, so an address is at about the same relative position in each.
    share ??= (chunk - range.first + 0.5) / range.chunks;
  }
  return null;
}

/** The chunks of a group. */
interface ChunkRange {
  readonly first: number;
  readonly chunks: number;
}

function largestFirst({ groups }: Freeze): ChunkRange[] {
  let first = 0;
  const ranges = groups.map((group): ChunkRange => {
    const range = { first, chunks: chunksOfGroup(group) };
    first += range.chunks;
    return range;
  });
  return ranges.sort((one, other) => other.chunks - one.chunks);
}

/** The chunk in which an address would be, and its position in it; -1 when it is not there. */
async function search(
  { first, chunks }: ChunkRange,
  email: string,
  share: number | null,
  readChunk: (chunk: number) => Promise<readonly string[]>,
): Promise<{ readonly chunk: number; readonly position: number }> {
  let [low, high] = [first, first + chunks - 1];
  let chunk = first + Math.floor(chunks * (share ?? 0.5));
  let step = share === null ? Number.POSITIVE_INFINITY : 1;
  while (low <= high) {
    const emails = await readChunk(chunk);
    const side = sideOf(email, emails);
    if (side === 'within') return { chunk, position: emails.indexOf(email) };
    const at = chunk;
    if (side === 'before') high = chunk - 1;
    else if (side === 'after') low = chunk + 1;
    // Everybody in this chunk was erased, so it gives no direction: continue with the next one.
    else if (chunk === high) high -= 1;
    const near = side === 'before' ? at - step : at + step;
    const isBracketed = low > first && high < first + chunks - 1;
    chunk = side === null ? Math.min(at + 1, high) : isBracketed || step > chunks ? Math.floor((low + high) / 2) : near;
    chunk = Math.max(low, Math.min(high, chunk));
    step *= 2;
  }
  return { chunk: Math.max(first, high), position: -1 };
}

/** The order of an address relative to those of a chunk; null when the chunk contains only erased people. */
function sideOf(email: string, emails: readonly string[]): 'before' | 'within' | 'after' | null {
  const left = emails.filter((one) => !isAlias(one));
  const [start, end] = [left[0], left.at(-1)];
  if (start === undefined || end === undefined) return null;
  if (email < start) return 'before';
  return email > end ? 'after' : 'within';
}
