import { ServiceError } from '../contract/errors.ts';
import type { Input, Output } from '../contract/route.ts';
import type { createUploadRoute } from '../contract/routes/uploads.ts';
import { createId } from '../domain/identifier.ts';
import { uploadAddressSeconds, uploadEnd } from '../domain/message/attachment.ts';
import { contentTypeOf } from '../domain/message/header.ts';
import { textsOf } from '../language/text.ts';
import { addSeconds } from '../platform/clock.ts';
import { presignPut, uploadKey } from '../store/files/bucket.ts';
import { putUpload, takeUploadAllowance } from '../store/files/uploads.ts';
import type { Context } from './context.ts';

/** Announced files of a workspace per day, so that a stolen key cannot fill the bucket. */
const dayLimit = { files: 10_000, bytes: 50_000_000_000 };

/** Counts an announced file. Throws `rate_limit_exceeded` when the day's limit is reached. */
export async function countUpload(workspaceId: string, bytes: number, now: Date): Promise<void> {
  if (await takeUploadAllowance(workspaceId, bytes, dayLimit, now)) return;
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
  const retryAfterSeconds = Math.ceil((midnight - now.getTime()) / 1000);
  throw new ServiceError('rate_limit_exceeded', {
    text: texts.dayFull,
    details: { retry_after: retryAfterSeconds },
    retryAfterSeconds,
  });
}

const texts = textsOf({
  dayFull: {
    en: `A workspace may create uploads of at most ${dayLimit.files} files and ${dayLimit.bytes / 1e9} GB a day (UTC), whether they are sent or not.`,
    fr: `Un espace peut créer des téléversements de ${dayLimit.files} fichiers et ${dayLimit.bytes / 1e9} Go au plus par jour (UTC), qu’ils soient envoyés ou non.`,
  },
});

/** Announces a file and returns the signed address that it is uploaded to. */
export async function createUpload(
  { workspaceId, now }: Context,
  { filename, size, content_type, checksum_sha256 }: Input<typeof createUploadRoute>,
): Promise<Output<typeof createUploadRoute>> {
  const id = createId('upl', now);
  const contentType = content_type ?? contentTypeOf(filename);
  const file = { bytes: size, contentType };
  await countUpload(workspaceId, size, now);
  const [address] = await Promise.all([
    presignPut(
      uploadKey(workspaceId, id),
      { ...file, sha256: checksum_sha256 ?? null },
      { now, expiresInSeconds: uploadAddressSeconds },
    ),
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
