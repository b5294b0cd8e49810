import { textsOf } from '../../../../../language/text.ts';

export const outcomeTexts = textsOf({
  people: { en: 'Recipients', fr: 'Destinataires' },
  peopleTitle: { en: 'Outcomes by recipient', fr: 'Résultats par destinataire' },
  filter: { en: 'Outcomes', fr: 'Résultats' },
  all: { en: 'All', fr: 'Tous' },
  address: { en: 'Address', fr: 'Adresse' },
  outcome: { en: 'Outcome', fr: 'Résultat' },
  did: { en: 'Activity', fr: 'Activité' },
  noneTitle: { en: 'No recipients found', fr: 'Aucun destinataire trouvé' },
  none: {
    en: 'There are none in this part of the list. The next page may have some.',
    fr: 'Il n’y en a pas dans cette partie de la liste. La page suivante peut en contenir.',
  },
  noneKept: {
    en: 'They are counted, but their addresses are no longer stored, or not stored yet.',
    fr: 'Ils sont comptés, mais leurs adresses ne sont plus conservées, ou pas encore.',
  },
  looked: {
    en: '{looked} of {all} recipients searched so far. The next page continues from there.',
    fr: '{looked} destinataires sur {all} examinés jusqu’ici. La page suivante continue à partir de là.',
  },
  noneLeft: { en: 'No recipient has this outcome.', fr: 'Aucun destinataire n’a ce résultat.' },
  export: { en: 'Download as CSV', fr: 'Télécharger en CSV' },
  part: { en: 'Part', fr: 'Partie' },
  partOf: { en: '{from} to {to}', fr: '{from} à {to}' },
  results: { en: 'A/B test', fr: 'Test A/B' },
  variant: { en: 'Variant', fr: 'Variante' },
  gotIt: { en: 'Sent', fr: 'Envoyés' },
  haveOpened: { en: 'Opened', fr: 'Ouverts' },
  haveClicked: { en: 'Clicked', fr: 'Cliqués' },
  byOpens: { en: 'Open rate without relays', fr: 'Taux d’ouverture hors relais' },
  byClicks: { en: 'Click rate', fr: 'Taux de clics' },
  figuresWait: { en: 'Counting opens and clicks…', fr: 'Décompte des ouvertures et des clics…' },
  figuresFail: { en: 'The figures could not be loaded.', fr: 'Les chiffres n’ont pas pu être chargés.' },
  figuresAsk: { en: 'Show the current figures', fr: 'Afficher les chiffres actuels' },
  figuresAgain: { en: 'Try again', fr: 'Réessayer' },
  figuresSome: {
    en: 'Based on the first {looked} of {people} recipients of each variant. The decision counts all of them.',
    fr: 'D’après les {looked} premiers destinataires sur {people} de chaque variante. La décision les compte tous.',
  },
  decidedByOpens: {
    en: 'The variant with the highest open rate without relays wins.',
    fr: 'La variante qui a le meilleur taux d’ouverture hors relais gagne.',
  },
  decidedByClicks: {
    en: 'The variant with the highest click rate wins.',
    fr: 'La variante qui a le meilleur taux de clics gagne.',
  },
  neverDecided: {
    en: 'The campaign was cancelled before the decision: there is no winner.',
    fr: 'La campagne a été annulée avant la décision\u00a0: il n’y a pas de gagnante.',
  },
  decidedAfter: {
    en: 'Hours from the last test message to the decision: {hours}.',
    fr: 'Heures entre le dernier message de test et la décision\u00a0: {hours}.',
  },
  undecided: { en: 'Decision:', fr: 'Décision\u00a0:' },
  untested: { en: 'The test starts when the campaign is sent.', fr: 'Le test commence à l’envoi de la campagne.' },
  letter: { en: 'Variant {letter}', fr: 'Variante {letter}' },
  won: { en: 'Winner', fr: 'Gagnante' },
  of: { en: '{votes} of {delivered} ({share})', fr: '{votes} sur {delivered} ({share})' },
  ownOpens: {
    en: 'Opens through relays and scanners are not counted.',
    fr: 'Les ouvertures par des relais ou des analyseurs ne sont pas comptées.',
  },
});

export const filterTexts = textsOf({
  sent: { en: 'Sent', fr: 'Envoyés' },
  delivered: { en: 'Delivered', fr: 'Livrés' },
  opened: { en: 'Opened', fr: 'Ouverts' },
  clicked: { en: 'Clicked', fr: 'Cliqués' },
  unsubscribed: { en: 'Unsubscribed', fr: 'Désabonnés' },
  bounced: { en: 'Bounced', fr: 'Rebonds' },
  complained: { en: 'Complained', fr: 'Plaintes' },
  skipped: { en: 'Skipped', fr: 'Non envoyés' },
  'skip.pending': { en: 'Skipped: not confirmed', fr: 'Non envoyés\u00a0: non confirmés' },
  'skip.unsubscribed': { en: 'Skipped: unsubscribed', fr: 'Non envoyés\u00a0: désabonnés' },
  'skip.bounced': { en: 'Skipped: earlier bounce', fr: 'Non envoyés\u00a0: rebond antérieur' },
  'skip.complained': { en: 'Skipped: earlier complaint', fr: 'Non envoyés\u00a0: plainte antérieure' },
  'skip.suppressed': { en: 'Skipped: on the suppression list', fr: 'Non envoyés\u00a0: liste d’exclusion' },
  'skip.left_kind': {
    en: 'Skipped: unsubscribed from the topic',
    fr: 'Non envoyés\u00a0: désabonnés de ce type d’e-mail',
  },
  'skip.frequency_cap': { en: 'Skipped: frequency cap', fr: 'Non envoyés\u00a0: limite de fréquence' },
  'skip.gone': { en: 'Skipped: erased', fr: 'Non envoyés\u00a0: effacés' },
  'skip.canceled': { en: 'Skipped: campaign cancelled', fr: 'Non envoyés\u00a0: campagne annulée' },
  failed: { en: 'Failed', fr: 'Échecs' },
  uncertain: { en: 'Uncertain', fr: 'Incertains' },
  waiting: { en: 'Waiting', fr: 'En attente' },
});

/** Why a person was skipped. */
export const skipTexts = textsOf({
  pending: { en: 'not confirmed', fr: 'abonnement non confirmé' },
  unsubscribed: { en: 'unsubscribed', fr: 'désabonné' },
  bounced: { en: 'earlier bounce', fr: 'rebond antérieur' },
  complained: { en: 'earlier complaint', fr: 'plainte antérieure' },
  suppressed: { en: 'on the suppression list', fr: 'sur la liste d’exclusion' },
  left_kind: { en: 'unsubscribed from the topic', fr: 'désabonné de ce type d’e-mail' },
  frequency_cap: { en: 'frequency cap', fr: 'limite de fréquence' },
  gone: { en: 'erased', fr: 'effacé' },
  canceled: { en: 'campaign cancelled', fr: 'campagne annulée' },
});
