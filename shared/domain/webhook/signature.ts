import { createHmac } from 'node:crypto';
import type { WebhookSecrets } from './webhook.ts';

export const signatureHeader = 'Service-Signature';

/** The names of Standard Webhooks, whose libraries verify a delivery as it is. */
export const standardHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

export interface SignedMessage {
  /** All that are valid now: more than one after a rotation. */
  readonly secrets: readonly string[];
  /** Unix time of this attempt. */
  readonly timestampSeconds: number;
  /** The body as it is sent. */
  readonly body: string | Uint8Array;
}

/** The header's value, `t=…,v1=…` with one `v1` for each secret: HMAC-SHA256 in hexadecimal of `<t>.<raw body>`. */
export function signWebhook({ secrets, timestampSeconds, body }: SignedMessage): string {
  return [
    `t=${timestampSeconds}`,
    ...secrets.map((secret) => `v1=${hmac(secret, String(timestampSeconds), body)}`),
  ].join();
}

/** What every secret begins with. The rest is the key of `signStandard` in base64. */
export const secretPrefix = 'whsec_';

/**
 * The value of `webhook-signature` (Standard Webhooks 1.0, symmetric): for each secret `v1,` and the HMAC-SHA256 in base64
 * of `<id>.<t>.<raw body>` under the decoded secret, separated by spaces.
 */
export function signStandard({ id, secrets, timestampSeconds, body }: SignedMessage & { readonly id: string }): string {
  const signed = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body).digest('base64')}`;
  });
  return signed.join(' ');
}

function hmac(secret: string, timestamp: string, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
}

/** How long a replaced secret still signs, so that receivers have time to change it. */
const previousSecretHours = 24;

/** Each secret is one more signature in the header of every delivery. */
export const maxSigningSecrets = 10;

/** The secrets that sign at a moment (sealed), the current one first. */
export function signingSecrets({ secret, previousSecrets }: WebhookSecrets, now: Date): string[] {
  return [secret, ...previousSecrets.filter(({ until }) => until > now).map(({ sealed }) => sealed)];
}

/**
 * The secrets after a rotation; earlier ones keep their end. When the maximum number of secrets signs already, returns
 * the date from which a rotation is possible.
 */
export function rotatedSecrets(current: WebhookSecrets, sealed: string, now: Date): WebhookSecrets | Date {
  const valid = current.previousSecrets.filter(({ until }) => until > now);
  const oldest = valid.at(-1);
  if (oldest && valid.length + 2 > maxSigningSecrets) return oldest.until;
  const until = new Date(now.getTime() + previousSecretHours * 3_600_000);
  return { secret: sealed, previousSecrets: [{ sealed: current.secret, until }, ...valid] };
}
