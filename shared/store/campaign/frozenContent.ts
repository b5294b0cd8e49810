import type { MessageTemplate } from '../../domain/content/messageTemplate.ts';
import type { AddressReplacer } from '../../domain/person/erased.ts';
import { putItems } from '../table/batches.ts';
import { erasedFields, type FieldRules } from '../table/fieldRules.ts';
import { campaignMessageKey, campaignShards, chunkKey } from '../table/keys.ts';
import { getItem, type Item, pack, unpack } from '../table/table.ts';
import { getParts, putParts } from './internal/parts.ts';

/** Frozen addresses in a fixed order: from then on a person is identified by chunk and position. */
export interface Chunk {
  readonly number: number;
  /** In canonical form, 500 at most. */
  readonly emails: readonly string[];
}

interface ChunkRecord {
  /** The addresses, compressed. */
  readonly body: Uint8Array;
  readonly expires_at: number;
}

export const chunkRules = {
  body: { erasure: 'keep', inExport: 'by code', shown: 'never' },
} as const satisfies FieldRules<ChunkRecord>;

/** The item with the alias of an erased person in place of their address; null when the address is not in it. */
export async function erasedChunk(item: Item, replacer: AddressReplacer): Promise<Item | null> {
  const emails = await unpack<string[]>(item.body as Uint8Array);
  const renamed = replacer.replaced(emails) as string[];
  return renamed === emails ? null : { ...erasedFields(chunkRules, item), body: await pack(renamed) };
}

interface Frozen {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly freezeId: string;
}

/** Writes chunks, at most as many as one batch write takes (25); about 6 write units each. */
export async function putChunks(frozen: Frozen, chunks: readonly Chunk[], expiresAt: number): Promise<void> {
  const items = chunks.map(async ({ number, emails }) => ({
    ...chunkKey(frozen.workspaceId, frozen.campaignId, frozen.freezeId, number),
    body: await pack(emails),
    expires_at: expiresAt,
  }));
  await putItems<ChunkRecord>(await Promise.all(items));
}

/** Null when the freeze has no such chunk. */
export async function getChunk(frozen: Frozen, number: number): Promise<Chunk | null> {
  const item = await getItem(chunkKey(frozen.workspaceId, frozen.campaignId, frozen.freezeId, number), 'eventual');
  return item && { number, emails: await unpack<string[]>(item.body as Uint8Array) };
}

/** A chunk from its item, with the campaign and the freeze that it belongs to. */
export async function chunkOf(item: Item): Promise<Chunk & Omit<Frozen, 'workspaceId'>> {
  const [, , , campaignId = ''] = String(item.pk).split('#');
  const [, freezeId = '', number] = String(item.sk).split('#');
  return { campaignId, freezeId, number: Number(number), emails: await unpack<string[]>(item.body as Uint8Array) };
}

export const shardOfChunk = (chunk: number): number => chunk % campaignShards;

/** The message of one variant, as rendered when the campaign was frozen. */
export interface CampaignMessage extends MessageTemplate {
  /** The sender as SES takes it, with an encoded display name. */
  readonly from: string;
  /** Likewise; absent when answers go to the sender. */
  readonly replyTo?: readonly string[];
  readonly listId: string;
  /** How many recipients fit into one call of SES; a whole slice when absent. */
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
