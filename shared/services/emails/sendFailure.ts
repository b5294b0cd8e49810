import { ServiceError } from '../../contract/errors.ts';
import type { Text } from '../../language/text.ts';

/** What is certain after a send that did not go through. */
export type Extent = 'nothing' | 'partial' | 'unknown';

export interface FailedSend {
  readonly extent: Extent;
  readonly providerCode: string;
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
  readonly unknown: readonly string[];
}

const texts: Record<Extent, Text> = {
  nothing: {
    en: 'The sending provider refused the message; nobody received it.',
    fr: 'Le prestataire d’envoi a refusé le message ; personne ne l’a reçu.',
  },
  partial: {
    en: 'The sending provider took the message for some recipients and refused it for the others.',
    fr: 'Le prestataire d’envoi a pris le message pour certains destinataires et l’a refusé pour les autres.',
  },
  unknown: {
    en: 'The sending provider did not answer; it may have taken the message. Retry with the same Idempotency-Key.',
    fr: 'Le prestataire d’envoi n’a pas répondu ; il a peut-être pris le message. Réessayez avec la même Idempotency-Key.',
  },
};

export class SendFailure extends ServiceError {
  readonly extent: Extent;

  constructor(failed: FailedSend) {
    super('send_failed', {
      text: texts[failed.extent],
      details: {
        provider_code: failed.providerCode,
        accepted: failed.accepted,
        refused: failed.refused,
        ...(failed.unknown.length > 0 ? { unknown: failed.unknown } : {}),
      },
    });
    this.extent = failed.extent;
  }
}
