import { textsOf } from '../../../../language/text.ts';

export const importTexts = textsOf({
  title: { en: 'Import people', fr: 'Importer des personnes' },
  suppressionTitle: { en: 'Import addresses that get no mail', fr: 'Importer des adresses exclues' },
  lead: {
    en: 'From a CSV file. Nothing is imported before you have seen what would become of it.',
    fr: 'Depuis un fichier CSV. Rien n’est importé avant que vous ayez vu ce qu’il en serait.',
  },
  file: { en: 'CSV file', fr: 'Fichier CSV' },
  fileHint: {
    en: 'In UTF-8, its first line naming the columns. Exports of Mailchimp, listmonk and Resend are known. Without JavaScript up to 4 MB.',
    fr: 'En UTF-8, la première ligne nommant les colonnes. Les exports de Mailchimp, listmonk et Resend sont reconnus. Sans JavaScript, 4 Mo au plus.',
  },
  upload: { en: 'Send the file', fr: 'Envoyer le fichier' },
  broken: {
    en: 'The file could not be sent. Is the network there? Send it again.',
    fr: 'Le fichier n’a pas pu être envoyé. Le réseau répond-il ? Recommencez.',
  },
  fileMissing: { en: 'must be chosen', fr: 'doit être choisi' },
  fileLarge: {
    en: 'is larger than 4 MB: this takes JavaScript, which sends it in pieces',
    fr: 'dépasse 4 Mo : il faut JavaScript, qui l’envoie par morceaux',
  },
  earlier: { en: 'Imports of the last 30 days', fr: 'Imports des 30 derniers jours' },
  emptyTitle: { en: 'Nothing was imported yet', fr: 'Rien n’a encore été importé' },
  empty: {
    en: 'Choose a file above. You say what its columns are, see the first lines, and decide.',
    fr: 'Choisissez un fichier ci-dessus. Vous nommez ses colonnes, voyez les premières lignes, puis décidez.',
  },
  state: { en: 'State', fr: 'État' },
  lines: { en: 'Lines', fr: 'Lignes' },
  began: { en: 'Began', fr: 'Début' },
  by: { en: 'By', fr: 'Par' },
  columns: { en: 'What the columns are', fr: 'Ce que sont les colonnes' },
  column: { en: 'Column', fr: 'Colonne' },
  examples: { en: 'In the first lines', fr: 'Dans les premières lignes' },
  takenAs: { en: 'Taken as', fr: 'Reprise comme' },
  fieldName: { en: 'Name of the field', fr: 'Nom du champ' },
  fieldNameWrong: {
    en: 'must be 1 to 64 of A-Z a-z 0-9 _',
    fr: 'doit compter de 1 à 64 caractères parmi A-Z a-z 0-9 _',
  },
  noEmail: { en: 'Say which column holds the address.', fr: 'Dites quelle colonne contient l’adresse.' },
  consent: { en: 'Did these people agree to get your mail?', fr: 'Ces personnes ont-elles accepté vos messages ?' },
  consentMissing: { en: 'Say which of the two it is.', fr: 'Dites lequel des deux.' },
  ask: { en: 'Ask each of them', fr: 'Le demander à chacune' },
  askHint: {
    en: 'Everybody who is new gets one message with a link, and is written to only once they have used it.',
    fr: 'Chaque nouvelle personne reçoit un message avec un lien ; rien d’autre ne part avant qu’il ait servi.',
  },
  given: { en: 'Yes, and I answer for it', fr: 'Oui, et j’en réponds' },
  givenHint: {
    en: 'They agreed to mail from you, and you can show it. They are subscribed at once; the audit log names you.',
    fr: 'Elles ont accepté vos messages, et vous pouvez le prouver. Elles sont abonnées aussitôt ; le journal d’audit vous nomme.',
  },
  reason: { en: 'Reason, where the file gives none', fr: 'Motif, si le fichier n’en donne pas' },
  look: { en: 'Show what would become of it', fr: 'Montrer ce qu’il en serait' },
  checkTitle: { en: 'What would become of it', fr: 'Ce qu’il en serait' },
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
    en: 'New people are subscribed at once, on your word.',
    fr: 'Les nouvelles personnes sont abonnées aussitôt, sur votre parole.',
  },
  beginAsk: {
    en: 'New people are each sent a message that asks them.',
    fr: 'Chaque nouvelle personne reçoit un message qui le lui demande.',
  },
  beginSuppress: {
    en: 'Nothing is sent to these addresses any more; subscribers among them leave.',
    fr: 'Plus rien n’est envoyé à ces adresses ; les abonnés parmi elles partent.',
  },
  goneStay: {
    en: 'Whoever left, complained or bounced is refused, and does not come back.',
    fr: 'Qui est parti, s’est plaint ou est injoignable est refusé et ne revient pas.',
  },
  begin: { en: 'Import', fr: 'Importer' },
  back: { en: 'Change the columns', fr: 'Changer les colonnes' },
  waiting: {
    en: 'The file has not come whole. Send it again to begin anew.',
    fr: 'Le fichier n’est pas arrivé en entier. Renvoyez-le pour recommencer.',
  },
  again: { en: 'Send a file', fr: 'Envoyer un fichier' },
  goesOn: {
    en: 'It goes on when you close this page.',
    fr: 'L’import continue si vous fermez cette page.',
  },
  added: { en: 'Added', fr: 'Ajoutées' },
  updated: { en: 'Updated', fr: 'Mises à jour' },
  suppressed: { en: 'Suppressed', fr: 'Exclues' },
  refused: { en: 'Refused', fr: 'Refusées' },
  progress: { en: 'How far it is', fr: 'Avancement' },
  report: { en: 'Download the refused lines', fr: 'Télécharger les lignes refusées' },
  reportKept: {
    en: 'Each with its number and why. Kept for a week.',
    fr: 'Chacune avec son numéro et son motif. Conservées une semaine.',
  },
  failed: { en: 'It stopped: {why}', fr: 'L’import s’est arrêté : {why}' },
  isCanceled: {
    en: 'It was stopped here. What was imported until then stays.',
    fr: 'L’import a été arrêté ici. Ce qui a été importé reste.',
  },
  cancel: { en: 'Stop it here', fr: 'L’arrêter ici' },
});

export const columnTexts = textsOf({
  ignored: { en: 'Leave out', fr: 'Laisser de côté' },
  email: { en: 'Address', fr: 'Adresse' },
  firstName: { en: 'First name', fr: 'Prénom' },
  lastName: { en: 'Last name', fr: 'Nom de famille' },
  name: { en: 'Whole name', fr: 'Nom complet' },
  tags: { en: 'Tags', fr: 'Étiquettes' },
  status: { en: 'Status where they come from', fr: 'Statut d’origine' },
  reason: { en: 'Reason', fr: 'Motif' },
  attributes: { en: 'Fields as JSON', fr: 'Champs en JSON' },
  unsubscribed: { en: 'Has unsubscribed (yes or no)', fr: 'Est désabonnée (oui ou non)' },
  field: { en: 'A field of its own', fr: 'Un champ à part' },
});

/** Of a column that says how everybody stands by being there. */
export const everybodyTexts = textsOf({
  subscribed: { en: 'Says that all are subscribed', fr: 'Dit que toutes sont abonnées' },
  pending: { en: 'Says that all have yet to confirm', fr: 'Dit que toutes doivent encore confirmer' },
  unsubscribe: { en: 'Says that all have left', fr: 'Dit que toutes sont parties' },
  bounce: { en: 'Says that all are dead addresses', fr: 'Dit que toutes les adresses sont mortes' },
  complaint: { en: 'Says that all have complained', fr: 'Dit que toutes se sont plaintes' },
  manual: { en: 'Says that all were blocked by hand', fr: 'Dit que toutes ont été bloquées à la main' },
});

export const outcomeTexts = textsOf({
  subscribed: { en: 'Subscribed', fr: 'Abonnée' },
  asked: { en: 'Asked to confirm', fr: 'Confirmation demandée' },
  updated: { en: 'Updated', fr: 'Mise à jour' },
  suppressed: { en: 'Suppressed', fr: 'Exclue' },
  refused: { en: 'Refused', fr: 'Refusée' },
});
