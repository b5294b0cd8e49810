import { textsOf } from '../../../../../language/text.ts';

export const importTexts = textsOf({
  title: { en: 'Import people', fr: 'Importer des personnes' },
  suppressionTitle: { en: 'Import suppressed addresses', fr: 'Importer des adresses exclues' },
  lead: {
    en: 'From a CSV file. You see a preview before anything is imported.',
    fr: 'Depuis un fichier CSV. Vous voyez un aperçu avant tout import.',
  },
  file: { en: 'CSV file', fr: 'Fichier CSV' },
  fileHint: {
    en: 'UTF-8, with column names in the first line. Exports of Mailchimp, listmonk and Resend are recognised. Without JavaScript, 4 MB at most.',
    fr: 'En UTF-8, avec les noms des colonnes en première ligne. Les exports de Mailchimp, listmonk et Resend sont reconnus. Sans JavaScript, 4 Mo au plus.',
  },
  upload: { en: 'Upload', fr: 'Envoyer le fichier' },
  broken: {
    en: 'The upload failed. Check your connection and try again.',
    fr: 'L’envoi du fichier a échoué. Vérifiez votre connexion et réessayez.',
  },
  fileMissing: { en: 'must be chosen', fr: 'doit être choisi' },
  fileLarge: {
    en: 'is larger than 4 MB: turn on JavaScript to upload it in pieces',
    fr: 'dépasse 4 Mo\u00a0: activez JavaScript pour l’envoyer par morceaux',
  },
  earlier: { en: 'Imports of the last 30 days', fr: 'Imports des 30 derniers jours' },
  emptyTitle: { en: 'No imports yet', fr: 'Aucun import pour l’instant' },
  empty: {
    en: 'Choose a file above. You then match its columns, see a preview, and decide.',
    fr: 'Choisissez un fichier ci-dessus. Vous associez ensuite ses colonnes, voyez un aperçu, puis décidez.',
  },
  state: { en: 'State', fr: 'État' },
  lines: { en: 'Lines', fr: 'Lignes' },
  began: { en: 'Started', fr: 'Début' },
  by: { en: 'By', fr: 'Par' },
  columns: { en: 'Columns', fr: 'Colonnes' },
  column: { en: 'Column', fr: 'Colonne' },
  examples: { en: 'Examples', fr: 'Exemples' },
  takenAs: { en: 'Import as', fr: 'Importer comme' },
  fieldName: { en: 'Name of the field', fr: 'Nom du champ' },
  fieldNameWrong: {
    en: 'must have 1 to 64 characters of A-Z a-z 0-9 _',
    fr: 'doit compter de 1 à 64 caractères parmi A-Z a-z 0-9 _',
  },
  noEmail: { en: 'Choose the column that contains the address.', fr: 'Choisissez la colonne qui contient l’adresse.' },
  consent: {
    en: 'Have these people agreed to get your mail?',
    fr: 'Ces personnes ont-elles accepté de recevoir vos messages\u00a0?',
  },
  consentMissing: { en: 'Choose one of the two.', fr: 'Choisissez l’une des deux réponses.' },
  ask: { en: 'Ask each person to confirm', fr: 'Demander confirmation à chaque personne' },
  askHint: {
    en: 'Each new person gets one message with a link, and nothing more until they use it.',
    fr: 'Chaque nouvelle personne reçoit un message avec un lien, et rien d’autre tant qu’elle ne l’a pas utilisé.',
  },
  given: { en: 'Yes, I have their consent', fr: 'Oui, j’ai leur consentement' },
  givenHint: {
    en: 'They agreed to your mail and you can prove it. They are subscribed at once; the audit log records your name.',
    fr: 'Elles ont accepté vos messages et vous pouvez le prouver. Elles sont abonnées aussitôt\u00a0; le journal d’audit enregistre votre nom.',
  },
  reason: { en: 'Reason for lines without one', fr: 'Motif des lignes qui n’en ont pas' },
  look: { en: 'Preview result', fr: 'Prévisualiser le résultat' },
  checkTitle: { en: 'Preview', fr: 'Aperçu du résultat' },
  checkLead: {
    en: 'The first lines of {name}. Nothing is imported yet.',
    fr: 'Les premières lignes de {name}. Rien n’est encore importé.',
  },
  line: { en: 'Line', fr: 'Ligne' },
  outcome: { en: 'Outcome', fr: 'Résultat' },
  reasonWhy: { en: 'Why', fr: 'Motif' },
  exactly: { en: '{count} lines will be imported.', fr: '{count} lignes seront importées.' },
  roughly: { en: 'About {count} lines will be imported.', fr: 'Environ {count} lignes seront importées.' },
  beginGiven: {
    en: 'New people are subscribed at once, because you vouch for their consent.',
    fr: 'Les nouvelles personnes sont abonnées aussitôt, car vous attestez leur consentement.',
  },
  beginAsk: {
    en: 'Each new person is sent a message asking them to confirm.',
    fr: 'Chaque nouvelle personne reçoit un message qui lui demande de confirmer.',
  },
  beginSuppress: {
    en: 'Nothing more is sent to these addresses; subscribers among them are unsubscribed.',
    fr: 'Plus rien n’est envoyé à ces adresses\u00a0; les abonnés parmi elles sont désabonnés.',
  },
  goneStay: {
    en: 'People who unsubscribed, complained or bounced are refused and stay unsubscribed.',
    fr: 'Les personnes désabonnées, en rebond ou qui se sont plaintes sont refusées et le restent.',
  },
  begin: { en: 'Import', fr: 'Importer' },
  back: { en: 'Change the columns', fr: 'Changer les colonnes' },
  waiting: {
    en: 'The upload is incomplete. Upload the file again.',
    fr: 'Le fichier n’est pas complet. Envoyez-le de nouveau.',
  },
  again: { en: 'Upload a file', fr: 'Envoyer un fichier' },
  goesOn: { en: 'It continues when you close this page.', fr: 'L’import continue si vous fermez cette page.' },
  added: { en: 'Added', fr: 'Ajoutées' },
  updated: { en: 'Updated', fr: 'Mises à jour' },
  suppressed: { en: 'Suppressed', fr: 'Exclues' },
  refused: { en: 'Refused', fr: 'Refusées' },
  progress: { en: 'Progress', fr: 'Avancement' },
  report: { en: 'Download the refused lines', fr: 'Télécharger les lignes refusées' },
  reportKept: {
    en: 'With line numbers and reasons. Kept for a week.',
    fr: 'Avec les numéros de ligne et les motifs. Conservées une semaine.',
  },
  failed: { en: 'The import failed: {why}', fr: 'L’import a échoué\u00a0: {why}' },
  isCanceled: {
    en: 'The import was stopped. Lines imported before that stay.',
    fr: 'L’import a été arrêté. Les lignes déjà importées restent.',
  },
  cancel: { en: 'Stop', fr: 'Arrêter' },
});

export const columnTexts = textsOf({
  ignored: { en: 'Ignore', fr: 'Ignorer' },
  email: { en: 'Address', fr: 'Adresse' },
  firstName: { en: 'First name', fr: 'Prénom' },
  lastName: { en: 'Last name', fr: 'Nom de famille' },
  name: { en: 'Full name', fr: 'Nom complet' },
  tags: { en: 'Tags', fr: 'Étiquettes' },
  status: { en: 'Status in the other service', fr: 'Statut dans l’autre service' },
  reason: { en: 'Reason', fr: 'Motif' },
  attributes: { en: 'Fields as JSON', fr: 'Champs en JSON' },
  unsubscribed: { en: 'Unsubscribed (yes/no)', fr: 'Désabonné (oui/non)' },
  field: { en: 'Custom field', fr: 'Champ personnalisé' },
});

/** Columns whose presence gives everybody in the file a status. */
export const everybodyTexts = textsOf({
  subscribed: { en: 'All are subscribed', fr: 'Toutes sont abonnées' },
  pending: { en: 'All are unconfirmed', fr: 'Toutes sont à confirmer' },
  unsubscribe: { en: 'All are unsubscribed', fr: 'Toutes sont désabonnées' },
  bounce: { en: 'All have bounced', fr: 'Toutes sont en rebond' },
  complaint: { en: 'All have complained', fr: 'Toutes se sont plaintes' },
  manual: { en: 'All were blocked manually', fr: 'Toutes ont été bloquées manuellement' },
});

export const outcomeTexts = textsOf({
  subscribed: { en: 'Subscribed', fr: 'Abonnée' },
  asked: { en: 'Asked to confirm', fr: 'Confirmation demandée' },
  updated: { en: 'Updated', fr: 'Mise à jour' },
  suppressed: { en: 'Suppressed', fr: 'Exclue' },
  refused: { en: 'Refused', fr: 'Refusée' },
});
