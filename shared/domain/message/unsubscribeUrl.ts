import type { Text } from '../../language/text.ts';
import { hostOf, isPossibleHost } from '../network/hostName.ts';

export type UnsubscribeUrlProblem = 'invalid' | 'not_https' | 'forbidden_character' | 'too_long';

type Result =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly problem: UnsubscribeUrlProblem };

/** With `List-Unsubscribe: <…>` around it, it fits a line of 998 characters (RFC 5322 section 2.1.1). */
export const maxUnsubscribeUrlLength = 900;

/** What ends a URL in the header, or is a URL to a browser and to no mail client (RFC 3986). */
const forbidden = /[\s\p{Cc}<>"\\]/u;
const nonAscii = /\P{ASCII}/u;

/**
 * The target of one-click unsubscribe as it stands in the header: as given when it is ASCII, else with its host in
 * punycode and the rest percent-encoded, since a header holds nothing else (RFC 8058, RFC 3986).
 */
export function parseUnsubscribeUrl(text: string, { allowHttp }: { allowHttp: boolean }): Result {
  if (forbidden.test(text)) return refuse('forbidden_character');
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return refuse('invalid');
  const parsed = new URL(text);
  const { protocol, href } = parsed;
  if (!isPossibleHost(hostOf(parsed))) return refuse('invalid');
  if (protocol !== 'https:' && !allowHttp) return refuse('not_https');
  const url = nonAscii.test(text) ? href : text;
  return url.length > maxUnsubscribeUrlLength ? refuse('too_long') : { ok: true, url };
}

function refuse(problem: UnsubscribeUrlProblem): Result {
  return { ok: false, problem };
}

export const unsubscribeUrlProblemTexts: Record<UnsubscribeUrlProblem, Text> = {
  invalid: {
    en: 'must be an https URL with a host that exists as a domain name',
    fr: 'doit être une URL https dont l’hôte est un nom de domaine possible',
  },
  not_https: { en: 'must be an https URL', fr: 'doit être une URL https' },
  forbidden_character: {
    en: 'must not hold spaces, control characters or one of <>"\\: percent-encode them',
    fr: 'ne doit contenir ni espace, ni caractère de contrôle, ni l’un de <>"\\ : encodez-les avec %',
  },
  too_long: {
    en: `is longer than ${maxUnsubscribeUrlLength} characters once its host is in punycode and the rest percent-encoded`,
    fr: `fait plus de ${maxUnsubscribeUrlLength} caractères une fois son hôte en punycode et le reste encodé avec %`,
  },
};
