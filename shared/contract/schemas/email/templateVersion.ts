import * as z from 'zod';
import { describe } from '../../describe.ts';

/** Which version of which template something was made of. */
export const templateVersion = z.object({
  id: describe(z.string(), { en: 'Identifier of the template.', fr: 'Identifiant du modèle.' }, [
    'tpl_01k9zq3v5c8r2m4n6p7s9t0wxy',
  ]),
  version: describe(z.int().min(1), { en: 'Its version.', fr: 'Sa version.' }, [1]),
});
