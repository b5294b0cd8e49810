import type { CancelReason } from '../../../../domain/sending/email.ts';
import { textsOf } from '../../../../language/text.ts';

export const emailsTexts = textsOf({
  lead: { en: 'Single emails, newest first.', fr: 'Les e-mails à l’unité, du plus récent au plus ancien.' },
  recipient: { en: 'Recipient', fr: 'Destinataire' },
  tag: { en: 'Tag', fr: 'Étiquette' },
  tagHint: { en: 'name:value', fr: 'nom:valeur' },
  status: { en: 'Status', fr: 'Statut' },
  any: { en: 'All', fr: 'Tous' },
  day: { en: 'Day', fr: 'Jour' },
  dayWrong: { en: 'must be a day such as 2026-11-21', fr: 'doit être un jour comme 2026-11-21' },
  find: { en: 'Show', fr: 'Afficher' },
  subject: { en: 'Subject', fr: 'Objet' },
  to: { en: 'To', fr: 'À' },
  cc: { en: 'Cc', fr: 'Cc' },
  bcc: { en: 'Bcc', fr: 'Cci' },
  replyTo: { en: 'Reply-To', fr: 'Réponse à' },
  from: { en: 'From', fr: 'De' },
  tags: { en: 'Tags', fr: 'Étiquettes' },
  at: { en: 'When', fr: 'Quand' },
  campaign: { en: 'Campaign', fr: 'Campagne' },
  olderTitle: { en: 'Nothing in this period', fr: 'Rien dans cette période' },
  older: {
    en: 'No campaign of this period was sent to this person. Check the older ones.',
    fr: 'Aucune campagne de cette période n’a été envoyée à cette personne. Consultez les plus anciennes.',
  },
  others: { en: 'and {count} more', fr: 'et {count} de plus' },
  emptyTitle: { en: 'No emails yet', fr: 'Aucun e-mail pour l’instant' },
  empty: {
    en: 'Applications send with an API key: POST /api/v1/emails. Their emails then appear here.',
    fr: 'Les applications envoient avec une clé\u00a0: POST /api/v1/emails. Leurs e-mails apparaissent ensuite ici.',
  },
  makeKey: { en: 'Create a key', fr: 'Créer une clé' },
  noneTitle: { en: 'No email found', fr: 'Aucun e-mail trouvé' },
  none: { en: 'Remove a filter, or choose another day.', fr: 'Retirez un filtre, ou choisissez un autre jour.' },
  until: { en: 'to be sent {time}', fr: 'envoi prévu le {time}' },
  goesOut: { en: 'Scheduled for', fr: 'Envoi prévu le' },
  id: { en: 'ID', fr: 'Identifiant' },
  nobodyYet: {
    en: 'It was not sent to anybody yet.',
    fr: 'Il n’a encore été envoyé à personne.',
  },
  nobody: { en: 'It was not sent to anybody.', fr: 'Il n’a été envoyé à personne.' },
  cancel: { en: 'Cancel email', fr: 'Annuler l’e-mail' },
  cancelTitle: { en: 'Cancel: {subject}', fr: 'Annuler\u00a0: {subject}' },
  cancelOne: {
    en: 'This email to {count} recipient will not be sent. This cannot be undone; the application can only send it again.',
    fr: 'Cet e-mail à {count} destinataire ne partira pas. C’est irréversible\u00a0; l’application peut seulement l’envoyer de nouveau.',
  },
  cancelMany: {
    en: 'This email to {count} recipients will not be sent. This cannot be undone; the application can only send it again.',
    fr: 'Cet e-mail à {count} destinataires ne partira pas. C’est irréversible\u00a0; l’application peut seulement l’envoyer de nouveau.',
  },
  recipients: { en: 'Recipients', fr: 'Destinataires' },
  events: { en: 'Events', fr: 'Événements' },
  event: { en: 'Event', fr: 'Événement' },
  details: { en: 'Details', fr: 'Détails' },
  relayed: { en: 'by a relay on behalf of the reader', fr: 'par un relais, à la place du destinataire' },
  omitted: { en: '{count} more delays, opens and clicks.', fr: '{count} retards, ouvertures et clics de plus.' },
  message: { en: 'Message', fr: 'Message' },
});

export const emailStatusTexts = textsOf({
  scheduled: { en: 'Scheduled', fr: 'Programmé' },
  canceled: { en: 'Cancelled', fr: 'Annulé' },
  sent: { en: 'Sent', fr: 'Envoyé' },
  delivered: { en: 'Delivered', fr: 'Livré' },
  bounced: { en: 'Bounced', fr: 'Rebond' },
  complained: { en: 'Complained', fr: 'Plainte' },
});

/** The outcome of a campaign's message to one person before any event was reported. */
export const campaignOutcomeTexts = textsOf({
  sent: { en: 'Sent', fr: 'Envoyé' },
  failed: { en: 'Failed', fr: 'Échoué' },
  uncertain: { en: 'Uncertain', fr: 'Incertain' },
  skipped: { en: 'Skipped', fr: 'Non envoyé' },
  waiting: { en: 'Waiting', fr: 'En attente' },
});

export const cancelTexts = textsOf<CancelReason>({
  requested: { en: 'cancelled on request', fr: 'annulé sur demande' },
  suppressed_recipient: { en: 'a recipient is suppressed', fr: 'un destinataire est exclu' },
  unverified_from_domain: { en: 'its domain is not verified', fr: 'son domaine n’est pas vérifié' },
  reputation_blocked: { en: 'sending was suspended', fr: 'les envois étaient suspendus' },
  quota_exceeded: { en: 'the month’s quota was used up', fr: 'le quota du mois était épuisé' },
  validation_error: { en: 'it was no longer valid', fr: 'il n’était plus valide' },
  send_failed: { en: 'SES refused it', fr: 'SES l’a refusé' },
  person_erased: { en: 'a recipient was erased', fr: 'un destinataire a été effacé' },
});

export const eventTexts = textsOf({
  scheduled: { en: 'Scheduled', fr: 'Programmé' },
  canceled: { en: 'Cancelled', fr: 'Annulé' },
  accepted: { en: 'Accepted by SES', fr: 'Accepté par SES' },
  delivered: { en: 'Delivered', fr: 'Livré' },
  delayed: { en: 'Delayed', fr: 'Retardé' },
  bounced: { en: 'Bounced', fr: 'Rebond' },
  complained: { en: 'Complained', fr: 'Plainte' },
  opened: { en: 'Opened', fr: 'Ouvert' },
  clicked: { en: 'Clicked', fr: 'Cliqué' },
});
