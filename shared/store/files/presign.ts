import { signingDateAt } from '../../platform/aws/signing/serverClock.ts';
import { requestOf, signer } from './bucket.ts';

export interface UploadAddress {
  readonly url: string;
  /** To be sent exactly so: they are signed. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * An address to which one file may be written, of this size and this type and no other: both headers are signed, and S3
 * refuses what comes with others as SignatureDoesNotMatch (Amazon S3 User Guide, "Download and upload objects with
 * presigned URLs": it acts with the permissions of who signed it). With a checksum, a file that has another is refused as
 * BadDigest ("Checking object integrity in Amazon S3").
 */
export async function presignPut(
  key: string,
  file: { readonly bytes: number; readonly contentType: string; readonly sha256: string | null },
  options: { readonly now: Date; readonly expiresInSeconds: number },
): Promise<UploadAddress> {
  const headers = {
    'content-type': file.contentType,
    'content-length': String(file.bytes),
    ...(file.sha256 !== null && { [checksumHeader]: file.sha256 }),
  };
  const request = await requestOf('PUT', key, { headers: { ...headers, 'x-amz-content-sha256': unsigned } });
  const { now, expiresInSeconds: expiresIn } = options;
  const {
    protocol,
    headers: signed,
    path,
    query = {},
  } = await signer().presign(request, {
    signingDate: signingDateAt(now.getTime()),
    expiresIn,
    // In the query S3 would not hold the file against it.
    unhoistableHeaders: new Set([checksumHeader]),
  });
  const url = new URL(`${protocol}//${signed.host}${path}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return { url: url.href, headers };
}

const checksumHeader = 'x-amz-checksum-sha256';

/** What a presigned request says of its body, of which nobody knows more yet than the size. */
const unsigned = 'UNSIGNED-PAYLOAD';
