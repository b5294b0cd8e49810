import { textsOf } from '../../../../language/text.ts';

export const queuesTexts = textsOf({
  title: { en: 'Failed messages', fr: 'Messages en échec' },
  lead: {
    en: 'Messages that failed several times are kept in dead-letter queues for 14 days. The log of the service says why they failed: fix the cause first, then put them back.',
    fr: 'Les messages qui ont échoué plusieurs fois sont conservés 14 jours dans des files d’échecs. Le journal du service dit pourquoi\u00a0: corrigez d’abord la cause, puis remettez-les en file.',
  },
  emptyTitle: { en: 'No failed messages', fr: 'Aucun message en échec' },
  emptyWhat: {
    en: 'The background work of the service waits in queues. A message that fails again and again is moved to a dead-letter queue and shown here, to be put back once the cause is fixed.',
    fr: 'Le travail en arrière-plan du service attend dans des files. Un message qui échoue à répétition passe dans une file d’échecs et apparaît ici, pour être remis une fois la cause corrigée.',
  },
  waiting: { en: 'Messages', fr: 'Messages' },
  what: { en: 'Kinds', fr: 'Types' },
  looked: { en: '(of {looked} inspected)', fr: '(sur {looked} examinés)' },
  oldest: { en: 'Oldest message', fr: 'Message le plus ancien' },
  gone: { en: 'Kept until', fr: 'Conservé jusqu’au' },
  effect: { en: 'What happens when they are put back', fr: 'Si vous les remettez' },
  effectUnknown: {
    en: 'They are processed as if they were new.',
    fr: 'Ils sont traités comme s’ils étaient nouveaux.',
  },
  ask: { en: 'Put them back…', fr: 'Les remettre…' },
  askTitle: { en: 'Put back: {queue}', fr: 'Remettre\u00a0: {queue}' },
  askOne: { en: 'One message returns to its queue.', fr: 'Un message retourne dans sa file.' },
  askMany: { en: '{count} messages return to their queue.', fr: '{count} messages retournent dans leur file.' },
  again: {
    en: 'A message that fails again returns to this page after as many attempts as before.',
    fr: 'Un message qui échoue encore revient ici après autant de tentatives.',
  },
  redrive: { en: 'Put them back', fr: 'Les remettre' },
  nothing: {
    en: 'This queue has no failed messages, or they have just been put back.',
    fr: 'Cette file n’a pas de message en échec, ou ils ont été remis entre-temps.',
  },
});

/** The queues of infra/resources.ts, named for operators. */
export const nameTexts = textsOf({
  feedback: { en: 'Feedback on single emails', fr: 'Suivi des e-mails à l’unité' },
  'campaign-feedback': { en: 'Feedback on campaigns', fr: 'Suivi des campagnes' },
  confirmation: {
    en: 'Requests for consent and scheduled emails',
    fr: 'Demandes de consentement et e-mails programmés',
  },
  'webhook-delivery': { en: 'Webhooks', fr: 'Webhooks' },
  'webhook-delivery-bulk': { en: 'Webhooks of campaigns and imports', fr: 'Webhooks des campagnes et imports' },
  campaign: { en: 'Campaigns being sent', fr: 'Campagnes en cours d’envoi' },
  'campaign-start': { en: 'Scheduled campaigns', fr: 'Campagnes programmées' },
  job: { en: 'Imports, exports and erasures', fr: 'Imports, exports et effacements' },
  automation: { en: 'Automations', fr: 'Automatisations' },
});

export const effectTexts = textsOf({
  feedback: {
    en: 'Deliveries, bounces and complaints are recorded, each once even if it arrives again. No mail is sent.',
    fr: 'Livraisons, rebonds et plaintes sont enregistrés, chacun une seule fois même s’il revient. Aucun message ne part.',
  },
  'campaign-feedback': {
    en: 'Deliveries, bounces and complaints of campaigns are recorded, each once even if it arrives again. A campaign that waits for feedback on a message waits 15 minutes longer. No mail is sent.',
    fr: 'Livraisons, rebonds et plaintes des campagnes sont enregistrés, chacun une seule fois même s’il revient. Une campagne qui attend le suivi d’un message attend 15 minutes de plus. Aucun message ne part.',
  },
  confirmation: {
    en: 'People who still wait for a request for consent, or for their data, get one message. People who have answered or unsubscribed since get nothing, and forms older than seven days are ignored. Scheduled emails that still wait are sent now, even though late: each once, after a new check. Emails that were sent or cancelled stay as they are.',
    fr: 'Les personnes qui attendent encore la demande de consentement, ou leurs données, reçoivent leur message, une seule fois. Celles qui ont répondu ou se sont désabonnées depuis ne reçoivent rien, et un formulaire de plus de sept jours reste sans suite. Les e-mails programmés encore en attente partent maintenant, malgré le retard\u00a0: chacun une seule fois, après une nouvelle vérification. Les e-mails envoyés ou annulés ne changent pas.',
  },
  'webhook-delivery': {
    en: 'Events that still wait are sent to their webhooks. An event may arrive twice, with the same ID. No mail is sent.',
    fr: 'Les événements encore en attente sont envoyés à leurs webhooks. Un événement peut arriver deux fois, avec le même identifiant. Aucun message ne part.',
  },
  'webhook-delivery-bulk': {
    en: 'Events of campaigns and imports that still wait are sent to their webhooks. An event may arrive twice, with the same ID. No mail is sent.',
    fr: 'Les événements des campagnes et imports encore en attente sont envoyés à leurs webhooks. Un événement peut arriver deux fois, avec le même identifiant. Aucun message ne part.',
  },
  campaign: {
    en: 'Interrupted campaigns continue where they stopped. Nobody gets a message twice, and people who have unsubscribed since get nothing. Campaigns that were paused, cancelled or sent stay as they are.',
    fr: 'Les campagnes arrêtées reprennent où elles en étaient. Personne ne reçoit deux messages, et les personnes désabonnées depuis ne reçoivent rien. Les campagnes en pause, annulées ou envoyées ne changent pas.',
  },
  'campaign-start': {
    en: 'A campaign that is still scheduled for that time is sent now, even though late, to the people who are subscribed now. To prevent this, cancel its schedule first.',
    fr: 'Une campagne encore programmée pour ce moment part maintenant, malgré le retard, vers les personnes abonnées aujourd’hui. Si elle ne doit pas partir, annulez d’abord sa programmation.',
  },
  job: {
    en: 'Unfinished work continues where it stopped. What is done, failed or cancelled stays as it is.',
    fr: 'Ce qui n’est pas terminé reprend où il en était. Ce qui est terminé, échoué ou annulé ne change pas.',
  },
  automation: {
    en: 'Runs go on from where they are. The current state of each is read again: nobody gets the message of a step twice, and people who have unsubscribed since get nothing. A message for a step that its run has already left has no effect.',
    fr: 'Les parcours reprennent là où ils en sont. L’état actuel de chacun est relu : personne ne reçoit deux fois le message d’une étape, et les personnes désabonnées depuis ne reçoivent rien. Un message pour une étape que son parcours a déjà quittée n’a aucun effet.',
  },
});

/** The kinds of messages by the value in the message. */
export const kindTexts = textsOf({
  confirmation: { en: 'request for consent', fr: 'demande de consentement' },
  sign_up: { en: 'submitted sign-up form', fr: 'formulaire envoyé' },
  data: { en: 'request for personal data', fr: 'demande de données personnelles' },
  send: { en: 'scheduled email', fr: 'e-mail programmé' },
  attempt: { en: 'event for a webhook', fr: 'événement pour un webhook' },
  release: { en: 'enabled webhook', fr: 'webhook activé' },
  erase: { en: 'deleted webhook', fr: 'webhook supprimé' },
  run: { en: 'part of a campaign', fr: 'partie d’une campagne' },
  fire: { en: 'scheduled campaign', fr: 'campagne programmée' },
  job: { en: 'import, export or erasure', fr: 'import, export ou effacement' },
  event: { en: 'event of a person', fr: 'événement d’une personne' },
  change: { en: 'change of a person', fr: 'changement d’une personne' },
  wake: { en: 'next step of a run', fr: 'prochaine étape d’un parcours' },
  mail: { en: 'outcome of a run’s message', fr: 'sort du message d’un parcours' },
  jobs: { en: 'work for a whole automation', fr: 'travail pour toute une automatisation' },
  recount: { en: 'recount of an automation', fr: 'recomptage d’une automatisation' },
  Send: { en: 'accepted by SES', fr: 'accepté par SES' },
  Delivery: { en: 'delivery', fr: 'livraison' },
  Bounce: { en: 'bounce', fr: 'rebond' },
  Complaint: { en: 'complaint', fr: 'plainte' },
  Open: { en: 'open', fr: 'ouverture' },
  Click: { en: 'click', fr: 'clic' },
  Reject: { en: 'refused by SES', fr: 'refusé par SES' },
  DeliveryDelay: { en: 'delay', fr: 'retard' },
  'Rendering Failure': { en: 'template that SES could not render', fr: 'modèle que SES n’a pas pu composer' },
  other: { en: 'message of another service', fr: 'message d’un autre service' },
});
