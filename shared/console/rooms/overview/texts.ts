import { textsOf } from '../../../language/text.ts';

export const overviewTexts = textsOf({
  days: { en: 'Days', fr: 'Jours' },
  last30: { en: '30 days', fr: '30 jours' },
  last90: { en: '90 days', fr: '90 jours' },
  sent: { en: 'Sent', fr: 'Envoyés' },
  delivered: { en: 'Delivered', fr: 'Livrés' },
  opened: { en: 'Opened', fr: 'Ouverts' },
  openedByDay: { en: 'First opens, day by day', fr: 'Premières ouvertures, jour par jour' },
  openedWhat: {
    en: 'People who opened a message for the first time, on the day of it. Some mail programs open everything by themselves.',
    fr: 'Les personnes qui ont ouvert un message pour la première fois, le jour même. Certains logiciels ouvrent tout d’eux-mêmes.',
  },
  openedUnkept: {
    en: 'Of single emails none is counted: this deployment keeps no list of them (setting “emailList”).',
    fr: 'Aucune des e-mails à l’unité n’est comptée : ce déploiement n’en tient pas de liste (réglage « emailList »).',
  },
  openedOff: {
    en: 'Opens are not followed: Settings, General switches it on.',
    fr: 'Les ouvertures ne sont pas suivies : cela s’active dans Réglages, Général.',
  },
  bounced: { en: 'Bounced', fr: 'Rebonds' },
  complained: { en: 'Complained', fr: 'Plaintes' },
  day: { en: 'Day (UTC)', fr: 'Jour (UTC)' },
  traffic: { en: 'Sent and delivered, day by day', fr: 'Envois et livraisons, jour par jour' },
  damage: { en: 'Bounces and complaints, day by day', fr: 'Rebonds et plaintes, jour par jour' },
  noMail: {
    en: 'Nothing was sent in this time. An application sends with a key; campaigns go to people.',
    fr: 'Rien n’a été envoyé sur cette période. Une application envoie avec une clé ; les campagnes vont aux personnes.',
  },
  makeKey: { en: 'Make a key', fr: 'Créer une clé' },
  rates: { en: 'How mail is received (30 days)', fr: 'Comment les messages sont reçus (30 jours)' },
  bounceRate: { en: 'Bounce rate', fr: 'Taux de rebond' },
  complaintRate: { en: 'Complaint rate', fr: 'Taux de plainte' },
  bounceScale: {
    en: 'This workspace is suspended above 5%, and SES reviews an account from 5% on; at 10% it may stop it.',
    fr: 'Cet espace est suspendu au-delà de 5 %, seuil où SES examine un compte ; à 10 %, SES peut l’arrêter.',
  },
  complaintScale: {
    en: 'This workspace is suspended above 0.1%, and SES reviews an account from 0.1% on; at 0.5% it may stop it.',
    fr: 'Cet espace est suspendu au-delà de 0,1 %, seuil où SES examine un compte ; à 0,5 %, SES peut l’arrêter.',
  },
  quota: { en: 'This month’s quota', fr: 'Quota du mois' },
  quotaLeft: { en: 'left of {quota}', fr: 'restants sur {quota}' },
  running: { en: 'Campaigns on their way', fr: 'Campagnes en cours' },
  runningNone: { en: 'None is on its way.', fr: 'Aucune n’est en cours.' },
  progress: { en: '{done} of {all}', fr: '{done} sur {all}' },
  attention: { en: 'What needs attention', fr: 'À surveiller' },
  calm: { en: 'Nothing does. All is well.', fr: 'Rien. Tout va bien.' },
  suspended: {
    en: 'Sending is suspended: too many bounces or complaints. Find what caused them, then let it go on.',
    fr: 'Les envois sont suspendus : trop de rebonds ou de plaintes. Trouvez-en la cause, puis relancez-les.',
  },
  resume: { en: 'Let sending go on', fr: 'Relancer les envois' },
  resumeWhat: {
    en: 'Mail leaves again at once. What was counted until now is forgiven; new bounces and complaints count from zero.',
    fr: 'Les messages repartent aussitôt. Ce qui a été compté est oublié ; nouveaux rebonds et plaintes comptent de zéro.',
  },
  noDomain: {
    en: 'No domain is verified, so nothing can be sent: add one and publish its records.',
    fr: 'Aucun domaine n’est vérifié, rien ne peut donc partir : ajoutez-en un et publiez ses enregistrements.',
  },
  unverified: {
    en: 'Not verified, so nothing is sent from it: {domains}.',
    fr: 'Non vérifié, rien n’en part donc : {domains}.',
  },
  noSender: {
    en: 'There is no sender: confirmations and campaigns need one.',
    fr: 'Il n’y a pas d’expéditeur : confirmations et campagnes en demandent un.',
  },
  toDomains: { en: 'Domains and senders', fr: 'Domaines et expéditeurs' },
  sandbox: {
    en: 'SES holds this account in its sandbox: it delivers to verified addresses only. Ask AWS for production access, in the SES console.',
    fr: 'SES garde ce compte dans son bac à sable : il ne livre qu’aux adresses vérifiées. Demandez l’accès de production à AWS, dans la console SES.',
  },
  enforcement: {
    en: 'SES reviews this account ({status}): see the SES console for what it asks.',
    fr: 'SES examine ce compte ({status}) : voyez dans la console SES ce qu’il demande.',
  },
  givenUp: {
    en: '{count} messages were given up after several tries: {queue}.',
    fr: '{count} messages ont été abandonnés après plusieurs essais : {queue}.',
  },
  givenUpOne: {
    en: 'A message was given up after several tries: {queue}.',
    fr: 'Un message a été abandonné après plusieurs essais : {queue}.',
  },
  toGivenUp: { en: 'See what it is, and put it back', fr: 'Voir de quoi il s’agit, et le remettre' },
  failing: {
    en: 'A webhook has failed for three days and was switched off: {name}.',
    fr: 'Un webhook échoue depuis trois jours et a été désactivé : {name}.',
  },
  toWebhook: { en: 'See its log', fr: 'Voir son journal' },
  lowQuota: {
    en: 'Nine tenths of the month’s quota are used; beyond it, sends are refused until next month.',
    fr: 'Neuf dixièmes du quota du mois sont utilisés ; au-delà, les envois sont refusés jusqu’au mois prochain.',
  },
  held: { en: 'A campaign is held back: {name}.', fr: 'Une campagne est retenue : {name}.' },
  toCampaign: { en: 'See why', fr: 'Voir pourquoi' },
});
