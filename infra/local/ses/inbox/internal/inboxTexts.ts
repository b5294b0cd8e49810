import { type Language, languageOf } from '../../../../../shared/language/languages.ts';

const en = {
  title: 'Inbox',
  tagline: 'Mail that the local SES has accepted. Nothing has left this machine.',
  search: 'Sender, recipient, subject or text',
  find: 'Search',
  empty: 'No message yet.',
  emptySearch: 'No message matches.',
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
  noEvents: 'There are no events yet.',
  source: 'Download the source (.eml)',
  shown:
    'Shown without scripts and without images from other servers. With open tracking, showing it counts as an open.',
  unnamed: 'unnamed',
  notFound: 'There is no such message.',
  bytes: 'bytes',
  unread: 'New',
  status: 'Status',
  emailId: 'Email ID',
  links: 'Links',
  sourceTitle: 'Source',
  cut: 'The rest is in the download.',
  check: 'What some mail clients do not show',
  checkBy: 'According to caniemail.com.',
  checkNone: 'Nothing known.',
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
  noEvents: 'Aucun événement pour l’instant.',
  source: 'Télécharger la source (.eml)',
  shown:
    'Affiché sans script et sans image d’autres serveurs. Si les ouvertures sont suivies, l’affichage compte pour une ouverture.',
  unnamed: 'sans nom',
  notFound: 'Ce message n’existe pas.',
  bytes: 'octets',
  unread: 'Nouveau',
  status: 'État',
  emailId: 'Identifiant de l’e-mail',
  links: 'Liens',
  sourceTitle: 'Source',
  cut: 'La suite est dans le fichier téléchargé.',
  check: 'Ce que certaines messageries n’affichent pas',
  checkBy: 'D’après caniemail.com.',
  checkNone: 'Rien de connu.',
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
