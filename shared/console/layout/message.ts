/**
 * Messages are written by others: the frame runs no scripts, submits no forms and has an opaque origin. It loads images
 * from any https address, as mail clients do, and nothing else.
 */
export const messagePolicy =
  "sandbox; default-src 'none'; img-src https: data:; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

/** The dark style sheet is at the start of the message, so only the first match is replaced. */
export const messageInScheme = (body: string, isDark: boolean): string =>
  body.replace('@media (prefers-color-scheme: dark)', isDark ? '@media all' : '@media not all');
