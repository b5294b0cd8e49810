import { requestOf, signer } from './bucket.ts';

/** An address from which one file may be downloaded, under a name of its own, until it is over. */
export async function presignGet(
  key: string,
  { saveAs, now, expiresInSeconds }: { readonly saveAs: string; readonly now: Date; readonly expiresInSeconds: number },
): Promise<string> {
  const query = { 'response-content-disposition': `attachment; filename="${saveAs}"` };
  const headers = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
  const request = await requestOf('GET', key, { headers, query });
  const options = { signingDate: now, expiresIn: expiresInSeconds };
  const { protocol, headers: signed, path, query: all = {} } = await signer().presign(request, options);
  const url = new URL(`${protocol}//${signed.host}${path}`);
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, String(value));
  return url.href;
}
