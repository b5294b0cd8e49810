import type { ServiceError } from '../../../contract/errors.ts';
import { addressKey } from '../../../domain/address.ts';
import { textsOf } from '../../../language/text.ts';
import { isHeldCode, sendingHeld } from '../../sendingHold.ts';
import { recipientsByOutcome } from '../deliver.ts';
import { type RecipientsByOutcome, SendFailure, tryLater } from '../sendFailure.ts';
import { type BatchEmailOutcome, type BatchOutcome, unansweredEnvelope } from './batchDelivery.ts';
import type { ScheduledBatchEmail } from './batchSchedule.ts';

const texts = textsOf({
  nothing: {
    en: 'Nothing was sent: the sending provider refused the emails, or there was no time for them.',
    fr: 'Rien n’a été envoyé : le prestataire d’envoi a refusé les e-mails, ou le temps a manqué.',
  },
  later: {
    en: 'Nothing was sent: the emails could not be handed to the sending provider. The same call may succeed later.',
    fr: 'Rien n’a été envoyé : les e-mails n’ont pas pu être remis au prestataire d’envoi. Le même appel peut réussir plus tard.',
  },
  partial: {
    en: 'The sending provider accepted some of the emails; "details.emails" has the outcome of each. Retry with the same Idempotency-Key to send the rest.',
    fr: 'Le prestataire d’envoi a accepté une partie des e-mails ; « details.emails » donne le résultat de chacun. Réessayez avec la même Idempotency-Key pour envoyer le reste.',
  },
  unknown: {
    en: 'It is not known whether some of the emails were accepted; "details.emails" names them. Retry with the same Idempotency-Key.',
    fr: 'On ne sait pas si certains e-mails ont été acceptés ; « details.emails » les nomme. Réessayez avec la même Idempotency-Key.',
  },
});

/** An email that an earlier call under the same key has sent to all its recipients, or scheduled. */
export interface EarlierEmail {
  readonly index: number;
  readonly id: string;
  readonly status: 'sent' | 'scheduled';
}

/** Throws when not every email was sent or scheduled, with the outcome of each. */
export function checkOutcome(
  { sent, scheduled }: BatchOutcome,
  earlier: readonly EarlierEmail[],
  errors: readonly object[],
): void {
  if (sent.every(({ stop }) => stop === null) && scheduled.every(({ status }) => status === 'scheduled')) return;
  if (sent.some(({ stop }) => stop?.kind === 'superseded')) throw tryLater('working', 1);
  const passing = sent.map(passingError);
  if (scheduled.length + earlier.length === 0 && passing.every(Boolean)) throw passing[0];
  const results = sent.map(recipientsOfSent);
  const all = (kind: keyof RecipientsByOutcome) =>
    [...results, ...scheduled.map(recipientsOfScheduled)].flatMap((result) => result[kind]);
  const isOpenEnded = sent.some((outcome) => unansweredEnvelope(outcome) !== null || !outcome.isRecorded);
  const stops = [
    ...sent.flatMap(({ stop }) => (stop && 'providerCode' in stop ? stop : [])),
    ...scheduled.flatMap(({ providerCode }) => (providerCode ? { kind: 'obstacle' as const, providerCode } : [])),
  ];
  const [first = { kind: 'unknown' as const, providerCode: 'Unknown' }] = stops;
  // If one was refused for its content, the same call would be refused again.
  const { kind } = stops.find((stop) => stop.kind === 'refused') ?? first;
  const emails = [
    ...earlier,
    ...scheduled.map(scheduledDetail),
    ...sent.map((outcome, index) => sentDetail(outcome, results[index] as RecipientsByOutcome)),
  ];
  const details = {
    emails: emails.sort((a, b) => a.index - b.index),
    ...(errors.length > 0 && { errors }),
  };
  const recipients = { accepted: all('accepted'), refused: all('refused'), unknown: all('unknown') };
  throw new SendFailure({ kind, providerCode: first.providerCode }, recipients, isOpenEnded, { texts, details });
}

/** Why nothing of an email was sent, if that passes for all emails alike. */
function passingError({ attempt, stop, backlog }: BatchEmailOutcome): ServiceError | null {
  if (attempt.inDoubt.length > 0 || attempt.accepted.some(Boolean)) return null;
  if (stop !== null && 'providerCode' in stop && isHeldCode(stop.providerCode)) return sendingHeld();
  return backlog ?? null;
}

/** One that is kept counts as accepted, as a scheduled one does. */
function recipientsOfSent(outcome: BatchEmailOutcome): RecipientsByOutcome {
  const { attempt, isKept = false } = outcome;
  if (!isKept) return recipientsByOutcome(attempt, unansweredEnvelope(outcome));
  return { accepted: attempt.email.envelopes.flat().map(addressKey), refused: [], unknown: [] };
}

function sentDetail({ index, attempt, stop, isKept }: BatchEmailOutcome, recipients: RecipientsByOutcome) {
  const { accepted, refused, unknown } = recipients;
  const isSplit = [accepted, refused, unknown].filter(({ length }) => length > 0).length > 1;
  const code = stop && 'providerCode' in stop ? { provider_code: stop.providerCode } : {};
  return {
    index,
    id: attempt.email.id,
    status: isKept ? 'scheduled' : statusOf(recipients),
    ...code,
    ...(isSplit && recipients),
  };
}

const scheduledDetail = ({ email: { index, id }, status, providerCode }: ScheduledBatchEmail) => ({
  ...{ index, id, status },
  ...(providerCode && { provider_code: providerCode }),
});

const outcomeOfStatus = { scheduled: 'accepted', not_sent: 'refused', unknown: 'unknown' } as const;

function recipientsOfScheduled({ email, status }: ScheduledBatchEmail): RecipientsByOutcome {
  const none = { accepted: [], refused: [], unknown: [] };
  return { ...none, [outcomeOfStatus[status]]: email.draft.addresses.map(addressKey) };
}

function statusOf({ accepted, refused, unknown }: RecipientsByOutcome): string {
  if (unknown.length > 0) return 'unknown';
  if (refused.length === 0) return 'sent';
  return accepted.length > 0 ? 'partial' : 'not_sent';
}
