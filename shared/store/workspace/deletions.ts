import * as z from 'zod';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { deletionKey, dueDeletionPartition, publicIdKey, registerKey, workspaceKey } from '../table/keys.ts';
import { getItem, type Item, queryItems } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { changeItem, changePart, deletePart, putItem } from '../table/write.ts';
import type { RegisterRecord, WorkspaceRecord } from './workspaces.ts';

const record = z.object({
  requested_at: z.string(),
  due_pk: z.string().optional(),
  due_sk: z.string(),
  scanned: z.number().default(0),
  deleted: z.number().default(0),
  passes: z.number().default(0),
  /** Of the current pass: the number of deleted items, and the position. */
  deleted_in_pass: z.number().default(0),
  position: z.object({ pk: z.string(), sk: z.string() }).nullish(),
});

type DeletionRecord = z.input<typeof record>;

/** A workspace that is being deleted, with the progress of the deletion. */
export interface Deletion {
  readonly workspaceId: string;
  readonly requestedAt: string;
  /** The end of the worker's lease: after it another worker continues. */
  readonly dueAt: string;
  /** Scanned and deleted items of the table. */
  readonly scanned: number;
  readonly deleted: number;
  /** The number of full scans of the table. */
  readonly passes: number;
  readonly deletedInPass: number;
  /** Where the next page begins; null at the start of a pass. */
  readonly position: { readonly pk: string; readonly sk: string } | null;
}

export type DeletionProgress = Pick<Deletion, 'scanned' | 'deleted' | 'passes' | 'deletedInPass' | 'position'>;

/** Records that a workspace is to be deleted. Idempotent. */
export async function startDeletion(workspaceId: string, at: Date): Promise<void> {
  const started = { requested_at: at.toISOString(), due_pk: dueDeletionPartition, due_sk: at.toISOString() };
  await putItem<DeletionRecord>(deletionKey(workspaceId), started, { if: [['pk', 'absent']] });
}

/** Closes a workspace for good. Idempotent. The suspension is for the previous release. */
export async function closeWorkspace(workspaceId: string, at: Date): Promise<void> {
  const since = at.toISOString();
  const suspension = { since, bounce_rate: 0, complaint_rate: 0 };
  await transact([
    changePart<WorkspaceRecord>(workspaceKey(workspaceId), {
      setIfAbsent: { ended_at: since, suspension },
      if: [['pk', 'exists']],
    }),
    changePart<RegisterRecord>(registerKey(workspaceId), { setIfAbsent: { ended_at: since }, if: [['pk', 'exists']] }),
  ]);
}

/** Null when the workspace is not being deleted. */
export async function getDeletion(workspaceId: string): Promise<Deletion | null> {
  const item = await getItem(deletionKey(workspaceId));
  return item && deletionOf(item);
}

/** Workspaces whose deletion no worker is running, as in the index: one empty query when there is none. */
export async function listDueDeletions(now: Date): Promise<Pick<Deletion, 'workspaceId'>[]> {
  const sort = { below: now.toISOString() };
  const items = await queryItems({ index: 'due', partition: dueDeletionPartition, sort, limit: 10 });
  return items.map(({ sk }) => ({ workspaceId: String(sk) }));
}

/** Stores the progress and extends the lease; null when another worker has it, or the deletion is done. */
export async function noteDeletion(
  deletion: Deletion,
  { scanned, deleted, passes, deletedInPass, position }: DeletionProgress,
  until: Date,
): Promise<Deletion | null> {
  const item = await changeItem<DeletionRecord>(deletionKey(deletion.workspaceId), {
    set: { scanned, deleted, passes, deleted_in_pass: deletedInPass, position, due_sk: until.toISOString() },
    expect: { due_sk: deletion.dueAt },
  });
  return item && deletionOf(item);
}

/**
 * The last step: deletes the workspace itself, its entry in the register, its public id and the record of the deletion.
 */
export async function endDeletion({ id, publicId }: Pick<Workspace, 'id' | 'publicId'>): Promise<void> {
  const keys = [workspaceKey(id), registerKey(id), publicIdKey(publicId), deletionKey(id)];
  await transact(keys.map((key) => deletePart(key)));
}

function deletionOf(item: Item): Deletion {
  const { requested_at, due_pk: _, due_sk, deleted_in_pass, position, ...counts } = record.parse(item);
  return {
    ...counts,
    workspaceId: String(item.sk),
    requestedAt: requested_at,
    dueAt: due_sk,
    deletedInPass: deleted_in_pass,
    position: position ?? null,
  };
}
