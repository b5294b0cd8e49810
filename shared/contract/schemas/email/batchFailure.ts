import * as z from 'zod';
import type { Text } from '../../../language/text.ts';
import { describe } from '../../describe.ts';
import { idOfBatch as id, indexOfBatch as index } from './batch.ts';

const recipients = (text: Text) => describe(z.array(z.string()).optional(), text, [['ada@example.net']]);

/** What became of an email of a batch that did not go out as a whole. */
export const emailOfBatch = z.object({
  index,
  id,
  status: describe(
    z.enum(['sent', 'scheduled', 'partial', 'not_sent', 'unknown']),
    {
      en: '`partial`: some of its recipients only. `unknown`: it is not known yet whether it was taken.',
      fr: '`partial` : une partie de ses destinataires seulement. `unknown` : on ne sait pas encore s’il a été pris.',
    },
    ['not_sent'],
  ),
  provider_code: describe(
    z.string().optional(),
    {
      en: 'The provider’s own code; `Timeout` when there was no time for it.',
      fr: 'Le code du prestataire ; `Timeout` quand le temps a manqué.',
    },
    ['Timeout'],
  ),
  accepted: recipients({ en: 'Recipients whose message was taken.', fr: 'Destinataires dont le message a été pris.' }),
  refused: recipients({
    en: 'Recipients whose message was refused.',
    fr: 'Destinataires dont le message a été refusé.',
  }),
  unknown: recipients({
    en: 'Recipients of whom the provider has not told yet.',
    fr: 'Destinataires dont le prestataire n’a encore rien dit.',
  }),
});
