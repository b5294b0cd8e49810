import * as z from 'zod';
import { type Upload, uploadEnd } from '../../domain/message/attachment.ts';
import { epochSeconds, secondsInDay } from '../../platform/clock.ts';
import { batchGet } from '../table/batches.ts';
import type { Change } from '../table/expression.ts';
import { uploadDayKey, uploadItemKey } from '../table/keys.ts';
import type { Item } from '../table/table.ts';
import { changeOnce, putItem } from '../table/write.ts';

const record = z.object({
  workspace_id: z.string(),
  upload_id: z.string(),
  filename: z.string(),
  bytes: z.number(),
  content_type: z.string(),
  created_at: z.string(),
});

interface UploadRecord extends z.input<typeof record> {
  readonly expires_at: number;
}

export async function putUpload(upload: Upload): Promise<void> {
  const { workspaceId, id, filename, bytes, contentType, createdAt } = upload;
  await putItem<UploadRecord>(uploadItemKey(workspaceId, id), {
    workspace_id: workspaceId,
    upload_id: id,
    filename,
    bytes,
    content_type: contentType,
    created_at: createdAt.toISOString(),
    expires_at: epochSeconds(uploadEnd(createdAt)),
  });
}

/** What was announced on one day. */
interface UploadDayRecord {
  readonly announced?: number;
  readonly announced_bytes?: number;
  /** Marker of the latest count. */
  readonly last_announced?: string;
  readonly expires_at: number;
}

/** Counts a file on its day (UTC); false, without counting, when the day's limit is reached. One write unit. */
export async function takeUploadAllowance(
  workspaceId: string,
  bytes: number,
  limit: { readonly files: number; readonly bytes: number },
  now: Date,
): Promise<boolean> {
  const key = uploadDayKey(workspaceId, now.toISOString().slice(0, 10));
  const hasRoom = {
    all: [
      ['announced', '<', limit.files],
      ['announced_bytes', '<=', limit.bytes - bytes],
    ],
  } as const;
  const change: Change<UploadDayRecord> = {
    set: { expires_at: epochSeconds(now) + 2 * secondsInDay },
    add: { announced: 1, announced_bytes: bytes },
    if: [{ any: [['announced', 'absent'], hasRoom] }],
  };
  return (await changeOnce<UploadDayRecord>(key, change, { marker: 'last_announced' })).isMade;
}

/** The uploads with these ids in a workspace; missing ones are left out. */
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
