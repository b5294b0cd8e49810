import { textsOf } from '../../../../../language/text.ts';

export const outcomeTexts = textsOf({
  people: { en: 'People', fr: 'Personnes' },
  peopleTitle: { en: 'What became of each', fr: 'Ce qu’il en est de chacun' },
  filter: { en: 'Outcomes', fr: 'Issues' },
  all: { en: 'Everybody', fr: 'Tout le monde' },
  address: { en: 'Address', fr: 'Adresse' },
  outcome: { en: 'Outcome', fr: 'Issue' },
  did: { en: 'And then', fr: 'Et ensuite' },
  noneTitle: { en: 'Nobody here', fr: 'Personne ici' },
  none: {
    en: 'Nobody in this part of the list. The next page may hold others.',
    fr: 'Personne dans cette partie de la liste. La page suivante peut en contenir.',
  },
  noneKept: {
    en: 'The counters know of them, but who they were is not kept any more, or not written yet.',
    fr: 'Les compteurs en connaissent, mais les noms ne sont plus conservés, ou pas encore écrits.',
  },
  looked: {
    en: 'Looked through {looked} of {all} people so far; the next page goes on from there.',
    fr: '{looked} personnes parcourues sur {all} ; la page suivante continue à partir de là.',
  },
  noneLeft: { en: 'Nobody of whom this is true.', fr: 'Personne pour qui c’est le cas.' },
  export: { en: 'Download as CSV', fr: 'Télécharger en CSV' },
  part: { en: 'Which part', fr: 'Quelle partie' },
  partOf: { en: '{from} to {to}', fr: '{from} à {to}' },
  results: { en: 'A/B test', fr: 'Test A/B' },
  variant: { en: 'Variant', fr: 'Variante' },
  gotIt: { en: 'Sent', fr: 'Envoyés' },
  haveOpened: { en: 'Opened', fr: 'Ouverts' },
  haveClicked: { en: 'Clicked', fr: 'Cliqués' },
  byOpens: { en: 'Opened by themselves', fr: 'Ouverts par eux-mêmes' },
  byClicks: { en: 'Clicked, of those delivered', fr: 'Cliqués, parmi les livrés' },
  figuresWait: { en: 'Looking at who opened and clicked so far…', fr: 'Recherche des ouvertures et des clics…' },
  figuresFail: { en: 'The figures did not arrive.', fr: 'Les chiffres ne sont pas arrivés.' },
  figuresAsk: { en: 'Show the figures so far', fr: 'Afficher les chiffres actuels' },
  figuresAgain: { en: 'Try again', fr: 'Réessayer' },
  figuresSome: {
    en: 'Of the first {looked} of {people} people a variant; the decision counts all of them.',
    fr: 'Pour les {looked} premières personnes de chaque variante sur {people} ; la décision les compte toutes.',
  },
  decidedByOpens: {
    en: 'The variant that most people open by themselves wins.',
    fr: 'La variante que le plus de personnes ouvrent elles-mêmes gagne.',
  },
  decidedByClicks: {
    en: 'The variant with the most clicks wins.',
    fr: 'La variante qui a le plus de clics gagne.',
  },
  neverDecided: {
    en: 'It was cancelled before it was decided: nobody has won.',
    fr: 'Annulée avant la décision : aucune n’a gagné.',
  },
  decidedAfter: {
    en: 'It is decided {hours} hours after the last test message.',
    fr: 'Décision {hours} heures après le dernier message de test.',
  },
  undecided: { en: 'It is decided on', fr: 'Décision le' },
  untested: { en: 'The test begins when the campaign goes out.', fr: 'Le test commence à l’envoi de la campagne.' },
  letter: { en: 'Variant {letter}', fr: 'Variante {letter}' },
  won: { en: 'Won', fr: 'Gagnante' },
  of: { en: '{votes} of {delivered} ({share})', fr: '{votes} sur {delivered} ({share})' },
  ownOpens: {
    en: 'Only people who opened by themselves are counted; relays and scanners have no vote.',
    fr: 'Seules les personnes qui ont ouvert elles-mêmes comptent ; relais et analyseurs ne votent pas.',
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
  skipped: { en: 'Left out', fr: 'Écartés' },
  'skip.pending': { en: 'Left out: had not confirmed', fr: 'Écartés : non confirmés' },
  'skip.unsubscribed': { en: 'Left out: had left', fr: 'Écartés : désabonnés' },
  'skip.bounced': { en: 'Left out: mail had come back', fr: 'Écartés : courrier revenu' },
  'skip.complained': { en: 'Left out: had complained', fr: 'Écartés : plainte déjà faite' },
  'skip.suppressed': { en: 'Left out: on the suppression list', fr: 'Écartés : liste d’exclusion' },
  'skip.left_kind': { en: 'Left out: had left this kind of mail', fr: 'Écartés : type d’e-mail quitté' },
  'skip.gone': { en: 'Left out: erased meanwhile', fr: 'Écartés : effacés entre-temps' },
  'skip.canceled': { en: 'Left out: the campaign was cancelled', fr: 'Écartés : campagne annulée' },
  failed: { en: 'Failed', fr: 'Échoués' },
  uncertain: { en: 'Uncertain', fr: 'Incertains' },
  waiting: { en: 'Waiting', fr: 'En attente' },
});

/** Why a person was skipped. */
export const skipTexts = textsOf({
  pending: { en: 'had not confirmed', fr: 'n’avait pas confirmé' },
  unsubscribed: { en: 'had left', fr: 'était partie' },
  bounced: { en: 'mail had come back', fr: 'le courrier était revenu' },
  complained: { en: 'had complained', fr: 's’était plainte' },
  suppressed: { en: 'on the suppression list', fr: 'sur la liste d’exclusion' },
  left_kind: { en: 'had left this kind of mail', fr: 'avait quitté ce type d’e-mail' },
  gone: { en: 'erased meanwhile', fr: 'effacée entre-temps' },
  canceled: { en: 'the campaign was cancelled', fr: 'la campagne a été annulée' },
});
