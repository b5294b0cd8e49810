import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod';
import { connection, supervised } from './aws/clients.ts';
import { nowMilliseconds } from './clock.ts';
import { config, hasConfig } from './config.ts';

const secret = z.string().min(32);

/**
 * The stored service secret: the current one signs and encrypts, the previous ones (newest first) verify and decrypt
 * for ever, because links in mail live for years. The release before this one stored a single `previous`.
 */
const storedSecretSchema = z.looseObject({
  current: secret,
  previous: z
    .union([z.array(secret), secret.transform((only) => [only])])
    .nullish()
    .transform((previous) => previous ?? []),
});

export type StoredSecret = z.output<typeof storedSecretSchema>;

/** Parses a stored secret. Throws for an invalid one without quoting it. */
export function parseStoredSecret(text: string): StoredSecret {
  try {
    return storedSecretSchema.parse(JSON.parse(text));
  } catch {
    throw new Error('The service secret is not {"current": "…", "previous": ["…"]} with at least 32 characters each.');
  }
}

/** All secrets, the current one first. */
export const generations = ({ current, previous }: StoredSecret): readonly string[] => [current, ...previous];

/** The secret with a new current value of 64 characters; all earlier ones are kept. */
export function rotated({ current, previous, ...others }: StoredSecret): StoredSecret {
  return { ...others, current: randomBytes(48).toString('base64url'), previous: [current, ...previous] };
}

/** The purpose of a derived key. A key of one purpose is useless for another. */
export type KeyPurpose =
  | 'console'
  | 'console-places'
  | 'cursors'
  | 'forms'
  | 'link-contents'
  | 'links'
  | 'webhook-secrets';

/**
 * The secrets of a deployment. Only functions of the console may read the console's secret, so no other function can
 * sign an operator in.
 */
export type SecretName = 'SERVICE_SECRET' | 'CONSOLE_SECRET';

/**
 * For each purpose its secret, and how many generations of it are valid. Sessions and cursors never live for two
 * rotations; links and webhook secrets live for years.
 */
const purposes: Readonly<Record<KeyPurpose, { readonly secret: SecretName; readonly generations: number }>> = {
  console: { secret: 'CONSOLE_SECRET', generations: 2 },
  'console-places': { secret: 'SERVICE_SECRET', generations: 2 },
  cursors: { secret: 'SERVICE_SECRET', generations: 2 },
  forms: { secret: 'SERVICE_SECRET', generations: 2 },
  'link-contents': { secret: 'SERVICE_SECRET', generations: Number.POSITIVE_INFINITY },
  links: { secret: 'SERVICE_SECRET', generations: Number.POSITIVE_INFINITY },
  'webhook-secrets': { secret: 'SERVICE_SECRET', generations: Number.POSITIVE_INFINITY },
};

/** How long a container caches the secret, so that a rotation reaches all of them. */
const cacheMilliseconds = 5 * 60_000;
/** The shortest interval between reads for unknown keys; forged links cause such reads. */
const rereadMilliseconds = 10_000;

interface Cache {
  readonly at: number;
  readonly secrets: Promise<readonly string[]>;
  readonly keys: Map<KeyPurpose, readonly Buffer[]>;
}
const caches = new Map<SecretName, Cache>();

async function load(name: SecretName): Promise<readonly string[]> {
  const text = hasConfig(`${name}_FILE`)
    ? await readFile(config(`${name}_FILE`), 'utf8')
    : await secretValue(config(`${name}_ID`));
  return generations(parseStoredSecret(text));
}

/** The cached value if it is no older than this. */
function cached(purpose: KeyPurpose, milliseconds: number): Cache {
  const { secret } = purposes[purpose];
  const known = caches.get(secret);
  if (known && nowMilliseconds() - known.at <= milliseconds) return known;
  const fresh: Cache = { at: nowMilliseconds(), secrets: load(secret), keys: new Map() };
  caches.set(secret, fresh);
  fresh.secrets.catch(() => {
    if (caches.get(secret) === fresh) caches.delete(secret);
  });
  return fresh;
}

/** The keys of a purpose, derived by HKDF-SHA256 (RFC 5869): the first signs and encrypts, all verify. */
async function keysFor(purpose: KeyPurpose, { secrets, keys }: Cache): Promise<readonly Buffer[]> {
  const own = (await secrets).slice(0, purposes[purpose].generations);
  const known = keys.get(purpose) ?? own.map((secret) => derived(secret, purpose));
  keys.set(purpose, known);
  return known;
}

const derived = (secret: string, purpose: KeyPurpose) =>
  Buffer.from(hkdfSync('sha256', secret, 'mailroom', purpose, 32));

/** The current key, for signing and encryption. */
export async function currentKey(purpose: KeyPurpose): Promise<Buffer> {
  const [key] = await keysFor(purpose, cached(purpose, cacheMilliseconds));
  if (!key) throw new Error('The secret is empty.');
  return key;
}

/**
 * The first result that a key gives; null if none does. After a rotation other containers use a key that this one has
 * not read yet, so it reads the secret again before it gives up.
 */
export async function withFittingKey<Result>(
  purpose: KeyPurpose,
  attempt: (key: Buffer) => Result | null,
): Promise<Result | null> {
  const known = cached(purpose, cacheMilliseconds);
  const result = firstOf(await keysFor(purpose, known), attempt);
  if (result !== null) return result;
  const fresh = cached(purpose, rereadMilliseconds);
  return fresh === known ? null : firstOf(await keysFor(purpose, fresh), attempt);
}

function firstOf<Result>(keys: readonly Buffer[], attempt: (key: Buffer) => Result | null): Result | null {
  for (const key of keys) {
    const result = attempt(key);
    if (result !== null) return result;
  }
  return null;
}

/** HMAC-SHA256 of a text with the current key, in base64url without padding. */
export async function sign(purpose: KeyPurpose, text: string): Promise<string> {
  return mac(await currentKey(purpose), text).toString('base64url');
}

/**
 * True for a signature under any valid secret of the purpose. Compares in constant time, and as text: in base64url
 * several texts decode to the same bytes.
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

/** The text of a secret in Secrets Manager; empty for a binary one. */
export async function secretValue(secretId: string): Promise<string> {
  const client = supervised(new SecretsManagerClient(connection()));
  try {
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
    return SecretString;
  } finally {
    client.destroy();
  }
}
