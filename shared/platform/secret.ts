import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { secretValue } from './aws/secretValue.ts';
import { config, hasConfig } from './config.ts';
import { generations, parseStoredSecret } from './storedSecret.ts';

/** What a derived key is for; a key of one purpose is worth nothing for another. */
export type KeyPurpose = 'console' | 'console-places' | 'cursors' | 'links' | 'webhook-secrets';

/** Nobody pages through a list, or stays signed in, for longer than it takes to rotate twice; links and webhook secrets live for years. */
const generationsOf: Readonly<Record<KeyPurpose, number>> = {
  console: 2,
  'console-places': 2,
  cursors: 2,
  links: Number.POSITIVE_INFINITY,
  'webhook-secrets': Number.POSITIVE_INFINITY,
};

/** How long a container trusts what it read, so that a rotation reaches every one of them. */
const cacheMilliseconds = 5 * 60_000;
/** How soon it reads again for a key that it does not know; forged links ask for one as often as they like. */
const rereadMilliseconds = 10_000;

interface Cache {
  readonly at: number;
  readonly secrets: Promise<readonly string[]>;
  readonly keys: Map<KeyPurpose, readonly Buffer[]>;
}
let cache: Cache | undefined;

async function load(): Promise<readonly string[]> {
  const text = hasConfig('SERVICE_SECRET_FILE')
    ? await readFile(config('SERVICE_SECRET_FILE'), 'utf8')
    : await secretValue(config('SERVICE_SECRET_ID'));
  return generations(parseStoredSecret(text));
}

/** What was read at most so long ago. */
function cached(milliseconds: number): Cache {
  if (cache && Date.now() - cache.at <= milliseconds) return cache;
  const fresh: Cache = { at: Date.now(), secrets: load(), keys: new Map() };
  cache = fresh;
  fresh.secrets.catch(() => {
    if (cache === fresh) cache = undefined;
  });
  return fresh;
}

/** The keys of a purpose, HKDF-SHA256 (RFC 5869) of the service secret: the first signs and encrypts, all verify. */
async function keysFor(purpose: KeyPurpose, { secrets, keys }: Cache): Promise<readonly Buffer[]> {
  const own = (await secrets).slice(0, generationsOf[purpose]);
  const known = keys.get(purpose) ?? own.map((secret) => derived(secret, purpose));
  keys.set(purpose, known);
  return known;
}

const derived = (secret: string, purpose: KeyPurpose) =>
  Buffer.from(hkdfSync('sha256', secret, 'mailroom', purpose, 32));

/** The key that signs and seals now. */
export async function currentKey(purpose: KeyPurpose): Promise<Buffer> {
  const [key] = await keysFor(purpose, cached(cacheMilliseconds));
  if (!key) throw new Error('The service secret is empty.');
  return key;
}

/**
 * What the first fitting key makes of it; null when none fits. After a rotation other containers sign with a key that
 * this one has not read yet: so before it says no, it reads again.
 */
export async function withFittingKey<Result>(
  purpose: KeyPurpose,
  attempt: (key: Buffer) => Result | null,
): Promise<Result | null> {
  const known = cached(cacheMilliseconds);
  const result = firstOf(await keysFor(purpose, known), attempt);
  if (result !== null) return result;
  const fresh = cached(rereadMilliseconds);
  return fresh === known ? null : firstOf(await keysFor(purpose, fresh), attempt);
}

function firstOf<Result>(keys: readonly Buffer[], attempt: (key: Buffer) => Result | null): Result | null {
  for (const key of keys) {
    const result = attempt(key);
    if (result !== null) return result;
  }
  return null;
}

/** HMAC-SHA256 of a text under the purpose's current key, base64url, without padding. */
export async function sign(purpose: KeyPurpose, text: string): Promise<string> {
  return mac(await currentKey(purpose), text).toString('base64url');
}

/**
 * True when the signature was made under the current or an earlier secret; compared in constant time, and as text: the
 * last character of base64url has bits to spare, so that several texts would decode to the right bytes.
 */
export async function verify(purpose: KeyPurpose, text: string, signature: string): Promise<boolean> {
  const given = Buffer.from(signature);
  const isGenuine = (key: Buffer) => {
    const expected = Buffer.from(mac(key, text).toString('base64url'));
    return expected.length === given.length && timingSafeEqual(expected, given) ? true : null;
  };
  return (await withFittingKey(purpose, isGenuine)) ?? false;
}

const mac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
