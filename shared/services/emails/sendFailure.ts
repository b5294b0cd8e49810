import { PassingError, ServiceError } from '../../contract/errors.ts';
import { isForRate, type NotAccepted } from '../../email/ses.ts';
import { type Text, textsOf } from '../../language/text.ts';

/** The recipients of a send, by what is certain about each. */
export interface RecipientsByOutcome {
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
  readonly unknown: readonly string[];
}

type Extent = 'nothing' | 'partial' | 'unknown';

/** `later`: nothing was sent, for a reason that may pass. */
type FailureTexts = Readonly<Record<Extent | 'later', Text>>;

const emailTexts = textsOf({
  nothing: {
    en: 'The sending provider refused the message; nobody received it.',
    fr: 'Le prestataire d’envoi a refusé le message ; personne ne l’a reçu.',
  },
  later: {
    en: 'The message could not be handed to the sending provider; nobody received it. The same call may succeed later.',
    fr: 'Le message n’a pas pu être remis au prestataire d’envoi ; personne ne l’a reçu. Le même appel peut réussir plus tard.',
  },
  partial: {
    en: 'The sending provider accepted the message for some recipients and not for the others.',
    fr: 'Le prestataire d’envoi a accepté le message pour certains destinataires et non pour les autres.',
  },
  unknown: {
    en: 'The sending provider did not say whether it accepted the message. Retry with the same Idempotency-Key.',
    fr: 'Le prestataire d’envoi n’a pas dit s’il a accepté le message. Réessayez avec la même Idempotency-Key.',
  },
});

/**
 * Why SES was not asked: the table answered so late that a look at the recipients was too old, or that no time was left,
 * or it did not answer at all. Provider codes, since a part of an email may have gone out before.
 */
export const ownObstacles = { storeSlow: 'StoreSlow', late: 'Timeout', unreadable: 'InternalError' } as const;

const retryAfterSeconds = { deferred: 5, obstacle: 60 } as const;

/** `send_failed`: a send that SES did not accept as a whole. */
export class SendFailure extends ServiceError {
  readonly extent: Extent;
  /** True when SES refused the content, and would refuse it again. */
  readonly isForGood: boolean;
  /**
   * True when a message of this call may have been sent without a record of it: until that is known, no other call may
   * send.
   */
  readonly isOpenEnded: boolean;
  /** True when nothing more of it is out than is recorded, and SES deferred the rest for its rate alone. */
  readonly isForRate: boolean;
  /** True when nothing is out, and SES refuses this account or its set-up: any other message too. */
  readonly isAgainstAccount: boolean;
  /** True when SES was asked for nothing and nothing is out: it is the table that does not answer as it should. */
  readonly isOutage: boolean;

  constructor(
    { kind, providerCode }: NotAccepted,
    { accepted, refused, unknown }: RecipientsByOutcome,
    isOpenEnded: boolean,
    { texts = emailTexts, details = {} }: { texts?: FailureTexts; details?: Record<string, unknown> } = {},
  ) {
    const extent = unknown.length > 0 ? 'unknown' : accepted.length > 0 ? 'partial' : 'nothing';
    // Only then is repeating the call without an Idempotency-Key safe.
    const isForLater = extent === 'nothing' && (kind === 'deferred' || kind === 'obstacle');
    super('send_failed', {
      text: texts[isForLater ? 'later' : extent],
      details: { provider_code: providerCode, accepted, refused, ...(unknown.length > 0 && { unknown }), ...details },
      ...(isForLater && { retryAfterSeconds: retryAfterSeconds[kind] }),
    });
    this.extent = extent;
    this.isForGood = kind === 'refused';
    this.isOpenEnded = isOpenEnded;
    this.isForRate = !isOpenEnded && isForRate({ kind, providerCode });
    const ofOurs: readonly string[] = Object.values(ownObstacles);
    const isObstacle = extent === 'nothing' && !isOpenEnded && kind === 'obstacle';
    this.isAgainstAccount = isObstacle && !ofOurs.includes(providerCode);
    this.isOutage = isObstacle && ofOurs.includes(providerCode);
  }
}

/** The error that the caller gets: 503 instead of `send_failed` when it was the table that failed and not the provider. */
export const publicErrorOf = (error: unknown): unknown =>
  error instanceof SendFailure && error.isOutage
    ? new PassingError('unavailable', { retryAfterSeconds: outageSeconds, cause: error })
    : error;

/** A table that is behind has caught up by then, and a short interruption is over. */
const outageSeconds = 10;

const conflictTexts = textsOf({
  working: {
    en: 'A call with this Idempotency-Key is still in progress.',
    fr: 'Un appel avec cette Idempotency-Key est encore en cours.',
  },
  unconfirmed: {
    en: 'An earlier call with this Idempotency-Key may have sent the message; the sending provider has not confirmed it yet.',
    fr: 'Un appel précédent avec cette Idempotency-Key a peut-être envoyé le message ; le prestataire d’envoi ne l’a pas encore confirmé.',
  },
});

/** `conflict`: another call is sending (`working`), or SES's event on its message may still come (`unconfirmed`). */
export function tryLater(kind: 'working' | 'unconfirmed', retryAfterSeconds: number): ServiceError {
  const status = kind === 'working' ? 'in_progress' : 'unconfirmed';
  return new ServiceError('conflict', { text: conflictTexts[kind], details: { status }, retryAfterSeconds });
}
