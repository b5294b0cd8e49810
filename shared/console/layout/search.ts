import * as z from 'zod';
import type { Html } from '../../pages/html.ts';
import { type ConsoleCall, type ConsoleReply, redirect } from '../call.ts';
import { pathOf } from '../paths.ts';
import { formOf, tokenField } from './form.ts';

const storedValues = z.record(z.string(), z.string());

/** A search of a list: the values of its form, and the position at which the page begins. */
export interface SearchQuery {
  readonly values: URLSearchParams;
  readonly after: string | undefined;
}

/**
 * The search form of a list is sent by POST and redirects to the encrypted search, so that no URL contains a person's
 * address.
 */
export const startSearch =
  (path: string) =>
  async (call: ConsoleCall): Promise<ConsoleReply> => {
    const given = [...call.form].filter(([name, value]) => name !== tokenField && value.trim() !== '');
    const find = given.length === 0 ? undefined : call.places.seal(JSON.stringify(Object.fromEntries(given)));
    return redirect(pathOf(call, path, { find }));
  };

/** The search of a request: the encrypted search of its URL, and the parameters that are not encrypted. */
export async function searchOf({ query, places }: ConsoleCall): Promise<SearchQuery> {
  const [find, after] = ['find', 'after'].map((name) => query.get(name));
  const opened = find ? await places.open(find) : null;
  const values = new URLSearchParams(opened === null ? {} : storedValues.parse(JSON.parse(opened)));
  for (const [name, value] of query) if (!values.has(name)) values.set(name, value);
  return { values, after: after ? ((await places.open(after)) ?? undefined) : undefined };
}

/** The search form of a list. */
export const searchForm = (call: ConsoleCall, path: string, fields: Html): Html =>
  formOf(call, { action: pathOf(call, path), className: 'filters', role: 'search' }, fields);

/** The position of the next page, encrypted for `pagerOf`. */
export const sealedPosition = ({ places }: ConsoleCall, next: string | null): string | null =>
  next === null ? null : places.seal(next);

/** The parameters of the search for the URLs of its other pages. */
export const searchParameters = ({ query }: ConsoleCall): Readonly<Record<string, string | undefined>> => ({
  find: query.get('find') ?? undefined,
});
