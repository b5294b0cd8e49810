import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { connection } from './aws/connection.ts';
import { config, hasConfig } from './config.ts';

/** What a derived key is for; a key of one purpose is worth nothing for another. */
export type KeyPurpose = 'cursors' | 'links' | 'webhook-secrets';

/** `previous` is kept after a rotation: the new secret signs, both verify. */
const stored = z.object({ current: z.string().min(32), previous: z.string().min(32).nullish() });

/** How long a container trusts what it read, so that a rotation reaches every one of them. */
const cacheMilliseconds = 5 * 60_000;
let cache: { readonly at: number; readonly secrets: Promise<readonly string[]> } | undefined;

async function load(): Promise<readonly string[]> {
  const text = hasConfig('SERVICE_SECRET_FILE')
    ? await readFile(config('SERVICE_SECRET_FILE'), 'utf8')
    : ((
        await new SecretsManagerClient(connection()).send(
          new GetSecretValueCommand({ SecretId: config('SERVICE_SECRET_ID') }),
        )
      ).SecretString ?? '');
  const { current, previous } = stored.parse(JSON.parse(text));
  return previous ? [current, previous] : [current];
}

/** The keys of a purpose, HKDF-SHA256 (RFC 5869) of the service secret: the first signs and encrypts, all verify. */
export async function keysFor(purpose: KeyPurpose): Promise<readonly Buffer[]> {
  if (!cache || Date.now() - cache.at > cacheMilliseconds) {
    const secrets = load();
    cache = { at: Date.now(), secrets };
    secrets.catch(() => {
      cache = undefined;
    });
  }
  const secrets = await cache.secrets;
  return secrets.map((secret) => Buffer.from(hkdfSync('sha256', secret, 'mailroom', purpose, 32)));
}

/** HMAC-SHA256 of a text under the purpose's current key, base64url, without padding. */
export async function sign(purpose: KeyPurpose, text: string): Promise<string> {
  const [key] = await keysFor(purpose);
  if (!key) throw new Error('The service secret is empty.');
  return mac(key, text).toString('base64url');
}

/**
 * True when the signature is that of the current or of the previous secret; compared in constant time, and as text: the
 * last character of base64url has bits to spare, so that several texts would decode to the right bytes.
 */
export async function verify(purpose: KeyPurpose, text: string, signature: string): Promise<boolean> {
  const given = Buffer.from(signature);
  const keys = await keysFor(purpose);
  return keys.some((key) => {
    const expected = Buffer.from(mac(key, text).toString('base64url'));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}

const mac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
