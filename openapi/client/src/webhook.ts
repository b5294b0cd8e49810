import type { Event } from './gen/types.gen.js';

const toleranceSeconds = 300;
const bytesOf = (text: string) => new TextEncoder().encode(text);
export const bytesOfBase64 = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
const bytesOfHex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

type Bytes = Uint8Array<ArrayBuffer>;
type Given = Headers | Readonly<Record<string, string | string[] | undefined>>;

/**
 * The event in a webhook, if one of its signatures is right and not older than 300 seconds: `Service-Signature`, or
 * `webhook-signature` of Standard Webhooks. `body` is as it arrived: parsed and written again, it would be another one.
 */
export async function verifyWebhook(body: string | Uint8Array, headers: Given, secret: string): Promise<Event> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const given = new Map(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);

  // `t=<seconds>,v1=<hex>` of `<t>.<body>`; two `v1` while a secret is replaced.
  const service = given.get('service-signature') ?? '';
  const at = /(?:^|,)t=(\d+)/.exec(service)?.[1];
  const hexes = [...service.matchAll(/(?:^|,)v1=([0-9a-f]{64})(?=,|$)/g)].map(([, hex = '']) => bytesOfHex(hex));
  if (await isSigned(at, `${at}.${text}`, bytesOf(secret), hexes)) return JSON.parse(text);

  // https://www.standardwebhooks.com: `v1,<base64>` of `<id>.<timestamp>.<body>`, separated by spaces.
  const time = given.get('webhook-timestamp');
  const signatures = [...(given.get('webhook-signature') ?? '').matchAll(/(?:^| )v1,([A-Za-z0-9+/]{43}=)(?= |$)/g)];
  const [, key] = /^whsec_((?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2,3}={1,2})?)$/.exec(secret) ?? [];
  const signed = `${given.get('webhook-id')}.${time}.${text}`;
  const standard = signatures.map(([, base64 = '']) => bytesOfBase64(base64));
  if (key && (await isSigned(time, signed, bytesOfBase64(key), standard))) return JSON.parse(text);
  throw new Error('The webhook has no valid signature of the last 300 seconds.');
}

async function isSigned(time: string | undefined, text: string, key: Bytes, all: Bytes[]): Promise<boolean> {
  if (!time || key.length === 0 || !(Math.abs(Date.now() / 1000 - Number(time)) <= toleranceSeconds)) return false;
  const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
  // `verify` compares in constant time.
  const results = await Promise.all(all.map((one) => crypto.subtle.verify('HMAC', hmac, one, bytesOf(text))));
  return results.includes(true);
}
