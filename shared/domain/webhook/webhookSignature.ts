import { createHmac, timingSafeEqual } from 'node:crypto';

export const signatureHeader = 'Service-Signature';
const signatureToleranceSeconds = 300;

export interface SignedMessage {
  /** All that are valid now: two while a secret is being rotated. */
  readonly secrets: readonly string[];
  /** Unix time of this attempt. */
  readonly timestampSeconds: number;
  /** The bytes as they are sent. */
  readonly body: string | Uint8Array;
}

/** The header's value, `t=…,v1=…` with one `v1` for each secret: HMAC-SHA256 in hexadecimal of `<t>.<raw body>`. */
export function signWebhook({ secrets, timestampSeconds, body }: SignedMessage): string {
  return [
    `t=${timestampSeconds}`,
    ...secrets.map((secret) => `v1=${hmac(secret, String(timestampSeconds), body)}`),
  ].join();
}

export interface ReceivedMessage {
  readonly header: string;
  readonly body: string | Uint8Array;
  readonly secret: string;
  readonly nowSeconds: number;
}

/** What a receiver does: compares in constant time and refuses a time older than 300 seconds. */
export function verifyWebhook({ header, body, secret, nowSeconds }: ReceivedMessage): boolean {
  const pairs = header.split(',').map((pair) => pair.trim().split('='));
  const timestamp = pairs.find(([name]) => name === 't')?.[1] ?? '';
  if (!/^\d{1,12}$/.test(timestamp) || nowSeconds - Number(timestamp) > signatureToleranceSeconds) return false;
  const expected = Buffer.from(hmac(secret, timestamp, body));
  return pairs
    .filter(([name]) => name === 'v1')
    .map(([, signature]) => Buffer.from(signature ?? ''))
    .some((signature) => signature.length === expected.length && timingSafeEqual(signature, expected));
}

function hmac(secret: string, timestamp: string, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}
