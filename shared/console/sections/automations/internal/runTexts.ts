import type { MessageSkipReason, RunReason } from '../../../../domain/automation/run.ts';
import { textsOf } from '../../../../language/text.ts';

/** The runs of an automation, and one run. */
export const runsTexts = textsOf({
  title: { en: 'Runs', fr: 'Parcours' },
  person: { en: 'Person', fr: 'Personne' },
  personHint: {
    en: 'An address: the last ten runs of this person.',
    fr: 'Une adresse : les dix derniers parcours de cette personne.',
  },
  status: { en: 'Status', fr: 'Statut' },
  any: { en: 'Any', fr: 'Tous' },
  show: { en: 'Show', fr: 'Afficher' },
  at: { en: 'At step', fr: 'À l’étape' },
  started: { en: 'Started', fr: 'Commencé' },
  ended: { en: 'Ended', fr: 'Terminé' },
  goesOn: { en: 'Goes on', fr: 'Reprend' },
  version: { en: 'Version', fr: 'Version' },
  data: { en: 'Data of the start', fr: 'Données du départ' },
  id: { en: 'Id', fr: 'Identifiant' },
  emptyTitle: { en: 'No runs yet', fr: 'Aucun parcours pour l’instant' },
  empty: {
    en: 'A run begins when a subscribed person does what starts the automation, while it is enabled.',
    fr: 'Un parcours commence quand une personne abonnée fait ce qui déclenche l’automatisation, tant qu’elle est active.',
  },
  notFound: { en: 'No run matches.', fr: 'Aucun parcours ne correspond.' },
  story: { en: 'What happened', fr: 'Déroulement' },
  step: { en: 'Step', fr: 'Étape' },
  result: { en: 'Result', fr: 'Résultat' },
  reached: { en: 'Reached', fr: 'Atteinte' },
  done: { en: 'Done', fr: 'Faite' },
  cancel: { en: 'Cancel this run', fr: 'Annuler ce parcours' },
  cancelTitle: { en: 'Cancel the run of {email}?', fr: 'Annuler le parcours de {email} ?' },
  cancelWhat: {
    en: 'The person gets no further message of this run. What was sent stays sent.',
    fr: 'La personne ne reçoit plus de message de ce parcours. Ce qui est parti reste parti.',
  },
});

export const runStatusTexts = textsOf({
  running: { en: 'running', fr: 'en cours' },
  completed: { en: 'completed', fr: 'terminé' },
  cancelled: { en: 'cancelled', fr: 'annulé' },
  failed: { en: 'failed', fr: 'échoué' },
});

export const stepStatusTexts = textsOf({
  waiting: { en: 'waiting', fr: 'en attente' },
  running: { en: 'running', fr: 'en cours' },
  completed: { en: 'completed', fr: 'terminée' },
  skipped: { en: 'skipped', fr: 'omise' },
  failed: { en: 'failed', fr: 'échouée' },
});

export const outcomeTexts = textsOf({
  sent: { en: 'sent', fr: 'envoyé' },
  unknown: { en: 'unknown whether sent', fr: 'envoi incertain' },
});

/** Why a run ended or a message was left out. */
export const reasonTexts = textsOf<RunReason | MessageSkipReason>({
  end: { en: 'no step follows', fr: 'aucune étape ne suit' },
  exit: { en: 'ended by a step', fr: 'terminé par une étape' },
  goal: { en: 'a goal was reached', fr: 'un objectif a été atteint' },
  unsubscribed: { en: 'the person unsubscribed', fr: 'la personne s’est désabonnée' },
  bounced: { en: 'the address bounced', fr: 'l’adresse a rebondi' },
  complained: { en: 'the person complained', fr: 'la personne s’est plainte' },
  suppressed: { en: 'the address is suppressed', fr: 'l’adresse est exclue' },
  erased: { en: 'the person was erased', fr: 'la personne a été effacée' },
  requested: { en: 'cancelled by hand', fr: 'annulé à la main' },
  stopped: { en: 'the automation was stopped', fr: 'l’automatisation a été arrêtée' },
  deleted: { en: 'the automation was deleted', fr: 'l’automatisation a été supprimée' },
  send_failed: { en: 'the message was refused', fr: 'le message a été refusé' },
  missing_variable: { en: 'a variable has no value', fr: 'une variable n’a pas de valeur' },
  internal_error: { en: 'it failed repeatedly', fr: 'il a échoué à plusieurs reprises' },
  left_topic: { en: 'the person left the topic', fr: 'la personne a quitté le type d’e-mail' },
  too_late: { en: 'it was too late', fr: 'il était trop tard' },
  frequency_cap: { en: 'the frequency cap', fr: 'la limite de fréquence' },
  quota_exceeded: { en: 'the quota of the month is used up', fr: 'le quota du mois est épuisé' },
  reputation_blocked: { en: 'sending is suspended', fr: 'les envois sont suspendus' },
});
