import type { Input, Output } from '../../contract/route.ts';
import type { createUploadRoute } from '../../contract/routes/uploads.ts';
import { contentTypeOf } from '../../domain/message/contentType.ts';
import { uploadAddressSeconds, uploadEnd } from '../../domain/message/upload.ts';
import { createId } from '../../domain/token/identifier.ts';
import { addSeconds } from '../../platform/clock.ts';
import { uploadKey } from '../../store/files/keys.ts';
import { presignPut } from '../../store/files/presign.ts';
import { putUpload } from '../../store/files/uploads.ts';
import type { Context } from '../context.ts';

/** Announces a file and signs the one request that may write it. */
export async function createUpload(
  { workspaceId, now }: Context,
  { filename, size, content_type }: Input<typeof createUploadRoute>,
): Promise<Output<typeof createUploadRoute>> {
  const id = createId('upl', now);
  const contentType = content_type ?? contentTypeOf(filename);
  const file = { bytes: size, contentType };
  const [address] = await Promise.all([
    presignPut(uploadKey(workspaceId, id), file, { now, expiresInSeconds: uploadAddressSeconds }),
    putUpload({ workspaceId, id, filename, ...file, createdAt: now }),
  ]);
  return {
    id,
    object: 'upload',
    filename,
    size,
    content_type: contentType,
    method: 'PUT',
    ...address,
    url_expires_at: addSeconds(now, uploadAddressSeconds).toISOString(),
    expires_at: uploadEnd(now).toISOString(),
  };
}
