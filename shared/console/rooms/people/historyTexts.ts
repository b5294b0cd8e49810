import { textsOf } from '../../../language/text.ts';

export const historyTexts = textsOf({
  title: { en: 'What they were sent, and did', fr: 'Ce qui leur a été envoyé, et ce qu’ils ont fait' },
  subject: { en: 'Subject', fr: 'Objet' },
  status: { en: 'Status', fr: 'Statut' },
  did: { en: 'Did', fr: 'Action' },
  at: { en: 'When', fr: 'Quand' },
  opened: { en: 'opened {count} times', fr: 'ouvert {count} fois' },
  clicked: { en: 'clicked {count} times', fr: 'cliqué {count} fois' },
  all: { en: 'All emails to this address', fr: 'Tous les e-mails à cette adresse' },
  nothing: {
    en: 'No single email was sent to this address.',
    fr: 'Aucun e-mail à l’unité n’a été envoyé à cette adresse.',
  },
  notKept: {
    en: 'This deployment keeps no list of emails by recipient: its setting “emailList” would have to be “recipient-and-tag”.',
    fr: 'Ce déploiement ne tient pas de liste par destinataire : il faudrait le réglage « emailList » à « recipient-and-tag ».',
  },
  campaigns: {
    en: 'Campaigns keep no list by person: what each of them brought is in the file below.',
    fr: 'Les campagnes ne tiennent pas de liste par personne : le détail est dans le fichier ci-dessous.',
  },
});
