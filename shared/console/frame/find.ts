import * as z from 'zod';
import type { Html } from '../../pages/html.ts';
import { type ConsoleCall, type ConsoleReply, placeOf, redirect } from '../call.ts';
import { formOf, tokenField } from './form.ts';

const sought = z.record(z.string(), z.string());

/** What a list is asked for: the values of its form, and the position at which its page begins. */
export interface Sought {
  readonly values: URLSearchParams;
  readonly after: string | undefined;
}

/** A list's form is posted, so that whom one looks for stands in no address: the browser goes on to what was sealed. */
export const findIn =
  (path: string) =>
  async (call: ConsoleCall): Promise<ConsoleReply> => {
    const given = [...call.form].filter(([name, value]) => name !== tokenField && value.trim() !== '');
    const find = given.length === 0 ? undefined : call.places.seal(JSON.stringify(Object.fromEntries(given)));
    return redirect(placeOf(call, path, { find }));
  };

/** The same, of the address; what stands in it openly counts too. */
export async function soughtIn({ query, places }: ConsoleCall): Promise<Sought> {
  const [find, after] = ['find', 'after'].map((name) => query.get(name));
  const opened = find ? await places.open(find) : null;
  const values = new URLSearchParams(opened === null ? {} : sought.parse(JSON.parse(opened)));
  for (const [name, value] of query) if (!values.has(name)) values.set(name, value);
  return { values, after: after ? ((await places.open(after)) ?? undefined) : undefined };
}

/** The form of a list. */
export const searchForm = (call: ConsoleCall, path: string, fields: Html): Html =>
  formOf(call, { action: placeOf(call, path), className: 'filters', role: 'search' }, fields);

/** The next page of what was sought: for `pagerOf`. */
export const sealedNext = ({ places }: ConsoleCall, next: string | null): string | null =>
  next === null ? null : places.seal(next);

/** What was sought, for the addresses of its other pages. */
export const soughtAgain = ({ query }: ConsoleCall): Readonly<Record<string, string | undefined>> => ({
  find: query.get('find') ?? undefined,
});
