import { GetCommand } from '../dynamodb/commands.ts';
import { campaignShards, chunkKey } from '../table/keys.ts';
import { pack, unpack } from '../table/packed.ts';
import { documents, tableName } from '../table/table.ts';
import { writeAll } from './parts.ts';

/** Frozen addresses in a fixed order: a person is known by chunk and position from then on. */
export interface Chunk {
  readonly number: number;
  /** In canonical form, 500 at most. */
  readonly emails: readonly string[];
}

interface Frozen {
  readonly workspaceId: string;
  readonly campaignId: string;
  readonly freezeId: string;
}

/** Writes chunks, as many as a batch write takes (25): about 6 write units each. */
export async function putChunks(frozen: Frozen, chunks: readonly Chunk[], expiresAt: number): Promise<void> {
  const items = chunks.map(async ({ number, emails }) => ({
    ...chunkKey(frozen.workspaceId, frozen.campaignId, frozen.freezeId, number),
    body: await pack(emails),
    expires_at: expiresAt,
  }));
  await writeAll(await Promise.all(items));
}

/** Null when the freeze has no such chunk. */
export async function getChunk(frozen: Frozen, number: number): Promise<Chunk | null> {
  const { Item } = await documents.send(
    new GetCommand({
      TableName: tableName(),
      Key: chunkKey(frozen.workspaceId, frozen.campaignId, frozen.freezeId, number),
    }),
  );
  return Item ? { number, emails: await unpack<string[]>(Item.body) } : null;
}

/** A chunk by its item, with the campaign and the freeze that it belongs to. */
export async function chunkOf(item: Record<string, unknown>): Promise<Chunk & Omit<Frozen, 'workspaceId'>> {
  const [, , , campaignId = ''] = String(item.pk).split('#');
  const [, freezeId = '', number] = String(item.sk).split('#');
  return { campaignId, freezeId, number: Number(number), emails: await unpack<string[]>(item.body as Uint8Array) };
}

export const shardOfChunk = (chunk: number): number => chunk % campaignShards;
