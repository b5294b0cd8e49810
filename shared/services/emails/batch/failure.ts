import { textsOf } from '../../../language/text.ts';
import { type Result, resultOf } from '../attempt.ts';
import { SendFailure } from '../sendFailure.ts';
import { waiting } from '../waiting.ts';
import { type Delivery, unansweredOf } from './deliver.ts';

const texts = textsOf({
  nothing: {
    en: 'Nothing was sent: the sending provider refused the emails, or there was no time for them.',
    fr: 'Rien n’est parti : le prestataire d’envoi a refusé les e-mails, ou le temps a manqué.',
  },
  partial: {
    en: 'The sending provider took some of the emails; "details.emails" says what became of each. Retry with the same Idempotency-Key to send the rest.',
    fr: 'Le prestataire d’envoi a pris une partie des e-mails ; « details.emails » dit ce qu’il est advenu de chacun. Réessayez avec la même Idempotency-Key pour envoyer le reste.',
  },
  unknown: {
    en: 'The sending provider did not say of some emails whether it took them; "details.emails" names them. Retry with the same Idempotency-Key.',
    fr: 'Le prestataire d’envoi n’a pas dit s’il a pris certains e-mails ; « details.emails » les nomme. Réessayez avec la même Idempotency-Key.',
  },
});

/** Throws when the provider did not take all of them, with what is certain about each. */
export function checkDelivered(
  deliveries: readonly Delivery[],
  before: readonly { readonly index: number; readonly id: string }[],
  errors: readonly object[],
): void {
  if (deliveries.every(({ stop }) => stop === null)) return;
  if (deliveries.some(({ stop }) => stop?.kind === 'superseded')) throw waiting('working', 1);
  const results = deliveries.map((delivery) => resultOf(delivery.attempt, unansweredOf(delivery)));
  const all = (kind: keyof Result) => results.flatMap((result) => result[kind]);
  const isOpenEnded = deliveries.some((delivery) => unansweredOf(delivery) !== null || !delivery.isRecorded);
  const codes = deliveries.flatMap(({ stop }) => (stop && 'providerCode' in stop ? stop.providerCode : []));
  const emails = [
    ...before.map((email) => ({ ...email, status: 'sent' })),
    ...deliveries.map((delivery, place) => shownDelivery(delivery, results[place] as Result)),
  ];
  const details = {
    emails: emails.sort((a, b) => a.index - b.index),
    ...(errors.length > 0 && { errors }),
  };
  const result = { accepted: all('accepted'), refused: all('refused'), unknown: all('unknown') };
  const failure = new SendFailure(codes[0] ?? 'Unknown', result, isOpenEnded, { texts, details });
  throw failure;
}

function shownDelivery({ index, attempt, stop }: Delivery, result: Result) {
  const { accepted, refused, unknown } = result;
  const isSplit = [accepted, refused, unknown].filter(({ length }) => length > 0).length > 1;
  const code = stop && 'providerCode' in stop ? { provider_code: stop.providerCode } : {};
  return { index, id: attempt.email.id, status: statusOf(result), ...code, ...(isSplit && result) };
}

function statusOf({ accepted, refused, unknown }: Result): string {
  if (unknown.length > 0) return 'unknown';
  if (refused.length === 0) return 'sent';
  return accepted.length > 0 ? 'partial' : 'not_sent';
}
