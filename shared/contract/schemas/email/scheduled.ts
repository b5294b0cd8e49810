import * as z from 'zod';
import { cancelReasons } from '../../../domain/sending/scheduled.ts';
import type { Text } from '../../../language/text.ts';
import { describe } from '../../describe.ts';
import { object } from './fields.ts';

const notAMoment: Text = {
  en: 'must be a date and a time with its zone, such as 2026-12-01T09:00:00+01:00; words such as "in 1 min" are not understood',
  fr: 'doit être une date et une heure avec leur fuseau, comme 2026-12-01T09:00:00+01:00 ; des mots comme « in 1 min » ne sont pas compris',
};

/** RFC 3339, section 5.6; the seconds may be left out. */
const form = /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

/** A day that the calendar lacks would silently be another. */
function isMoment(text: string): boolean {
  const [, year, month, day] = form.exec(text) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** A moment: a date, a time and the zone's offset. */
export const moment = z
  .string()
  .max(40)
  .refine(isMoment, { params: { text: notAMoment } })
  .meta({ pattern: form.source });

const id = describe(z.string(), { en: 'Identifier.', fr: 'Identifiant.' }, ['email_01k9zq3v5c8r2m4n6p7s9t0wxy']);
const at = describe(z.string(), { en: 'When it goes out, ISO 8601 UTC.', fr: 'Date d’envoi, ISO 8601 UTC.' }, [
  '2026-12-01T08:00:00.000Z',
]);

export const updateEmailRequest = z.object({
  scheduled_at: describe(
    moment,
    { en: 'When it is to go out: at most 30 days ahead.', fr: 'Quand il doit partir : à 30 jours au plus.' },
    ['2026-12-01T09:00:00+01:00'],
  ),
});

export const canceledEmail = z.object({
  id,
  object: object('email'),
  status: describe(z.literal('canceled'), { en: 'Always `canceled`.', fr: 'Toujours `canceled`.' }),
});

export const rescheduledEmail = z.object({ id, object: object('email'), scheduled_at: at });

/** What the detail of an email tells of its schedule. */
export const scheduleFields = {
  scheduled_at: describe(
    z.string().optional(),
    {
      en: 'When it goes out, or was to; absent of one that was sent at once.',
      fr: 'Date d’envoi prévue ; absente d’un e-mail envoyé aussitôt.',
    },
    ['2026-12-01T08:00:00.000Z'],
  ),
  cancel_reason: describe(
    z.enum(cancelReasons).optional(),
    {
      en: 'Why it was canceled: it was asked for (`requested`), or the rule that refused it when its time had come.',
      fr: 'Pourquoi il a été annulé : sur demande (`requested`), ou la règle qui l’a refusé le moment venu.',
    },
    ['suppressed_recipient'],
  ),
  provider_code: describe(
    z.string().optional(),
    {
      en: '`send_failed`: the provider’s own code; `Unknown` when nobody can say whether the message went out.',
      fr: '`send_failed` : le code du prestataire ; `Unknown` quand personne ne peut dire si le message est parti.',
    },
    ['MessageRejected'],
  ),
};
