import type { SQSClient } from '@aws-sdk/client-sqs';
import { SignatureV4 } from '@smithy/signature-v4';
import { region } from '../engines/engineEnvironment.ts';

/** Creates the bucket on an engine that the user brings; one that is there stays. Signed with the credentials of `sqs`. */
export async function ensureBucket(endpoint: string, bucket: string, { config }: SQSClient): Promise<void> {
  const { protocol, hostname, host, pathname } = new URL(`${endpoint.replace(/\/$/, '')}/${bucket}`);
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: config.credentials,
    sha256: config.sha256,
    uriEscapePath: false,
  });
  const request = { method: 'PUT', protocol, hostname, path: pathname, query: {}, headers: { host } };
  const { method, headers } = await signer.sign(request);
  const { ok, status } = await fetch(`${protocol}//${host}${pathname}`, { method, headers });
  // 409: it is there, and ours.
  if (!ok && status !== 409) throw new Error(`The bucket ${bucket} could not be created at ${endpoint}: ${status}.`);
}
