import { signingDateAt } from '../../platform/aws/signing/serverClock.ts';
import { requestOf, signer } from './bucket.ts';

/** Time to follow a link, and no more. */
const addressSeconds = 60;

/** An address from which one file may be downloaded for a minute, under a name of its own. */
export async function presignGet(
  key: string,
  { saveAs, now }: { readonly saveAs: string; readonly now: Date },
): Promise<string> {
  const query = { 'response-content-disposition': `attachment; filename="${saveAs}"` };
  const headers = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
  const request = await requestOf('GET', key, { headers, query });
  const options = { signingDate: signingDateAt(now.getTime()), expiresIn: addressSeconds };
  const { protocol, headers: signed, path, query: all = {} } = await signer().presign(request, options);
  const url = new URL(`${protocol}//${signed.host}${path}`);
  for (const [name, value] of Object.entries(all)) url.searchParams.set(name, String(value));
  return url.href;
}
