import type { CancelReason } from '../../../domain/sending/scheduled.ts';
import { textsOf } from '../../../language/text.ts';

export const emailsTexts = textsOf({
  lead: { en: 'Single emails, the newest first.', fr: 'Les e-mails à l’unité, les plus récents d’abord.' },
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
  cc: { en: 'Copies', fr: 'Copies' },
  bcc: { en: 'Blind copies', fr: 'Copies cachées' },
  replyTo: { en: 'Replies to', fr: 'Réponses à' },
  from: { en: 'From', fr: 'De' },
  tags: { en: 'Tags', fr: 'Étiquettes' },
  at: { en: 'When', fr: 'Quand' },
  others: { en: 'and {count} more', fr: 'et {count} de plus' },
  emptyTitle: { en: 'Nothing was sent yet', fr: 'Rien n’a encore été envoyé' },
  empty: {
    en: 'An application sends with a key: POST /api/v1/emails. What it sends stands here a moment later.',
    fr: 'Une application envoie avec une clé : POST /api/v1/emails. Ses envois apparaissent ici aussitôt.',
  },
  makeKey: { en: 'Make a key', fr: 'Créer une clé' },
  noneTitle: { en: 'There is no such email', fr: 'Aucun e-mail de ce genre' },
  none: { en: 'Ask for less, or for another day.', fr: 'Demandez moins, ou un autre jour.' },
  until: { en: 'goes out {time}', fr: 'part le {time}' },
  goesOut: { en: 'Goes out', fr: 'Part le' },
  id: { en: 'Identifier', fr: 'Identifiant' },
  nobodyYet: {
    en: 'Nobody has been written to yet: it has not gone out.',
    fr: 'Personne n’a encore rien reçu : il n’est pas parti.',
  },
  nobody: { en: 'Nobody was written to: it did not go out.', fr: 'Personne n’a rien reçu : il n’est pas parti.' },
  cancel: { en: 'Cancel it', fr: 'L’annuler' },
  cancelTitle: { en: 'Cancel: {subject}', fr: 'Annuler : {subject}' },
  cancelOne: {
    en: 'This email goes out to nobody: {count} recipient. It cannot be taken up again, only sent anew by the program that made it.',
    fr: 'Cet e-mail ne part pas : {count} destinataire. Il ne peut être repris, seulement renvoyé par le programme qui l’a créé.',
  },
  cancelMany: {
    en: 'This email goes out to nobody: {count} recipients. It cannot be taken up again, only sent anew by the program that made it.',
    fr: 'Cet e-mail ne part pas : {count} destinataires. Il ne peut être repris, seulement renvoyé par le programme qui l’a créé.',
  },
  recipients: { en: 'Recipients', fr: 'Destinataires' },
  story: { en: 'What happened', fr: 'Ce qui s’est passé' },
  event: { en: 'Event', fr: 'Événement' },
  details: { en: 'Details', fr: 'Détails' },
  relayed: { en: 'by a relay, in the reader’s place', fr: 'par un relais, à la place du lecteur' },
  omitted: { en: '{count} more delays, opens and clicks.', fr: '{count} retards, ouvertures et clics de plus.' },
  message: { en: 'Message', fr: 'Message' },
});

export const emailStatusTexts = textsOf({
  scheduled: { en: 'Scheduled', fr: 'Programmé' },
  canceled: { en: 'Canceled', fr: 'Annulé' },
  sent: { en: 'Sent', fr: 'Envoyé' },
  delivered: { en: 'Delivered', fr: 'Livré' },
  bounced: { en: 'Bounced', fr: 'Rebond' },
  complained: { en: 'Complained', fr: 'Plainte' },
});

/** Why one never went out. */
export const cancelTexts = textsOf<CancelReason>({
  requested: { en: 'somebody asked for it', fr: 'à la demande de quelqu’un' },
  suppressed_recipient: { en: 'a recipient is suppressed', fr: 'un destinataire est exclu' },
  unverified_from_domain: { en: 'its domain is not verified', fr: 'son domaine n’est pas vérifié' },
  reputation_blocked: { en: 'sending was suspended', fr: 'les envois étaient suspendus' },
  quota_exceeded: { en: 'the month’s quota was used', fr: 'le quota du mois était épuisé' },
  validation_error: { en: 'it was not valid any more', fr: 'il n’était plus valide' },
  send_failed: { en: 'SES did not take it', fr: 'SES ne l’a pas accepté' },
  person_erased: { en: 'a recipient was erased', fr: 'un destinataire a été effacé' },
});

export const storyTexts = textsOf({
  scheduled: { en: 'Scheduled', fr: 'Programmé' },
  canceled: { en: 'Canceled', fr: 'Annulé' },
  accepted: { en: 'Accepted by SES', fr: 'Accepté par SES' },
  delivered: { en: 'Delivered', fr: 'Livré' },
  delayed: { en: 'Delayed', fr: 'Retardé' },
  bounced: { en: 'Bounced', fr: 'Rebond' },
  complained: { en: 'Complained', fr: 'Plainte' },
  opened: { en: 'Opened', fr: 'Ouvert' },
  clicked: { en: 'Clicked', fr: 'Cliqué' },
});
