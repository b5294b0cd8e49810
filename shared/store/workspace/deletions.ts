import * as z from 'zod';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { PutCommand, QueryCommand } from '../dynamodb/commands.ts';
import { ConditionalCheckFailedException } from '../dynamodb/errors.ts';
import { changeItem } from '../table/change.ts';
import { deletionKey, dueDeletionPartition, publicIdKey, registerKey, workspaceKey } from '../table/keys.ts';
import { batchGet, documents, type Item, tableName } from '../table/table.ts';
import { transact } from '../table/transaction.ts';

const record = z.object({
  sk: z.string(),
  requested_at: z.string(),
  due_sk: z.string(),
  scanned: z.number().default(0),
  deleted: z.number().default(0),
  passes: z.number().default(0),
  /** Of the pass that is under way: how many it has deleted, and where it stands. */
  deleted_in_pass: z.number().default(0),
  position: z.object({ pk: z.string(), sk: z.string() }).nullish(),
});

/** A workspace that is being deleted, and how far that is. */
export interface Deletion {
  readonly workspaceId: string;
  readonly requestedAt: string;
  /** Who works on it moves this ahead: another finds it again when it has passed. */
  readonly dueAt: string;
  /** Items of the table that were looked at, and those that were deleted. */
  readonly scanned: number;
  readonly deleted: number;
  /** How often the whole table was gone through. */
  readonly passes: number;
  readonly deletedInPass: number;
  /** Where the next page begins; null at the start of a pass. */
  readonly position: { readonly pk: string; readonly sk: string } | null;
}

export type DeletionProgress = Pick<Deletion, 'scanned' | 'deleted' | 'passes' | 'deletedInPass' | 'position'>;

/** Notes that a workspace is to be deleted; one that is noted stays as it is. */
export async function startDeletion(workspaceId: string, at: Date): Promise<void> {
  const Item = {
    ...deletionKey(workspaceId),
    requested_at: at.toISOString(),
    due_pk: dueDeletionPartition,
    due_sk: at.toISOString(),
  };
  try {
    await documents.send(
      new PutCommand({ TableName: tableName(), Item, ConditionExpression: 'attribute_not_exists(pk)' }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}

/** Null when the workspace is not being deleted. */
export async function getDeletion(workspaceId: string): Promise<Deletion | null> {
  const [item] = await batchGet([deletionKey(workspaceId)], { consistent: true });
  return item ? deletionOf(item) : null;
}

/** Workspaces whose deletion nobody is at work on, as the index shows it: one empty query when there is nothing to do. */
export async function listDueDeletions(now: Date): Promise<Pick<Deletion, 'workspaceId'>[]> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: tableName(),
      IndexName: 'due',
      KeyConditionExpression: 'due_pk = :pk AND due_sk < :now',
      ExpressionAttributeValues: { ':pk': dueDeletionPartition, ':now': now.toISOString() },
      Limit: 10,
    }),
  );
  return Items.map(({ sk }) => ({ workspaceId: String(sk) }));
}

/** Notes how far it is and who is at work until when; null when somebody else is, or it is done. */
export async function noteDeletion(
  deletion: Deletion,
  { scanned, deleted, passes, deletedInPass, position }: DeletionProgress,
  until: Date,
): Promise<Deletion | null> {
  const set = { scanned, deleted, passes, deleted_in_pass: deletedInPass, position, due_sk: until.toISOString() };
  const item = await changeItem(deletionKey(deletion.workspaceId), { set, expect: { due_sk: deletion.dueAt } });
  return item && deletionOf(item);
}

/** The last to go: the workspace itself, its places in the register and behind its form, and the note of the deletion. */
export async function endDeletion({ id, publicId }: Pick<Workspace, 'id' | 'publicId'>): Promise<void> {
  const keys = [workspaceKey(id), registerKey(id), publicIdKey(publicId), deletionKey(id)];
  await transact(keys.map((Key) => ({ Delete: { TableName: tableName(), Key } })));
}

function deletionOf(item: Item): Deletion {
  const { sk, requested_at, due_sk, deleted_in_pass, position, ...counts } = record.parse(item);
  return {
    ...counts,
    workspaceId: sk,
    requestedAt: requested_at,
    dueAt: due_sk,
    deletedInPass: deleted_in_pass,
    position: position ?? null,
  };
}
