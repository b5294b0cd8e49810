import { textsOf } from '../../../../../language/text.ts';

export const stateTexts = textsOf({
  preparing: { en: 'Waiting for you', fr: 'En attente de votre réponse' },
  running: { en: 'Running', fr: 'En cours' },
  done: { en: 'Done', fr: 'Terminé' },
  canceled: { en: 'Stopped', fr: 'Arrêté' },
  failed: { en: 'Failed', fr: 'Échoué' },
});

export const jobTexts = textsOf({
  exportTitle: { en: 'Export people', fr: 'Exporter des personnes' },
  exportLead: {
    en: 'All stored data about subscribers, as a file for spreadsheets or programs.',
    fr: 'Toutes les données des abonnés, dans un fichier pour tableur ou programme.',
  },
  whom: { en: 'People', fr: 'Personnes' },
  everybody: { en: 'Everybody', fr: 'Tout le monde' },
  ofStatus: { en: 'Status: {name}', fr: 'Statut\u00a0: {name}' },
  ofSegment: { en: 'Segment: {name}', fr: 'Segment\u00a0: {name}' },
  format: { en: 'Format', fr: 'Format' },
  csv: { en: 'CSV, for spreadsheets; can be imported again', fr: 'CSV, pour tableurs\u00a0; peut être réimporté' },
  jsonl: { en: 'JSON, one person per line', fr: 'JSON, une personne par ligne' },
  begin: { en: 'Export', fr: 'Exporter' },
  audited: {
    en: 'The audit log records who exported people’s data, and when.',
    fr: 'Le journal d’audit enregistre qui a exporté ces données, et quand.',
  },
  earlier: { en: 'Exports of the last 30 days', fr: 'Exports des 30 derniers jours' },
  emptyTitle: { en: 'No exports yet', fr: 'Aucun export pour l’instant' },
  empty: { en: 'Choose who to include above.', fr: 'Choisissez ci-dessus les personnes à inclure.' },
  people: { en: 'People', fr: 'Personnes' },
  records: { en: 'Records', fr: 'Enregistrements' },
  scanned: { en: 'Searched', fr: 'Parcourus' },
  personTitle: { en: 'Data of one person', fr: 'Données d’une personne' },
  erasures: { en: 'Erasures of the last 30 days', fr: 'Effacements des 30 derniers jours' },
  leftOver: {
    en: 'Some records may still name this person. Erase them again: their address is not stored here, so you have to enter it.',
    fr: 'Certains enregistrements nomment peut-être encore cette personne. Effacez-la de nouveau\u00a0: son adresse n’est pas conservée ici, vous devez donc la saisir.',
  },
  address: { en: 'Address of this person', fr: 'Adresse de cette personne' },
  anotherPerson: { en: 'is not the address of this person', fr: 'n’est pas l’adresse de cette personne' },
  eraseAgain: { en: 'Erase again', fr: 'Effacer de nouveau' },
  erasureTitle: { en: 'Erasure', fr: 'Effacement' },
  began: { en: 'Started', fr: 'Début' },
  by: { en: 'By', fr: 'Par' },
  state: { en: 'State', fr: 'État' },
  download: { en: 'Download', fr: 'Télécharger' },
  kept: {
    en: 'Kept for a day. Each download link is valid for one minute.',
    fr: 'Conservé un jour. Chaque lien de téléchargement est valable une minute.',
  },
  gone: {
    en: 'The file was kept for a day and has been deleted.',
    fr: 'Le fichier a été conservé un jour, puis supprimé.',
  },
  failed: { en: 'Failed: {why}', fr: 'Échec\u00a0: {why}' },
  goesOn: { en: 'It continues when you close this page.', fr: 'Le travail continue si vous fermez cette page.' },
  cancel: { en: 'Stop', fr: 'Arrêter' },
  erasing: {
    en: 'Nothing more is sent to this person. All stored records are searched for their address.',
    fr: 'Plus rien n’est envoyé à cette personne. Son adresse est recherchée dans tous les enregistrements.',
  },
  erased: {
    en: 'Erased. Records that had to stay now show this alias:',
    fr: 'Effacement terminé. Les enregistrements à conserver montrent désormais cet alias\u00a0:',
  },
});
