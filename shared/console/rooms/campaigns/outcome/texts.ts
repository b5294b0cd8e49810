import { textsOf } from '../../../../language/text.ts';

export const outcomeTexts = textsOf({
  people: { en: 'People', fr: 'Personnes' },
  peopleTitle: { en: 'What became of each', fr: 'Ce qu’il en est de chacun' },
  filter: { en: 'Who', fr: 'Qui' },
  all: { en: 'Everybody', fr: 'Tout le monde' },
  show: { en: 'Show', fr: 'Afficher' },
  address: { en: 'Address', fr: 'Adresse' },
  outcome: { en: 'Outcome', fr: 'Issue' },
  did: { en: 'And then', fr: 'Et ensuite' },
  noneTitle: { en: 'Nobody here', fr: 'Personne ici' },
  none: {
    en: 'Nobody in this part of the list. The next page may hold others.',
    fr: 'Personne dans cette partie de la liste. La page suivante peut en contenir.',
  },
  noneLeft: { en: 'Nobody of whom this is true.', fr: 'Personne pour qui c’est le cas.' },
  export: { en: 'Download as CSV', fr: 'Télécharger en CSV' },
  part: { en: 'Which part', fr: 'Quelle partie' },
  partOf: { en: '{from} to {to}', fr: '{from} à {to}' },
  results: { en: 'A/B test', fr: 'Test A/B' },
  undecided: { en: 'It is decided', fr: 'Décision le' },
  untested: { en: 'The test begins when the campaign goes out.', fr: 'Le test commence à l’envoi de la campagne.' },
  letter: { en: 'Variant {letter}', fr: 'Variante {letter}' },
  won: { en: 'Won', fr: 'Gagnante' },
  opened: { en: 'opened', fr: 'ouverte' },
  clicked: { en: 'clicked', fr: 'cliquée' },
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
  skipped: { en: 'Skipped', fr: 'Écartés' },
  failed: { en: 'Failed', fr: 'Échoués' },
  uncertain: { en: 'Uncertain', fr: 'Incertains' },
  waiting: { en: 'Waiting', fr: 'En attente' },
});

/** Why somebody was skipped. */
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
