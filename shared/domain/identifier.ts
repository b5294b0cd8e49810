import { createHash, randomBytes } from 'node:crypto';

export const idPrefixes = [
  'email',
  'camp',
  'whk',
  'whd',
  'evt',
  'event',
  'ws',
  'seg',
  'top',
  'key',
  'tpl',
  'upl',
  'aud',
  'opr',
  'job',
  'auto',
  'run',
] as const;
export type IdPrefix = (typeof idPrefixes)[number];

/** Crockford's base32 in lower case, without i, l, o and u. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const bodyPattern = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const randomBits = 80n;
const randomLimit = 1n << randomBits;

let last = { milliseconds: -1, random: 0n };

/**
 * A prefix and a ULID (github.com/ulid/spec) in lower case. Ids sort by time; those of one process and one millisecond
 * sort in the order of the calls.
 */
export function createId(prefix: IdPrefix, now: Date, random: (size: number) => Uint8Array = randomBytes): string {
  return createIds(prefix, now, 1, random);
}

/** Reserves `count` consecutive ids and returns the first; `idsFrom` returns them all. */
export function createIds(
  prefix: IdPrefix,
  now: Date,
  count: number,
  random: (size: number) => Uint8Array = randomBytes,
): string {
  const milliseconds = now.getTime();
  const next = last.milliseconds === milliseconds ? last.random + 1n : randomLimit;
  const drawn = () => toInteger(random(10)) % (randomLimit - BigInt(count) + 1n);
  const first = next + BigInt(count) <= randomLimit ? next : drawn();
  last = { milliseconds, random: first + BigInt(count) - 1n };
  return `${prefix}_${encode((BigInt(milliseconds) << randomBits) | first)}`;
}

/** The `count` consecutive ids that `createIds` reserved. */
export function idsFrom(first: string, count: number): string[] {
  const [prefix, body = ''] = first.split('_');
  const value = [...body].reduce((sum, digit) => sum * 32n + BigInt(alphabet.indexOf(digit)), 0n);
  return Array.from({ length: count }, (_, index) => `${prefix}_${encode(value + BigInt(index))}`);
}

export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && bodyPattern.test(text.slice(prefix.length + 1));
}

/** The id of another kind of object that goes with an id. */
export const withPrefix = (prefix: IdPrefix, id: string): string => `${prefix}${id.slice(id.indexOf('_'))}`;

/** The same id for the same cause, which makes writes idempotent. Does not sort by time. */
export function derivedId(prefix: IdPrefix, cause: string): string {
  return `${prefix}_${encode(toInteger(createHash('sha256').update(cause).digest().subarray(0, 16)))}`;
}

/** Like `derivedId`, and sorts by time. A cause must always come with the same time. */
export function derivedIdAt(prefix: IdPrefix, at: Date, cause: string): string {
  const hash = toInteger(createHash('sha256').update(cause).digest().subarray(0, 10));
  return `${prefix}_${encode((BigInt(at.getTime()) << randomBits) | hash)}`;
}

/** The time at which an id was created. Meaningless for a derived id. */
export function timeOfId(id: string): Date {
  const digits = id.slice(id.indexOf('_') + 1, id.indexOf('_') + 11);
  return new Date([...digits].reduce((value, digit) => value * 32 + alphabet.indexOf(digit), 0));
}

/** The smallest id of a moment: ids that sort before it are older. */
export function firstIdAt(prefix: IdPrefix, at: Date): string {
  return `${prefix}_${encode(BigInt(at.getTime()) << randomBits)}`;
}

function toInteger(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}

/** 128 bits in 26 characters. */
function encode(value: bigint): string {
  let text = '';
  for (let rest = value; text.length < 26; rest >>= 5n) text = alphabet.charAt(Number(rest & 31n)) + text;
  return text;
}
