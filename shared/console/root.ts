import { publicUrl } from '../platform/config.ts';

/** Where the paths of the console begin: below the name of the stage where a deployment has no domain of its own. */
export const consoleRoot = (): string => `${new URL(publicUrl()).pathname.replace(/\/$/, '')}/console`;

/**
 * A page of the console to go on to, whatever was asked: with its query, and never elsewhere. A URL parser looks at it as
 * a browser would, so that neither `//host` nor a backslash leads away.
 */
export function placeToGoOn(wanted: string): string {
  const url = URL.parse(wanted, publicUrl());
  const root = consoleRoot();
  const isInside = url?.origin === new URL(publicUrl()).origin && `${url.pathname}/`.startsWith(`${root}/`);
  return url && isInside ? url.pathname + url.search : root;
}
