import * as z from 'zod';
import type { Segment } from '../../domain/segment/segment.ts';
import { segmentRule } from '../../domain/segment/segmentRule.ts';
import { readTogether } from '../table/batches.ts';
import { segmentKey, segmentsPartition } from '../table/keys.ts';
import { getItem, type Item, queryAll, type TransactionPart } from '../table/table.ts';
import { deleteItem, putItem, putPart } from '../table/write.ts';

/** The rule is JSON: it is read as a whole. */
const record = z.object({
  id: z.string(),
  name: z.string(),
  rule: z.string(),
  created_at: z.string(),
  updated_at: z.string().nullish(),
  rule_updated_at: z.string().nullish(),
});

function segmentOf(item: Item): Segment {
  const { rule, created_at, updated_at, rule_updated_at, ...segment } = record.parse(item);
  const updated = {
    ...(updated_at && { updatedAt: updated_at }),
    ...(rule_updated_at && { ruleUpdatedAt: rule_updated_at }),
  };
  return { ...segment, rule: segmentRule.parse(JSON.parse(rule)), createdAt: created_at, ...updated };
}

type StoredSegment = z.input<typeof record>;

const recordOf = ({ id, name, rule, createdAt, updatedAt, ruleUpdatedAt }: Segment): StoredSegment => ({
  ...{ id, name, rule: JSON.stringify(rule), created_at: createdAt },
  ...(updatedAt !== undefined && { updated_at: updatedAt }),
  ...(ruleUpdatedAt !== undefined && { rule_updated_at: ruleUpdatedAt }),
});

export async function putSegment(workspaceId: string, segment: Segment): Promise<void> {
  await putItem<StoredSegment>(segmentKey(workspaceId, segment.id), recordOf(segment));
}

/** Replaces a segment; false when there is none any more. */
export const changeSegment = (workspaceId: string, segment: Segment): Promise<boolean> =>
  putItem<StoredSegment>(segmentKey(workspaceId, segment.id), recordOf(segment), { if: [['pk', 'exists']] });

/** The same as a part of a transaction. */
export const changeSegmentPart = (workspaceId: string, segment: Segment): TransactionPart =>
  putPart<StoredSegment>(segmentKey(workspaceId, segment.id), recordOf(segment), { if: [['pk', 'exists']] });

export async function getSegment(workspaceId: string, segmentId: string): Promise<Segment | null> {
  const item = await getItem(segmentKey(workspaceId, segmentId));
  return item && segmentOf(item);
}

/** Segments by id, without those that are not there; strongly consistent, in one read with others of the same moment. */
export async function getSegments(workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Segment>> {
  const items = await readTogether(ids.map((id) => segmentKey(workspaceId, id)));
  return new Map(items.flatMap((item) => (item ? [segmentOf(item)] : [])).map((segment) => [segment.id, segment]));
}

/** Oldest first; a workspace has few. */
export async function listSegments(workspaceId: string): Promise<Segment[]> {
  return (await queryAll({ partition: segmentsPartition(workspaceId), consistency: 'strong' })).map(segmentOf);
}

/** False when there was none. */
export const deleteSegment = (workspaceId: string, segmentId: string): Promise<boolean> =>
  deleteItem(segmentKey(workspaceId, segmentId));
