import * as z from 'zod';
import { describe } from '../../describe.ts';
import { optional } from '../../optional.ts';

const id = describe(z.string().min(1).max(100), { en: 'Identifier of the template.', fr: 'Identifiant du modèle.' }, [
  'tpl_01k9zq3v5c8r2m4n6p7s9t0wxy',
]);

const value = z.union([z.string().max(10_000), z.number(), z.boolean()]);

/** How a send uses a template. */
export const templateUse = z.object({
  id,
  variables: describe(
    optional(z.record(z.string(), optional(value))),
    {
      en: 'Values by name, each put on one line. One that is missing and has no fallback is 422.',
      fr: 'Les valeurs par nom, chacune mise sur une ligne. Une valeur absente et sans repli donne 422.',
    },
    [{ order: '42' }],
  ),
});
