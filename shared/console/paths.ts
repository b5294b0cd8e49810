import { ServiceError } from '../contract/errors.ts';
import { publicUrl } from '../platform/config.ts';
import type { ConsoleCall } from './call.ts';

/** The path that all paths of the console begin with: below the stage's name when the deployment has no domain. */
export const consoleRoot = (): string => `${new URL(publicUrl()).pathname.replace(/\/$/, '')}/console`;

/**
 * The path and query of a requested address if it is a page of the console, else the console's root. A URL parser
 * resolves it as browsers do, so that neither `//host` nor a backslash leads to another host.
 */
export function returnPath(requested: string): string {
  const url = URL.parse(requested, publicUrl());
  const root = consoleRoot();
  const isInside = url?.origin === new URL(publicUrl()).origin && `${url.pathname}/`.startsWith(`${root}/`);
  return url && isInside ? url.pathname + url.search : root;
}

/**
 * The path of a page of the same workspace. The query parameter `done` names the message that the page shows
 * (`doneTexts`).
 */
export function pathOf(
  { context }: ConsoleCall,
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const text = new URLSearchParams(given).toString();
  return `${consoleRoot()}/${encodeURIComponent(context.workspaceId)}${path}${text === '' ? '' : `?${text}`}`;
}

/** The path, below the workspace, of the page about all sending of the deployment. */
export const sendingPath = '/sending';

/** The path of a person's page below the workspace: it contains the encrypted address. */
export const personPath = ({ places }: Pick<ConsoleCall, 'places'>, email: string): string =>
  `/people/at/${places.seal(email)}`;

/** The address in the path of a person's page. Throws `not_found` when it cannot be decrypted. */
export async function personAt({ places, parameters }: ConsoleCall): Promise<string> {
  const email = await places.open(parameters.person ?? '');
  if (email === null) throw new ServiceError('not_found');
  return email;
}
