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
 * A key of 256 random bits in base62 with a checksum, so that secret scanners recognise it without a request (github.blog,
 * "Behind GitHub's new authentication token formats", 2021).
 */
export function createApiKey(random: (size: number) => Uint8Array = randomBytes): string {
  const secret = base62(BigInt(`0x${Buffer.from(random(secretBytes)).toString('hex')}`), secretLength);
  return `${apiKeyPrefix}${secret}${checksumOf(secret)}`;
}

/** True when form and checksum are right: a typo is refused without a look-up. */
export function looksLikeApiKey(text: string): boolean {
  if (!keyPattern.test(text)) return false;
  const secret = text.slice(apiKeyPrefix.length, -checksumLength);
  return text.slice(-checksumLength) === checksumOf(secret);
}

/** What is stored of a key: SHA-256 in hexadecimal. No salt is needed for 256 random bits. */
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

/** The purposes of links in mail. A link is valid for its own purpose only. */
export type LinkPurpose = 'confirm' | 'unsubscribe';

/** The person that a link acts for. `email` is in the form of `addressKey`. */
export interface LinkSubject {
  readonly workspaceId: string;
  readonly email: string;
  /** For `confirm`: the request for consent that it answers. A later request makes it invalid. */
  readonly confirmationId?: string | undefined;
  /** For `unsubscribe`: the campaign whose message had the link, if any. */
  readonly campaignId?: string | undefined;
  /** The person's position in the frozen list of that campaign. */
  readonly listPosition?: { readonly chunk: number; readonly position: number } | undefined;
}

export interface Link extends LinkSubject {
  readonly issuedAt: Date;
  /** Null for a link that never expires. */
  readonly expiresAt: Date | null;
}

/** Seconds; null for links that never expire. An unsubscribe link must work as long as its mail exists. */
export const linkSeconds: Readonly<Record<LinkPurpose, number | null>> = { confirm: 7 * 86_400, unsubscribe: null };

/** The content of a link: a JSON array, times in Unix seconds. */
export function encodeLink(link: Link): string {
  const seconds = (date: Date) => Math.floor(date.getTime() / 1000);
  const parts = [
    link.workspaceId,
    link.email,
    seconds(link.issuedAt),
    link.expiresAt && seconds(link.expiresAt),
    link.confirmationId ?? null,
    link.campaignId ?? null,
    ...(link.listPosition ? [link.listPosition.chunk, link.listPosition.position] : []),
  ];
  return JSON.stringify(parts);
}

/** Decodes a content that is known to be genuine. */
export function decodeLink(content: string): Link {
  const [workspaceId, email, issuedAt, expiresAt, confirmationId, campaignId, chunk, position] = JSON.parse(
    content,
  ) as [string, string, number, number | null, string | null, string | null, number?, number?];
  return {
    workspaceId,
    email,
    issuedAt: new Date(issuedAt * 1000),
    expiresAt: expiresAt === null ? null : new Date(expiresAt * 1000),
    confirmationId: confirmationId ?? undefined,
    campaignId: campaignId ?? undefined,
    listPosition: chunk === undefined || position === undefined ? undefined : { chunk, position },
  };
}
