import { addressKey } from '../../../domain/address/address.ts';
import { textsOf } from '../../../language/text.ts';
import { type Result, resultOf } from '../attempt.ts';
import { SendFailure } from '../sendFailure.ts';
import { waiting } from '../waiting.ts';
import { type Delivery, type Outcome, unansweredOf } from './deliver.ts';
import type { Kept } from './schedule.ts';

const texts = textsOf({
  nothing: {
    en: 'Nothing was sent: the sending provider refused the emails, or there was no time for them.',
    fr: 'Rien n’est parti : le prestataire d’envoi a refusé les e-mails, ou le temps a manqué.',
  },
  later: {
    en: 'Nothing was sent: the emails could not be handed to the sending provider. The same call may succeed later.',
    fr: 'Rien n’est parti : les e-mails n’ont pas pu être remis au prestataire d’envoi. Le même appel peut réussir plus tard.',
  },
  partial: {
    en: 'The sending provider took some of the emails; "details.emails" says what became of each. Retry with the same Idempotency-Key to send the rest.',
    fr: 'Le prestataire d’envoi a pris une partie des e-mails ; « details.emails » dit ce qu’il est advenu de chacun. Réessayez avec la même Idempotency-Key pour envoyer le reste.',
  },
  unknown: {
    en: 'Of some emails it is not known whether they were taken; "details.emails" names them. Retry with the same Idempotency-Key.',
    fr: 'De certains e-mails, on ne sait pas s’ils ont été pris ; « details.emails » les nomme. Réessayez avec la même Idempotency-Key.',
  },
});

/** An email of which an earlier call under the key has done all. */
export interface Settled {
  readonly index: number;
  readonly id: string;
  readonly status: 'sent' | 'scheduled';
}

/** Throws when not all of them were taken, with what is certain about each. */
export function checkDelivered(
  { deliveries, kept }: Outcome,
  before: readonly Settled[],
  errors: readonly object[],
): void {
  if (deliveries.every(({ stop }) => stop === null) && kept.every(({ status }) => status === 'scheduled')) return;
  if (deliveries.some(({ stop }) => stop?.kind === 'superseded')) throw waiting('working', 1);
  const results = deliveries.map((delivery) => resultOf(delivery.attempt, unansweredOf(delivery)));
  const all = (kind: keyof Result) => [...results, ...kept.map(resultOfKept)].flatMap((result) => result[kind]);
  const isOpenEnded = deliveries.some((delivery) => unansweredOf(delivery) !== null || !delivery.isRecorded);
  const stops = [
    ...deliveries.flatMap(({ stop }) => (stop && 'providerCode' in stop ? stop : [])),
    ...kept.flatMap(({ providerCode }) => (providerCode ? { kind: 'obstacle' as const, providerCode } : [])),
  ];
  const [first = { kind: 'unknown' as const, providerCode: 'Unknown' }] = stops;
  // One that is refused for what it is would be refused again.
  const { kind } = stops.find((stop) => stop.kind === 'refused') ?? first;
  const emails = [
    ...before,
    ...kept.map(shownKept),
    ...deliveries.map((delivery, place) => shownDelivery(delivery, results[place] as Result)),
  ];
  const details = {
    emails: emails.sort((a, b) => a.index - b.index),
    ...(errors.length > 0 && { errors }),
  };
  const result = { accepted: all('accepted'), refused: all('refused'), unknown: all('unknown') };
  throw new SendFailure({ kind, providerCode: first.providerCode }, result, isOpenEnded, { texts, details });
}

function shownDelivery({ index, attempt, stop }: Delivery, result: Result) {
  const { accepted, refused, unknown } = result;
  const isSplit = [accepted, refused, unknown].filter(({ length }) => length > 0).length > 1;
  const code = stop && 'providerCode' in stop ? { provider_code: stop.providerCode } : {};
  return { index, id: attempt.email.id, status: statusOf(result), ...code, ...(isSplit && result) };
}

const shownKept = ({ letter: { index, id }, status, providerCode }: Kept) => ({
  ...{ index, id, status },
  ...(providerCode && { provider_code: providerCode }),
});

const kinds = { scheduled: 'accepted', not_sent: 'refused', unknown: 'unknown' } as const;

function resultOfKept({ letter, status }: Kept): Result {
  const result = { accepted: [], refused: [], unknown: [] };
  return { ...result, [kinds[status]]: letter.draft.addresses.map(addressKey) };
}

function statusOf({ accepted, refused, unknown }: Result): string {
  if (unknown.length > 0) return 'unknown';
  if (refused.length === 0) return 'sent';
  return accepted.length > 0 ? 'partial' : 'not_sent';
}
