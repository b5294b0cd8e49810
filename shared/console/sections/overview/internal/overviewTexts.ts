import { textsOf } from '../../../../language/text.ts';

export const overviewTexts = textsOf({
  last30: { en: '30 days', fr: '30 jours' },
  last90: { en: '90 days', fr: '90 jours' },
  sent: { en: 'Sent', fr: 'Envoyés' },
  delivered: { en: 'Delivered', fr: 'Livrés' },
  opened: { en: 'Opened', fr: 'Ouverts' },
  openedByDay: { en: 'First opens, day by day', fr: 'Premières ouvertures, jour par jour' },
  openedWhat: {
    en: 'People who opened a message for the first time on that day. Some mail clients open every message by themselves.',
    fr: 'Les personnes qui ont ouvert un message pour la première fois ce jour-là. Certaines messageries ouvrent d’elles-mêmes tous les messages.',
  },
  openedUnkept: {
    en: 'Opens of single emails are not counted: this deployment keeps no list of emails (setting “emailList”).',
    fr: 'Les ouvertures des e-mails à l’unité ne sont pas comptées\u00a0: ce déploiement ne tient pas de liste d’e-mails (réglage «\u00a0emailList\u00a0»).',
  },
  openedOff: {
    en: 'Opens are not tracked. You can turn this on under Settings, General.',
    fr: 'Les ouvertures ne sont pas suivies. Cela s’active dans Réglages, Général.',
  },
  bounced: { en: 'Bounced', fr: 'Rebonds' },
  complained: { en: 'Complained', fr: 'Plaintes' },
  day: { en: 'Day (UTC)', fr: 'Jour (UTC)' },
  traffic: { en: 'Sent and delivered, day by day', fr: 'Envois et livraisons, jour par jour' },
  problems: { en: 'Bounces and complaints, day by day', fr: 'Rebonds et plaintes, jour par jour' },
  noMail: {
    en: 'Nothing was sent in this period. Send with an API key, or send a campaign.',
    fr: 'Rien n’a été envoyé sur cette période. Envoyez avec une clé d’API, ou envoyez une campagne.',
  },
  makeKey: { en: 'Create a key', fr: 'Créer une clé' },
  rates: { en: 'Reputation (30 days)', fr: 'Réputation (30 jours)' },
  bounceRate: { en: 'Bounce rate', fr: 'Taux de rebond' },
  complaintRate: { en: 'Complaint rate', fr: 'Taux de plainte' },
  bounceScale: {
    en: 'Above 5%, this workspace is suspended. SES reviews an account from 5% on and may pause it at 10%.',
    fr: 'Au-delà de 5\u00a0%, cet espace est suspendu. SES examine un compte à partir de 5\u00a0% et peut le mettre en pause à 10\u00a0%.',
  },
  complaintScale: {
    en: 'Above 0.1%, this workspace is suspended. SES reviews an account from 0.1% on and may pause it at 0.5%.',
    fr: 'Au-delà de 0,1\u00a0%, cet espace est suspendu. SES examine un compte à partir de 0,1\u00a0% et peut le mettre en pause à 0,5\u00a0%.',
  },
  quota: { en: 'This month’s quota', fr: 'Quota du mois' },
  quotaLeft: { en: 'left of {quota}', fr: 'restants sur {quota}' },
  running: { en: 'Sending now', fr: 'En cours d’envoi' },
  runningNone: { en: 'No campaigns are sending.', fr: 'Aucune campagne n’est en cours d’envoi.' },
  progress: { en: '{done} of {all}', fr: '{done} sur {all}' },
  attention: { en: 'Needs attention', fr: 'À surveiller' },
  calm: { en: 'No issues.', fr: 'Rien à signaler.' },
  suspended: {
    en: 'Sending is suspended: too many bounces or complaints. Find the cause, then resume sending.',
    fr: 'Les envois sont suspendus\u00a0: trop de rebonds ou de plaintes. Trouvez-en la cause, puis relancez les envois.',
  },
  paused: {
    en: 'The sign-up form is closed for a day: too many confirmations bounced, for example because dead addresses were entered. Other mail continues.',
    fr: 'Le formulaire d’inscription est fermé pour un jour\u00a0: trop de confirmations ont été rejetées, par exemple parce que des adresses mortes ont été saisies. Vos autres messages continuent de partir.',
  },
  suspendedByPlatform: {
    en: 'Sending is suspended: too many bounces or complaints. Find the cause; an owner of all workspaces can then resume sending.',
    fr: 'Les envois sont suspendus\u00a0: trop de rebonds ou de plaintes. Trouvez-en la cause\u00a0; un propriétaire de tous les espaces pourra ensuite relancer les envois.',
  },
  resumeByPlatform: {
    en: 'Only an owner of all workspaces may resume sending, since every workspace depends on the good name of the account: ask the people who run this deployment.',
    fr: 'Seul un propriétaire de tous les espaces peut relancer les envois, car chaque espace dépend de la bonne réputation du compte\u00a0: adressez-vous aux responsables de ce déploiement.',
  },
  resumeConfirmations: { en: 'Resume confirmations', fr: 'Relancer les confirmations' },
  resumeConfirmationsWhat: {
    en: 'The sign-up form opens again, and confirmations that wait go out. Bounces until now no longer count. Look first at who signed up: if somebody types in dead addresses, wait until that has stopped.',
    fr: 'Le formulaire d’inscription rouvre et les confirmations en attente partent. Les rejets survenus jusqu’ici ne comptent plus. Regardez d’abord qui s’est inscrit : si quelqu’un y saisit des adresses mortes, attendez que cela cesse.',
  },
  resume: { en: 'Resume sending', fr: 'Relancer les envois' },
  resumeWhat: {
    en: 'Mail is sent again at once. Earlier bounces and complaints no longer count; new ones count from zero.',
    fr: 'Les messages repartent aussitôt. Les rebonds et plaintes passés ne comptent plus\u00a0; les nouveaux comptent à partir de zéro.',
  },
  noDomain: {
    en: 'No domain is verified, so nothing can be sent: add one and publish its records.',
    fr: 'Aucun domaine n’est vérifié, rien ne peut donc partir\u00a0: ajoutez-en un et publiez ses enregistrements.',
  },
  unverified: {
    en: 'Not verified, so nothing can be sent from: {domains}.',
    fr: 'Non vérifié, rien ne peut donc partir de\u00a0: {domains}.',
  },
  noSender: {
    en: 'There is no sender: confirmations and campaigns need one.',
    fr: 'Il n’y a pas d’expéditeur\u00a0: confirmations et campagnes en demandent un.',
  },
  toDomains: { en: 'Domains and senders', fr: 'Domaines et expéditeurs' },
  sandbox: {
    en: 'This SES account is in the sandbox: it delivers to verified addresses only. Request production access in the SES console.',
    fr: 'Ce compte SES est dans le bac à sable\u00a0: il ne livre qu’aux adresses vérifiées. Demandez l’accès de production dans la console SES.',
  },
  enforcement: {
    en: 'SES is reviewing this account ({status}): see the SES console for what to do.',
    fr: 'SES examine ce compte ({status})\u00a0: la console SES indique que faire.',
  },
  failedMany: {
    en: '{count} messages failed several times: {queue}.',
    fr: '{count} messages ont échoué plusieurs fois\u00a0: {queue}.',
  },
  failedOne: {
    en: 'A message failed several times: {queue}.',
    fr: 'Un message a échoué plusieurs fois\u00a0: {queue}.',
  },
  undeliveredMany: {
    en: '{count} events of SES have not reached their queue: {queue}. The service moves them there within 15 minutes.',
    fr: '{count} événements de SES ne sont pas arrivés dans leur file\u00a0: {queue}. Le service les y déplace dans les 15 minutes.',
  },
  undeliveredOne: {
    en: 'An event of SES has not reached its queue: {queue}. The service moves it there within 15 minutes.',
    fr: 'Un événement de SES n’est pas arrivé dans sa file\u00a0: {queue}. Le service l’y déplace dans les 15 minutes.',
  },
  toFailed: { en: 'View and retry', fr: 'Examiner et réessayer' },
  failingNow: {
    en: 'Deliveries to a webhook are failing: {name}.',
    fr: 'Les livraisons à un webhook échouent\u00a0: {name}.',
  },
  failing: {
    en: 'A webhook failed for three days and was disabled: {name}.',
    fr: 'Un webhook échoue depuis trois jours et a été désactivé\u00a0: {name}.',
  },
  toWebhook: { en: 'See its log', fr: 'Voir son journal' },
  lowQuota: {
    en: '90% of the month’s quota is used. Once it is used up, sending is refused until next month.',
    fr: '90\u00a0% du quota du mois sont utilisés. Une fois épuisé, les envois sont refusés jusqu’au mois prochain.',
  },
  held: { en: 'A campaign is paused: {name}.', fr: 'Une campagne est en pause\u00a0: {name}.' },
  allSending: { en: 'Hold all sending', fr: 'Bloquer tous les envois' },
  toCampaign: { en: 'See why', fr: 'Voir pourquoi' },
});
