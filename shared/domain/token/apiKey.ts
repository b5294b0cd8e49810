import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const apiKeyPrefix = 'mr_live_';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretBytes = 32;
/** 62^43 is just above 2^256. */
const secretLength = 43;
const checksumLength = 6;
const keyPattern = new RegExp(`^${apiKeyPrefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/**
 * A key of 256 random bits in base62 with a checksum, the form of GitHub's tokens
 * (github.blog, "Behind GitHub's new authentication token formats", 2021): secret scanners recognise it without asking.
 */
export function createApiKey(random: (size: number) => Uint8Array = randomBytes): string {
  const secret = base62(BigInt(`0x${Buffer.from(random(secretBytes)).toString('hex')}`), secretLength);
  return `${apiKeyPrefix}${secret}${checksumOf(secret)}`;
}

/** True when the text can be a key: its form and checksum are right. A typo is so refused without a look-up. */
export function looksLikeApiKey(text: string): boolean {
  if (!keyPattern.test(text)) return false;
  const secret = text.slice(apiKeyPrefix.length, -checksumLength);
  return text.slice(-checksumLength) === checksumOf(secret);
}

/** What is stored of a key: SHA-256 in hexadecimal. Plain, since 256 random bits cannot be guessed from it. */
export function fingerprint(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

export function lastFour(key: string): string {
  return key.slice(-4);
}

function checksumOf(secret: string): string {
  return base62(BigInt(crc32(secret)), checksumLength);
}

function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; digits.length < length; rest /= 62n) digits = alphabet.charAt(Number(rest % 62n)) + digits;
  return digits;
}
