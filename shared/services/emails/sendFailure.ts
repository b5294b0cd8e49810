import { ServiceError } from '../../contract/errors.ts';
import type { NotAccepted } from '../../email/ses.ts';
import { type Text, textsOf } from '../../language/text.ts';
import type { Result } from './attempt.ts';

export type Extent = 'nothing' | 'partial' | 'unknown';

/** What a caller is told; `later` when nothing is out, and not because of what was to be sent. */
type Texts = Readonly<Record<Extent | 'later', Text>>;

const textsOfOne = textsOf({
  nothing: {
    en: 'The sending provider refused the message; nobody received it.',
    fr: 'Le prestataire d’envoi a refusé le message ; personne ne l’a reçu.',
  },
  later: {
    en: 'The message could not be handed to the sending provider; nobody received it. The same call may succeed later.',
    fr: 'Le message n’a pas pu être remis au prestataire d’envoi ; personne ne l’a reçu. Le même appel peut réussir plus tard.',
  },
  partial: {
    en: 'The sending provider took the message for some recipients and not for the others.',
    fr: 'Le prestataire d’envoi a pris le message pour certains destinataires et non pour les autres.',
  },
  unknown: {
    en: 'The sending provider did not say whether it took the message. Retry with the same Idempotency-Key.',
    fr: 'Le prestataire d’envoi n’a pas dit s’il a pris le message. Réessayez avec la même Idempotency-Key.',
  },
});

/** When it may be worth the same call again. */
const retrySeconds = { deferred: 5, obstacle: 60 } as const;

/** A send that did not go through, with what is certain about each recipient. */
export class SendFailure extends ServiceError {
  readonly extent: Extent;
  /** True when the provider said no to what was to be sent: it would again. */
  readonly isForGood: boolean;
  /** True when something of this very try may be out without a record of it: until that is known, nobody may try again. */
  readonly isOpenEnded: boolean;

  constructor(
    { kind, providerCode }: NotAccepted,
    { accepted, refused, unknown }: Result,
    isOpenEnded: boolean,
    { texts = textsOfOne, details = {} }: { texts?: Texts; details?: Record<string, unknown> } = {},
  ) {
    const extent = unknown.length > 0 ? 'unknown' : accepted.length > 0 ? 'partial' : 'nothing';
    // The same call made again without an Idempotency-Key would reach those who have it already.
    const isForLater = extent === 'nothing' && (kind === 'deferred' || kind === 'obstacle');
    super('send_failed', {
      text: texts[isForLater ? 'later' : extent],
      details: { provider_code: providerCode, accepted, refused, ...(unknown.length > 0 && { unknown }), ...details },
      ...(isForLater && { retryAfterSeconds: retrySeconds[kind] }),
    });
    this.extent = extent;
    this.isForGood = kind === 'refused';
    this.isOpenEnded = isOpenEnded;
  }
}
