import { textsOf } from '../../../language/text.ts';

export const queuesTexts = textsOf({
  title: { en: 'Messages that were given up', fr: 'Messages abandonnés' },
  lead: {
    en: 'What failed several times in a row is put aside for 14 days, and nothing of it is lost. The log of the service says why it failed: mend that first, then put it back.',
    fr: 'Ce qui échoue plusieurs fois de suite est mis de côté pendant 14 jours, sans rien perdre. Le journal du service dit pourquoi : corrigez d’abord la cause, puis remettez-le en file.',
  },
  emptyTitle: { en: 'Nothing was given up', fr: 'Rien n’a été abandonné' },
  emptyWhat: {
    en: 'What the service has to do behind the scenes waits in queues. A message that fails again and again is put aside and shown here, to be put back once its cause is mended.',
    fr: 'Ce que le service fait en coulisses attend dans des files. Un message qui échoue à répétition est mis de côté et affiché ici, pour être remis une fois la cause corrigée.',
  },
  waiting: { en: 'Put aside', fr: 'Mis de côté' },
  what: { en: 'What they are', fr: 'De quoi il s’agit' },
  looked: { en: '(of {looked} that were looked at)', fr: '(sur {looked} examinés)' },
  oldest: { en: 'The oldest is of', fr: 'Le plus ancien date du' },
  gone: { en: 'It is kept until', fr: 'Il est gardé jusqu’au' },
  effect: { en: 'If they are put back', fr: 'S’ils sont remis' },
  effectUnknown: {
    en: 'They are worked on as if they came now.',
    fr: 'Ils sont traités comme s’ils arrivaient maintenant.',
  },
  ask: { en: 'Put them back…', fr: 'Les remettre…' },
  askTitle: { en: 'Put back: {queue}', fr: 'Remettre : {queue}' },
  askOne: { en: 'One message goes back on its queue.', fr: 'Un message retourne dans sa file.' },
  askMany: { en: '{count} messages go back on their queue.', fr: '{count} messages retournent dans leur file.' },
  again: {
    en: 'What fails again comes back here after as many tries as the first time.',
    fr: 'Ce qui échoue encore revient ici après autant d’essais que la première fois.',
  },
  redrive: { en: 'Put them back', fr: 'Les remettre' },
  nothing: {
    en: 'This queue has given nothing up, or it was put back meanwhile.',
    fr: 'Cette file n’a rien abandonné, ou cela a été remis entre-temps.',
  },
});

/** The queues of infra/resources.ts as an operator knows them. */
export const nameTexts = textsOf({
  feedback: { en: 'What became of single emails', fr: 'Suivi des e-mails à l’unité' },
  'campaign-feedback': { en: 'What became of campaign mail', fr: 'Suivi des campagnes' },
  confirmation: { en: 'Requests for consent', fr: 'Demandes de consentement' },
  'scheduled-email': { en: 'Scheduled emails', fr: 'E-mails programmés' },
  'webhook-delivery': { en: 'Webhooks', fr: 'Webhooks' },
  'webhook-delivery-bulk': { en: 'Webhooks of campaigns and imports', fr: 'Webhooks des campagnes et imports' },
  campaign: { en: 'Campaigns on their way', fr: 'Campagnes en cours' },
  'campaign-start': { en: 'Scheduled campaigns', fr: 'Campagnes programmées' },
  job: { en: 'Imports, exports and erasures', fr: 'Imports, exports et effacements' },
});

export const effectTexts = textsOf({
  feedback: {
    en: 'Deliveries, bounces and complaints are noted, each once, however often it comes. No mail goes out.',
    fr: 'Livraisons, rebonds et plaintes sont notés, chacun une seule fois même s’il revient. Aucun message ne part.',
  },
  'campaign-feedback': {
    en: 'Deliveries, bounces and complaints of campaigns are noted, each once, however often it comes. A campaign that waits for word on a message waits a quarter of an hour longer. No mail goes out.',
    fr: 'Livraisons, rebonds et plaintes des campagnes sont notés, chacun une seule fois même s’il revient. Une campagne qui attend le sort d’un message attend un quart d’heure de plus. Aucun message ne part.',
  },
  confirmation: {
    en: 'Who still waits to be asked for their consent, or for their data, is written to, once. Who has answered or left since gets nothing, and no form that is older than seven days is answered.',
    fr: 'Les personnes qui attendent encore la demande de consentement, ou leurs données, reçoivent leur message, une seule fois. Qui a répondu ou s’est désabonné depuis ne reçoit rien, et un formulaire de plus de sept jours reste sans suite.',
  },
  'scheduled-email': {
    en: 'Emails that still wait go out now, late as it is: each once, and checked anew. What has gone out or was cancelled stays as it is.',
    fr: 'Les e-mails encore en attente partent maintenant, malgré le retard : chacun une seule fois, après une nouvelle vérification. Ce qui est parti ou annulé ne change pas.',
  },
  'webhook-delivery': {
    en: 'Events that still wait are sent to their webhooks. One may come twice, under the same id; no mail goes out.',
    fr: 'Les événements encore en attente sont envoyés à leurs webhooks. L’un d’eux peut arriver deux fois, sous le même identifiant ; aucun message ne part.',
  },
  'webhook-delivery-bulk': {
    en: 'Events of campaigns and imports that still wait are sent to their webhooks. One may come twice, under the same id; no mail goes out.',
    fr: 'Les événements des campagnes et imports encore en attente sont envoyés à leurs webhooks. L’un d’eux peut arriver deux fois, sous le même identifiant ; aucun message ne part.',
  },
  campaign: {
    en: 'Campaigns that stand still go on where they stopped. Nobody is written to twice, and who has left since gets nothing. What was paused, cancelled or sent stays as it is.',
    fr: 'Les campagnes arrêtées reprennent où elles en étaient. Personne ne reçoit deux messages, et qui s’est désabonné depuis ne reçoit rien. Ce qui est en pause, annulé ou envoyé ne change pas.',
  },
  'campaign-start': {
    en: 'A campaign that is still scheduled for that moment goes out now, late as it is, to whoever is subscribed now. If it should not, take its schedule back first.',
    fr: 'Une campagne encore programmée pour ce moment part maintenant, malgré le retard, vers les personnes abonnées aujourd’hui. Si elle ne doit pas partir, annulez d’abord sa programmation.',
  },
  job: {
    en: 'What is not finished goes on where it stopped. What is done, failed or cancelled stays as it is.',
    fr: 'Ce qui n’est pas terminé reprend où il en était. Ce qui est terminé, échoué ou annulé ne change pas.',
  },
});

/** What a message is, by the word that it says itself. */
export const kindTexts = textsOf({
  confirmation: { en: 'question that is owed', fr: 'question due' },
  sign_up: { en: 'form that was sent', fr: 'formulaire envoyé' },
  data: { en: 'request for one’s data', fr: 'demande de ses données' },
  send: { en: 'scheduled email', fr: 'e-mail programmé' },
  attempt: { en: 'event for a webhook', fr: 'événement pour un webhook' },
  release: { en: 'webhook that was enabled', fr: 'webhook activé' },
  erase: { en: 'webhook that was deleted', fr: 'webhook supprimé' },
  run: { en: 'part of a campaign', fr: 'partie d’une campagne' },
  fire: { en: 'scheduled campaign', fr: 'campagne programmée' },
  job: { en: 'import, export or erasure', fr: 'import, export ou effacement' },
  Send: { en: 'taken by SES', fr: 'accepté par SES' },
  Delivery: { en: 'delivery', fr: 'livraison' },
  Bounce: { en: 'bounce', fr: 'rebond' },
  Complaint: { en: 'complaint', fr: 'plainte' },
  Open: { en: 'open', fr: 'ouverture' },
  Click: { en: 'click', fr: 'clic' },
  Reject: { en: 'refused by SES', fr: 'refusé par SES' },
  DeliveryDelay: { en: 'delay', fr: 'retard' },
  'Rendering Failure': { en: 'message that SES could not make', fr: 'message que SES n’a pu composer' },
  other: { en: 'not a message of this service', fr: 'étranger à ce service' },
});
