import { type Language, languageOf } from '../../../../shared/language/languages.ts';

const en = {
  title: 'Inbox',
  tagline: 'Mail that the local SES has taken. Nothing has left this machine.',
  search: 'Sender, recipient, subject or text',
  find: 'Search',
  empty: 'No message yet.',
  emptySearch: 'No message is like that.',
  older: 'Older messages',
  newest: 'Newest messages',
  back: 'All messages',
  noSubject: '(no subject)',
  from: 'From',
  to: 'Delivered to',
  sent: 'Sent',
  size: 'Size',
  id: 'Message ID',
  html: 'HTML',
  text: 'Text',
  headers: 'Headers',
  attachments: 'Attachments',
  events: 'Events so far',
  noEvents: 'Nothing has been reported yet.',
  source: 'Download the source (.eml)',
  shown: 'Shown without scripts, and without images from elsewhere. Where opens are tracked, showing it counts as one.',
  unnamed: 'unnamed',
  notFound: 'This message is not here.',
  bytes: 'bytes',
  unread: 'New',
  status: 'Status',
  emailId: 'Email ID',
  links: 'Links',
  sourceTitle: 'Source',
  cut: 'The rest is in the file.',
  check: 'What some mail clients do not show',
  checkBy: 'By the data of caniemail.com.',
  checkNone: 'Nothing that we know of.',
  delete: 'Delete this message',
  deleteAll: 'Delete all messages',
};
type InboxTexts = typeof en;

const fr: InboxTexts = {
  title: 'Boîte de réception',
  tagline: 'Les messages pris en charge par le SES local. Rien n’a quitté cette machine.',
  search: 'Expéditeur, destinataire, objet ou texte',
  find: 'Rechercher',
  empty: 'Aucun message pour l’instant.',
  emptySearch: 'Aucun message ne correspond.',
  older: 'Messages plus anciens',
  newest: 'Messages les plus récents',
  back: 'Tous les messages',
  noSubject: '(sans objet)',
  from: 'De',
  to: 'Remis à',
  sent: 'Envoyé',
  size: 'Taille',
  id: 'Identifiant',
  html: 'HTML',
  text: 'Texte',
  headers: 'En-têtes',
  attachments: 'Pièces jointes',
  events: 'Événements à ce jour',
  noEvents: 'Rien n’a encore été signalé.',
  source: 'Télécharger la source (.eml)',
  shown:
    'Affiché sans script et sans image venue d’ailleurs. Si les ouvertures sont suivies, l’affichage compte pour une ouverture.',
  unnamed: 'sans nom',
  notFound: 'Ce message n’est pas ici.',
  bytes: 'octets',
  unread: 'Nouveau',
  status: 'État',
  emailId: 'Identifiant de l’e-mail',
  links: 'Liens',
  sourceTitle: 'Source',
  cut: 'La suite est dans le fichier.',
  check: 'Ce que certaines messageries n’affichent pas',
  checkBy: 'D’après les données de caniemail.com.',
  checkNone: 'Rien que nous sachions.',
  delete: 'Supprimer ce message',
  deleteAll: 'Supprimer tous les messages',
};

const texts: Readonly<Record<Language, InboxTexts>> = { en, fr };

export interface InboxLanguage {
  readonly code: Language;
  readonly texts: InboxTexts;
}

export function inboxLanguage(acceptLanguage: string): InboxLanguage {
  const code = languageOf(acceptLanguage);
  return { code, texts: texts[code] };
}
