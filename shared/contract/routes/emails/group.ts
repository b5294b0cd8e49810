import { text } from '../../../language/text.ts';
import type { Group } from '../../route.ts';

export const emailsGroup: Group = {
  name: { en: 'Emails', fr: 'E-mails' },
  description: {
    en: 'Single messages to people who expect them, and what became of each recipient. They share the monthly quota, the suppression list and the reputation with campaigns; their recipients do not become subscribers.',
    fr: 'Des messages à l’unité pour des personnes qui les attendent, et ce qu’il advient de chaque destinataire. Ils partagent avec les campagnes le quota du mois, la liste d’exclusion et la réputation ; leurs destinataires ne deviennent pas des abonnés.',
  },
};

/** What every route that sends answers besides. */
export const replayHeader = {
  'Idempotent-Replay': text({
    en: '`true` when this is the answer of an earlier identical call.',
    fr: '`true` quand c’est la réponse d’un appel identique précédent.',
  }),
};

export const sendOutcomes = {
  accepted: { status: 202 },
  replayed: { status: 202, headers: { 'Idempotent-Replay': 'true' } },
} as const;

export const sendErrors = [
  'quota_exceeded',
  'reputation_blocked',
  'conflict',
  'idempotency_key_reused',
  'unverified_from_domain',
  'suppressed_recipient',
  'validation_error',
  'send_failed',
] as const;
