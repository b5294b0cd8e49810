import * as z from 'zod';
import { custom } from '../../language/issue.ts';
import type { Text } from '../../language/text.ts';
import { describe } from '../describe.ts';

/** A query holds text: an integer as JSON writes it, and not `1e1`, `0x10` or ` 10 `, which JavaScript takes for numbers too. */
function readInteger(value: unknown, context: z.RefinementCtx): unknown {
  if (typeof value !== 'string') return value;
  if (/^-?(0|[1-9]\d*)$/.test(value)) return Number(value);
  context.addIssue(custom(notAnInteger));
  return z.NEVER;
}

/** An integer of a query, within these bounds. */
export const queryInteger = (least: number, most: number) => z.preprocess(readInteger, z.int().min(least).max(most));

const notAnInteger: Text = { en: 'must be an integer', fr: 'doit être un entier' };

/** The query parameters of every paged list. */
export const pageQuery = {
  limit: describe(
    queryInteger(1, 100).default(50).meta({ default: 50 }),
    { en: 'Entries a page, 1 to 100.', fr: 'Entrées par page, de 1 à 100.' },
    [50],
  ),
  cursor: describe(
    z.string().max(4000).meta({ pattern: '^[\\w.-]*$' }).optional(),
    {
      en: 'The `next_cursor` of the previous page.',
      fr: 'Le `next_cursor` de la page précédente.',
    },
    ['IjIwMjYtMTEtMjEi.kq3Vw0PZ'],
  ),
};

/** The envelope of every list. */
export const listOf = <T extends z.ZodType>(entry: T) =>
  z.object({
    object: describe(z.literal('list'), { en: 'Always `list`.', fr: 'Toujours `list`.' }),
    data: describe(z.array(entry), { en: 'The entries of this page.', fr: 'Les entrées de cette page.' }),
    has_more: describe(z.boolean(), { en: 'True when there is a next page.', fr: 'Vrai s’il y a une page suivante.' }, [
      false,
    ]),
    next_cursor: describe(
      z.string().nullable(),
      {
        en: 'Cursor of the next page; null on the last one.',
        fr: 'Curseur de la page suivante ; null sur la dernière.',
      },
      [null],
    ),
  });
