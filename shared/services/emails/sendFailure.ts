import { ServiceError } from '../../contract/errors.ts';
import type { Text } from '../../language/text.ts';
import type { Result } from './attempt.ts';

export type Extent = 'nothing' | 'partial' | 'unknown';

const textsOfOne: Record<Extent, Text> = {
  nothing: {
    en: 'The sending provider refused the message; nobody received it.',
    fr: 'Le prestataire d’envoi a refusé le message ; personne ne l’a reçu.',
  },
  partial: {
    en: 'The sending provider took the message for some recipients and refused it for the others.',
    fr: 'Le prestataire d’envoi a pris le message pour certains destinataires et l’a refusé pour les autres.',
  },
  unknown: {
    en: 'The sending provider did not say whether it took the message. Retry with the same Idempotency-Key.',
    fr: 'Le prestataire d’envoi n’a pas dit s’il a pris le message. Réessayez avec la même Idempotency-Key.',
  },
};

/** A send that did not go through, with what is certain about each recipient. */
export class SendFailure extends ServiceError {
  readonly extent: Extent;
  /** True when something of this very try may be out without a record of it: until that is known, nobody may try again. */
  readonly isOpenEnded: boolean;

  constructor(
    providerCode: string,
    { accepted, refused, unknown }: Result,
    isOpenEnded: boolean,
    { texts = textsOfOne, details = {} }: { texts?: Record<Extent, Text>; details?: Record<string, unknown> } = {},
  ) {
    const extent = unknown.length > 0 ? 'unknown' : accepted.length > 0 ? 'partial' : 'nothing';
    super('send_failed', {
      text: texts[extent],
      details: { provider_code: providerCode, accepted, refused, ...(unknown.length > 0 && { unknown }), ...details },
    });
    this.extent = extent;
    this.isOpenEnded = isOpenEnded;
  }
}
