import { parseWebOrigin } from '../domain/network/webOrigin.ts';
import type { Language } from '../language/languages.ts';
import { brandSource } from '../pages/brandStyle.ts';
import type { PageReply } from '../pages/call.ts';
import { styleSource } from '../pages/style.ts';

/**
 * Headers of every page. The address of a page holds a token, hence no referrer, no cache and no index; the empty icon
 * of the document is the only image. Frames: CSP Level 3 section 6.4.2, with X-Frame-Options for browsers before it.
 */
export function pageHeaders(
  language: Language,
  {
    frameOrigins = [],
    sources,
    brand,
    formTarget,
  }: Pick<PageReply, 'frameOrigins' | 'sources' | 'brand' | 'formTarget'>,
): Record<string, string> {
  const ancestors = frameOrigins.map(parseWebOrigin).filter((origin) => origin !== null);
  const target = formTarget === undefined ? null : parseWebOrigin(formTarget);
  const framed = ancestors.length > 0;
  const policy = [
    "default-src 'none'",
    `style-src ${[sources?.style ?? styleSource, brandSource(brand)].filter(Boolean).join(' ')}`,
    ...(sources ? [`script-src ${sources.script}`] : []),
    'img-src data:',
    // Browsers hold where a form's answer leads to against it as well (CSP Level 3 section 6.4.1).
    `form-action 'self'${target ? ` ${target}` : ''}`,
    "base-uri 'none'",
    `frame-ancestors ${framed ? ancestors.join(' ') : "'none'"}`,
  ];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': language,
    Vary: 'Accept-Language',
    'Content-Security-Policy': policy.join('; '),
    ...(framed ? {} : { 'X-Frame-Options': 'DENY' }),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex, nofollow',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': framed ? 'cross-origin' : 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    'Strict-Transport-Security': 'max-age=31536000',
  };
}
