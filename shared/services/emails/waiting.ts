import { ServiceError } from '../../contract/errors.ts';
import { type Text, text } from '../../language/text.ts';

const texts: Record<'working' | 'unconfirmed', Text> = {
  working: text({
    en: 'A call with this Idempotency-Key is still in progress.',
    fr: 'Un appel avec cette Idempotency-Key est encore en cours.',
  }),
  unconfirmed: text({
    en: 'An earlier call with this Idempotency-Key may have sent the message; the sending provider has not confirmed it yet.',
    fr: 'Un appel précédent avec cette Idempotency-Key a peut-être envoyé le message ; le prestataire d’envoi ne l’a pas encore confirmé.',
  }),
};

/** The `conflict` for a call that must wait: another one is at work on its send, or the provider's word may still come. */
export function waiting(kind: 'working' | 'unconfirmed', retryAfterSeconds: number): ServiceError {
  const status = kind === 'working' ? 'in_progress' : 'unconfirmed';
  return new ServiceError('conflict', { text: texts[kind], details: { status }, retryAfterSeconds });
}
