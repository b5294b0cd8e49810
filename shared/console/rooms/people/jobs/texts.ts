import { textsOf } from '../../../../language/text.ts';

export const stateTexts = textsOf({
  preparing: { en: 'Waits for you', fr: 'Vous attend' },
  running: { en: 'Under way', fr: 'En cours' },
  done: { en: 'Done', fr: 'Terminé' },
  canceled: { en: 'Stopped', fr: 'Arrêté' },
  failed: { en: 'Failed', fr: 'Échoué' },
});

export const jobTexts = textsOf({
  exportTitle: { en: 'Export people', fr: 'Exporter des personnes' },
  exportLead: {
    en: 'Everything that is known of subscribers, as a file for a spreadsheet or a program.',
    fr: 'Tout ce qui est connu des abonnés, en fichier pour un tableur ou un programme.',
  },
  whom: { en: 'Whom', fr: 'Qui' },
  everybody: { en: 'Everybody', fr: 'Tout le monde' },
  ofStatus: { en: 'Status: {name}', fr: 'Statut : {name}' },
  ofSegment: { en: 'Segment: {name}', fr: 'Segment : {name}' },
  format: { en: 'Format', fr: 'Format' },
  csv: { en: 'CSV, for spreadsheets; an import takes it back', fr: 'CSV, pour tableurs ; un import le reprend' },
  jsonl: { en: 'JSON, one person a line', fr: 'JSON, une personne par ligne' },
  begin: { en: 'Write the file', fr: 'Écrire le fichier' },
  audited: {
    en: 'The audit log says who took people’s data out, and when.',
    fr: 'Le journal d’audit dit qui a sorti ces données, et quand.',
  },
  earlier: { en: 'Files of the last 30 days', fr: 'Fichiers des 30 derniers jours' },
  emptyTitle: { en: 'Nothing was exported yet', fr: 'Rien n’a encore été exporté' },
  empty: { en: 'Say above whom the file is to hold.', fr: 'Dites ci-dessus qui le fichier doit contenir.' },
  people: { en: 'People', fr: 'Personnes' },
  records: { en: 'Records', fr: 'Enregistrements' },
  scanned: { en: 'Looked through', fr: 'Parcourus' },
  personTitle: { en: 'What is held about a person', fr: 'Ce qui est détenu sur une personne' },
  erasures: { en: 'Erasures of the last 30 days', fr: 'Effacements des 30 derniers jours' },
  leftOver: {
    en: 'Something that names this person may be left. Erase them again: their address is not kept here, so that you have to say it.',
    fr: 'Il peut rester quelque chose qui nomme cette personne. Effacez-la de nouveau : son adresse n’est pas conservée ici, il faut donc la redonner.',
  },
  address: { en: 'Address of this person', fr: 'Adresse de cette personne' },
  anotherPerson: { en: 'is not the address of this person', fr: 'n’est pas l’adresse de cette personne' },
  eraseAgain: { en: 'Erase again', fr: 'Effacer de nouveau' },
  erasureTitle: { en: 'Erasure', fr: 'Effacement' },
  began: { en: 'Began', fr: 'Début' },
  by: { en: 'By', fr: 'Par' },
  state: { en: 'State', fr: 'État' },
  download: { en: 'Download', fr: 'Télécharger' },
  kept: {
    en: 'Kept for a day. The address works for a minute, for you alone.',
    fr: 'Conservé un jour. L’adresse vaut une minute, pour vous seul.',
  },
  gone: { en: 'The file was kept for a day, and is gone.', fr: 'Le fichier a été conservé un jour, et n’est plus là.' },
  failed: { en: 'It failed: {why}', fr: 'Échec : {why}' },
  goesOn: { en: 'It goes on when you close this page.', fr: 'Le travail continue si vous fermez cette page.' },
  cancel: { en: 'Stop it', fr: 'L’arrêter' },
  erasing: {
    en: 'Nothing is sent to them any more. Everything that is kept is looked through for what names them.',
    fr: 'Plus rien ne leur est envoyé. Tout ce qui est conservé est parcouru pour ce qui les nomme.',
  },
  erased: {
    en: 'Nothing is left of this person but what stands for them where it had to stay:',
    fr: 'Il ne reste de cette personne que ce qui la remplace là où il le fallait :',
  },
});
