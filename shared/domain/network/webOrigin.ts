const secureOrigin = /^https:\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::[0-9]{1,5})?$/;
const loopbackOrigin = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::[0-9]{1,5})?$/;

/**
 * Reads a web origin (RFC 6454 section 6.2) that may frame a page: https, or http on this machine. Null for anything
 * else; what is returned can stand in a `frame-ancestors` directive without ending it.
 */
export function parseWebOrigin(text: string): string | null {
  if (!URL.canParse(text)) return null;
  const { origin, href } = new URL(text);
  if (href !== `${origin}/`) return null;
  return secureOrigin.test(origin) || loopbackOrigin.test(origin) ? origin : null;
}
