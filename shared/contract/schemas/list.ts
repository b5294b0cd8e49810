import * as z from 'zod';
import { describe } from '../describe.ts';

/** The query parameters of every paged list. */
export const pageQuery = {
  limit: describe(
    z.coerce.number().int().min(1).max(100).default(50),
    'Entries a page, 1 to 100.',
    'Entrées par page, de 1 à 100.',
    [50],
  ),
  cursor: describe(
    z.string().max(4000).optional(),
    'The `next_cursor` of the previous page.',
    'Le `next_cursor` de la page précédente.',
  ),
};

/** The envelope of every list. */
export const listOf = <T extends z.ZodType>(entry: T) =>
  z.object({
    object: describe(z.literal('list'), 'Always `list`.', 'Toujours `list`.'),
    data: describe(z.array(entry), 'The entries of this page.', 'Les entrées de cette page.'),
    has_more: describe(z.boolean(), 'True when there is a next page.', 'Vrai s’il y a une page suivante.'),
    next_cursor: describe(
      z.string().nullable(),
      'Cursor of the next page; null on the last one.',
      'Curseur de la page suivante ; null sur la dernière.',
    ),
  });
