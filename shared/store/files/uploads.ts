import * as z from 'zod';
import { type Upload, uploadEnd } from '../../domain/message/upload.ts';
import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { PutCommand } from '../dynamodb/commands.ts';
import { uploadDayKey, uploadItemKey } from '../table/keys.ts';
import { batchGet, documents, type Item, tableName } from '../table/table.ts';
import { updateOnce } from '../table/updateOnce.ts';

const record = z.object({
  workspace_id: z.string(),
  upload_id: z.string(),
  filename: z.string(),
  bytes: z.number(),
  content_type: z.string(),
  created_at: z.string(),
});

export async function putUpload(upload: Upload): Promise<void> {
  const { workspaceId, id, filename, bytes, contentType, createdAt } = upload;
  const Item: z.input<typeof record> & Item = {
    ...uploadItemKey(workspaceId, id),
    workspace_id: workspaceId,
    upload_id: id,
    filename,
    bytes,
    content_type: contentType,
    created_at: createdAt.toISOString(),
    expires_at: epochSeconds(uploadEnd(createdAt)),
  };
  await documents.send(new PutCommand({ TableName: tableName(), Item }));
}

/** Counts a file among those of its day (UTC); false, and nothing is counted, when that has no room for it. One write unit. */
export async function takeUploadAllowance(
  workspaceId: string,
  bytes: number,
  limit: { readonly files: number; readonly bytes: number },
  now: Date,
): Promise<boolean> {
  const update = {
    Key: uploadDayKey(workspaceId, now.toISOString().slice(0, 10)),
    UpdateExpression: 'SET expires_at = :expires ADD announced :one, announced_bytes :bytes',
    ConditionExpression: 'attribute_not_exists(announced) OR (announced < :files AND announced_bytes <= :room)',
    ExpressionAttributeValues: {
      ':one': 1,
      ':bytes': bytes,
      ':files': limit.files,
      ':room': limit.bytes - bytes,
      ':expires': epochSeconds(now) + 2 * secondsInDay,
    },
  };
  return (await updateOnce(update, { mark: 'last_announced' })).isMade;
}

/** Those of a workspace, by their ids; missing ones are left out. */
export async function findUploads(workspaceId: string, ids: readonly string[]): Promise<Map<string, Upload>> {
  const keys = [...new Set(ids)].map((id) => uploadItemKey(workspaceId, id));
  const items = await batchGet(keys, { consistent: true });
  return new Map(items.map(uploadOf).map((upload) => [upload.id, upload]));
}

function uploadOf(item: Item): Upload {
  const { workspace_id, upload_id, content_type, created_at, ...rest } = record.parse(item);
  return {
    ...rest,
    workspaceId: workspace_id,
    id: upload_id,
    contentType: content_type,
    createdAt: new Date(created_at),
  };
}
