import { type Text, textsOf } from '../../../language/text.ts';

/** What a link of a campaign may lead to. */
const schemes: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:', 'tel:']);

const texts = textsOf({
  scheme: {
    en: 'a link must begin with https://, http://, mailto: or tel:',
    fr: 'un lien doit commencer par https://, http://, mailto: ou tel:',
  },
  malformed: { en: 'is not a complete address of a link', fr: 'n’est pas une adresse de lien complète' },
  merge: {
    en: 'a link must not contain a merge field',
    fr: 'un lien ne doit pas contenir de champ de fusion',
  },
});

export type LinkTarget = { readonly ok: true; readonly href: string } | { readonly ok: false; readonly problem: Text };

/**
 * The address of a link in the one form in which it is mailed and counted: as WHATWG URL writes it, with braces and
 * quotes percent-encoded, so that nothing in it means anything to HTML or to SES's substitution.
 */
export function readLinkTarget(text: string): LinkTarget {
  const trimmed = text.trim();
  if (/\{\{|\}\}/.test(trimmed)) return { ok: false, problem: texts.merge };
  if (/[\p{Cc}\s]/u.test(trimmed)) return { ok: false, problem: texts.malformed };
  const url = URL.parse(trimmed);
  if (!url) return { ok: false, problem: /^[a-z][a-z0-9+.-]*:/i.test(trimmed) ? texts.malformed : texts.scheme };
  if (!schemes.has(url.protocol)) return { ok: false, problem: texts.scheme };
  if (url.protocol.startsWith('http') && !url.hostname.includes('.') && url.hostname !== 'localhost') {
    return { ok: false, problem: texts.malformed };
  }
  return { ok: true, href: encoded(url.href) };
}

/** An image is fetched by mail clients: a web address and nothing else. */
export function readImageSource(text: string): LinkTarget {
  const target = readLinkTarget(text);
  if (!target.ok || /^https?:/.test(target.href)) return target;
  return { ok: false, problem: texts.scheme };
}

const encoded = (href: string): string =>
  href.replace(/[{}\\'"<>`]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
