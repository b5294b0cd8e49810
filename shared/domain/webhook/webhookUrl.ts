import type { Text } from '../../language/text.ts';
import { characterCount } from '../encoding.ts';
import { isIpAddress, isLoopbackAddress, isPublicAddress } from '../ipAddress.ts';
import { hostOf, isPossibleHost } from '../webAddress.ts';

export type WebhookUrlProblem =
  | 'url_invalid'
  | 'url_too_long'
  | 'url_not_https'
  | 'url_credentials'
  | 'url_fragment'
  | 'url_host_invalid'
  | 'url_host_not_public';

export const maxWebhookUrlLength = 2048;

/** Names of local networks (RFC 6761, 6762, 8375, and ICANN's `internal`). */
const privateName = /(^|\.)(localhost|localdomain|local|internal|lan|home\.arpa)$/;

/**
 * The problem of a webhook's URL; null when it is allowed. Checks the name only: the addresses that it resolves to are
 * checked at each attempt. The URL parser turns 2130706433, 0x7f.1 and the like into 127.0.0.1.
 */
export function checkWebhookUrl(text: string, options: { allowLoopback: boolean }): WebhookUrlProblem | null {
  if (characterCount(text) > maxWebhookUrlLength) return 'url_too_long';
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) return 'url_invalid';
  const url = new URL(text);
  const host = hostOf(url);
  const isLoopback = options.allowLoopback && isLoopbackHost(host);
  if (url.protocol !== 'https:' && !(isLoopback && url.protocol === 'http:')) return 'url_not_https';
  if (url.username !== '' || url.password !== '') return 'url_credentials';
  if (text.includes('#')) return 'url_fragment';
  if (!isPossibleHost(host)) return 'url_host_invalid';
  return isLoopback || isPublicHost(host) ? null : 'url_host_not_public';
}

function isLoopbackHost(host: string): boolean {
  return isLoopbackAddress(host) || host === 'localhost' || host.endsWith('.localhost');
}

function isPublicHost(host: string): boolean {
  if (isIpAddress(host)) return isPublicAddress(host);
  return host.includes('.') && !privateName.test(host);
}

export const webhookUrlProblemTexts: Record<WebhookUrlProblem, Text> = {
  url_invalid: { en: 'must be a URL', fr: 'doit être une URL' },
  url_too_long: {
    en: `must be at most ${maxWebhookUrlLength} characters`,
    fr: `doit compter au plus ${maxWebhookUrlLength} caractères`,
  },
  url_not_https: { en: 'must be an https URL', fr: 'doit être une URL https' },
  url_credentials: {
    en: 'must not contain a user name or a password',
    fr: 'ne doit contenir ni nom d’utilisateur ni mot de passe',
  },
  url_fragment: { en: 'must not have a fragment (#…)', fr: 'ne doit pas avoir de fragment (#…)' },
  url_host_invalid: { en: 'must have a possible host name', fr: 'doit avoir un nom d’hôte possible' },
  url_host_not_public: {
    en: 'must lead to a public address, not to a private, local or reserved one',
    fr: 'doit mener à une adresse publique, et non privée, locale ou réservée',
  },
};
