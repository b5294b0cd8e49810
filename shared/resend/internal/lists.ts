import * as z from 'zod';
import { ValidationError } from '../../contract/errors.ts';
import { queryInteger, strictFields } from '../../contract/schemas/fields.ts';
import { textsOf } from '../../language/text.ts';

const texts = textsOf({
  before: {
    en: 'is not supported: read the list from its beginning, with `after`',
    fr: 'n’est pas pris en charge : lisez la liste depuis son début, avec `after`',
  },
  unknown: {
    en: 'is no entry of this list',
    fr: 'n’est pas une entrée de cette liste',
  },
});

const refuseBefore = z
  .string()
  .refine(() => false, { params: { text: texts.before } })
  .optional();

/** The parameters of the client's lists, with the client's default of 20 entries. */
export const pageFields = {
  limit: queryInteger(1, 100).default(20),
  after: z.string().min(1).max(400).optional(),
  before: refuseBefore,
};
export const pageQuery = strictFields(pageFields);

interface RestPage<Entry> {
  readonly data: readonly Entry[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

interface PageOfClient<Entry> {
  readonly entries: readonly Entry[];
  readonly hasMore: boolean;
}

const longestPage = 100;

/**
 * A page after the entry with an id, of a list that the REST API only reads by cursors: from where `read` begins, which is
 * not after that entry. Without `after`, the first page.
 */
export async function pageAfter<Entry>(
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
  idOf: (entry: Entry) => string,
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<RestPage<Entry>>,
): Promise<PageOfClient<Entry>> {
  if (after === undefined) {
    const { data, has_more } = await read({ limit });
    return { entries: data, hasMore: has_more };
  }
  const found: Entry[] = [];
  let isFound = false;
  let cursor: string | null | undefined;
  do {
    const page: RestPage<Entry> = await read({ limit: longestPage, ...(cursor && { cursor }) });
    const index: number = isFound ? -1 : page.data.findIndex((entry) => idOf(entry) === after);
    isFound ||= index >= 0;
    if (isFound) found.push(...page.data.slice(index + 1));
    cursor = page.has_more ? page.next_cursor : null;
  } while (cursor && found.length <= limit);
  if (!isFound) throw new ValidationError([{ path: 'after', text: texts.unknown }]);
  return { entries: found.slice(0, limit), hasMore: found.length > limit || Boolean(cursor) };
}

/** A page of a list that was read whole. */
export function pageIn<Entry>(
  all: readonly Entry[],
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
  idOf: (entry: Entry) => string,
): PageOfClient<Entry> {
  const start = after === undefined ? 0 : all.findIndex((entry) => idOf(entry) === after) + 1;
  if (after !== undefined && start === 0) throw new ValidationError([{ path: 'after', text: texts.unknown }]);
  return { entries: all.slice(start, start + limit), hasMore: all.length > start + limit };
}

/** A list in the client's shape. */
export const listOf = <Entry>(data: readonly Entry[], hasMore: boolean) => ({
  object: 'list' as const,
  has_more: hasMore,
  data: [...data],
});
