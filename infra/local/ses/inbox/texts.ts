const en = {
  title: 'Inbox',
  tagline: 'Mail that the local SES has taken. Nothing has left this machine.',
  search: 'Recipient',
  find: 'Search',
  empty: 'No message yet.',
  emptySearch: 'No message to such a recipient.',
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
};
export type InboxTexts = typeof en;

const fr: InboxTexts = {
  title: 'Boîte de réception',
  tagline: 'Les messages pris en charge par le SES local. Rien n’a quitté cette machine.',
  search: 'Destinataire',
  find: 'Rechercher',
  empty: 'Aucun message pour l’instant.',
  emptySearch: 'Aucun message pour un tel destinataire.',
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
};

export interface InboxLanguage {
  readonly code: 'en' | 'fr';
  readonly texts: InboxTexts;
}

/** French when the browser prefers it to English, else English. */
export function inboxLanguage(acceptLanguage: string): InboxLanguage {
  const preferred = acceptLanguage
    .split(',')
    .map((entry) => {
      const [tag = '', ...parameters] = entry.trim().toLowerCase().split(';');
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean);
      return { language: tag.split('-')[0], quality: Number(quality ?? 1) };
    })
    .filter(({ language }) => language === 'fr' || language === 'en')
    .sort((one, other) => other.quality - one.quality)[0];
  return preferred?.language === 'fr' ? { code: 'fr', texts: fr } : { code: 'en', texts: en };
}
