import type { ConsoleReply } from '../../console/call.ts';
import type { Language } from '../../language/languages.ts';

/**
 * Everything of the console comes from its own origin, nothing in it runs or styles that is not a file of it, and nobody
 * frames it. `same-origin` as referrer policy: under `no-referrer` browsers would send forms with `Origin: null` (Fetch
 * standard, "append a request Origin header").
 */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const always = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex, nofollow',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Strict-Transport-Security': 'max-age=31536000',
};

export function consoleHeaders(reply: ConsoleReply, language: Language): Record<string, string> {
  switch (reply.kind) {
    case 'document':
      return {
        ...always,
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Language': language,
        'Content-Security-Policy': policy,
        'X-Frame-Options': 'DENY',
        'Cache-Control': 'no-store',
      };
    case 'redirect':
      return { ...always, Location: reply.location, 'Cache-Control': 'no-store' };
    case 'file':
      return {
        ...always,
        'Content-Type': reply.type,
        'Cache-Control': reply.isImmutable ? 'public, max-age=31536000, immutable' : 'no-store',
        'Content-Security-Policy': reply.policy ?? "default-src 'none'; frame-ancestors 'none'",
        ...(reply.saveAs !== undefined && { 'Content-Disposition': `attachment; filename="${reply.saveAs}"` }),
      };
  }
}
