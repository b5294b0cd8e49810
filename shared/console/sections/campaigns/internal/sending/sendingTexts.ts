import { textsOf } from '../../../../../language/text.ts';

export const sendingTexts = textsOf({
  check: { en: 'Check', fr: 'Vérifier' },
  checkTitle: { en: 'Before it goes out', fr: 'Avant l’envoi' },
  blocks: { en: 'Keeps it from going out', fr: 'Empêche l’envoi' },
  blocksTag: { en: 'Stops it', fr: 'Bloquant' },
  adviceTag: { en: 'Look at it', fr: 'À regarder' },
  fineTag: { en: 'Fine', fr: 'Bien' },
  ready: { en: 'It can go out. Recipients: {count}.', fr: 'Elle peut partir. Destinataires : {count}.' },
  readySoFar: {
    en: 'Nothing in the message keeps it from going out. Its people are not counted yet.',
    fr: 'Rien dans le message n’empêche l’envoi. Ses destinataires ne sont pas encore comptés.',
  },
  whoAndDomain: { en: 'Its people, and the sender’s domain', fr: 'Ses destinataires, et le domaine de l’expéditeur' },
  peopleFine: { en: 'Reputation, quota and recipients: {count}', fr: 'Réputation, quota et destinataires : {count}' },
  counting: { en: 'Counting everybody who would get it…', fr: 'Décompte des destinataires en cours…' },
  countFails: { en: 'The count did not arrive.', fr: 'Le décompte n’est pas arrivé.' },
  countNow: { en: 'Count now', fr: 'Compter maintenant' },
  countAgain: { en: 'Try again', fr: 'Réessayer' },
  notReady: { en: 'It cannot go out yet.', fr: 'Elle ne peut pas encore partir.' },
  advice: { en: 'Worth a look', fr: 'À regarder' },
  fine: { en: 'Looked at, and fine', fr: 'Vérifié, et bien' },
  goThere: { en: 'Go there', fr: 'Y aller' },
  sender: {
    en: 'Sender and content',
    fr: 'Expéditeur et contenu',
  },
  edit: { en: 'Edit', fr: 'Modifier' },
  audience: { en: 'Who gets it', fr: 'Qui la reçoit' },
  test: { en: 'Send a test', fr: 'Envoyer un test' },
  schedule: { en: 'Schedule', fr: 'Programmer' },
  send: { en: 'Send now', fr: 'Envoyer maintenant' },

  testTitle: { en: 'Send a test of {name}', fr: 'Envoyer un test de {name}' },
  testWhat: {
    en: 'A single email with “[Test]” before its subject. The campaign stays a draft, and nobody else gets anything.',
    fr: 'Un e-mail unique, avec « [Test] » devant l’objet. La campagne reste un brouillon, et personne d’autre ne reçoit rien.',
  },
  testTo: { en: 'To', fr: 'À' },
  testHint: {
    en: 'Up to five addresses, one a line. Each sees their own merge fields.',
    fr: 'Jusqu’à cinq adresses, une par ligne. Chacune voit ses propres champs de fusion.',
  },
  testVariant: { en: 'Which variant', fr: 'Quelle variante' },
  testMany: { en: 'at most five addresses', fr: 'cinq adresses au plus' },
  testNone: { en: 'write at least one address', fr: 'écrivez au moins une adresse' },
  testOut: { en: 'The test was sent to: {what}', fr: 'Le test est parti à : {what}' },
  testWrong: { en: '"{what}" is not an address', fr: '« {what} » n’est pas une adresse' },

  sendTitle: { en: 'Send {name}', fr: 'Envoyer {name}' },
  sendWhat: {
    en: '“{subject}” goes out from {from}. It cannot be called back.',
    fr: '« {subject} » part de {from}. Un envoi ne se rappelle pas.',
  },
  sendTo: { en: 'To:', fr: 'À :' },
  sendTest: {
    en: '{tested} of them get one of {variants} variants first; the others the best one, by itself, {hours} hours after the last.',
    fr: '{tested} d’entre elles reçoivent d’abord l’une des {variants} variantes ; les autres la meilleure, d’elle-même, {hours} heures après la dernière.',
  },
  sendTyped: { en: 'Type “{word}” to send it', fr: 'Écrivez « {word} » pour l’envoyer' },
  sendWord: { en: 'send', fr: 'envoyer' },
  sendWrong: { en: 'type the word as it stands above', fr: 'écrivez le mot tel qu’il figure ci-dessus' },
  sendChanged: {
    en: 'meanwhile there are {count} recipients and not {seen}: look again, then type the word once more',
    fr: 'il y a désormais {count} destinataires et non {seen} : regardez de nouveau, puis réécrivez le mot',
  },
  sendButton: { en: 'Send now ({count})', fr: 'Envoyer maintenant ({count})' },

  scheduleTitle: { en: 'Schedule {name}', fr: 'Programmer {name}' },
  scheduleWhat: {
    en: 'Who gets it is decided at that moment. You can take it back until then.',
    fr: 'Qui la reçoit se décide à ce moment-là. Vous pouvez l’annuler jusque-là.',
  },
  recipientsNow: { en: 'Recipients, if it went out now', fr: 'Destinataires, si elle partait maintenant' },
  day: { en: 'Day', fr: 'Jour' },
  time: { en: 'Time', fr: 'Heure' },
  zone: { en: 'Time zone', fr: 'Fuseau horaire' },
  zoneWrong: { en: 'is no time zone', fr: 'n’est pas un fuseau horaire' },
  momentWrong: { en: 'write a day and a time', fr: 'écrivez un jour et une heure' },
  gap: {
    en: 'does not exist: the clocks of {zone} jump over it. Instead: {instead}',
    fr: 'n’existe pas : les horloges de {zone} la sautent. À la place : {instead}',
  },
  fold: {
    en: 'exists twice, since the clocks of {zone} are put back: choose which',
    fr: 'existe deux fois, car les horloges de {zone} reculent : choisissez laquelle',
  },
  which: { en: 'Which of the two', fr: 'Laquelle des deux' },
  first: { en: 'The first: {moment}', fr: 'La première : {moment}' },
  second: { en: 'The second: {moment}', fr: 'La seconde : {moment}' },
  clocks: {
    en: 'The clocks there will have changed by then: {now} now, {then} then.',
    fr: 'Les horloges y auront changé d’ici là : {now} maintenant, {then} alors.',
  },

  audienceTitle: { en: 'Who gets {name}', fr: 'Qui reçoit {name}' },
  audienceWhat: {
    en: 'Whoever is subscribed, in the segment if there is one, and on no suppression list. Decided anew when it goes out.',
    fr: 'Toute personne abonnée, dans le segment s’il y en a un, et sur aucune liste d’exclusion. Redécidé à l’envoi.',
  },
  address: { en: 'Address', fr: 'Adresse' },
  subscribed: { en: 'Subscribed', fr: 'Abonnées' },
  gets: { en: 'Gets it', fr: 'La reçoit' },
  getsNot: { en: 'Does not', fr: 'Ne la reçoit pas' },
  why: { en: 'Why not', fr: 'Pourquoi pas' },
  state: { en: 'Standing', fr: 'Situation' },
  all: { en: 'All', fr: 'Toutes' },
  show: { en: 'Show', fr: 'Afficher' },
  nobodyTitle: { en: 'There is nobody here', fr: 'Il n’y a personne ici' },
  nobody: {
    en: 'Add people, or choose another state above.',
    fr: 'Ajoutez des personnes, ou choisissez une autre situation ci-dessus.',
  },
});

/** Why an address is excluded from the campaign. */
export const exclusionTexts = textsOf({
  invalid: { en: 'Not an address', fr: 'Pas une adresse' },
  not_in_list: { en: 'Not among the people', fr: 'Pas parmi les personnes' },
  pending: { en: 'Has not confirmed', fr: 'N’a pas confirmé' },
  unsubscribed: { en: 'Has left', fr: 'Est partie' },
  bounced: { en: 'Mail came back', fr: 'Le courrier est revenu' },
  complained: { en: 'Has complained', fr: 'S’est plainte' },
  suppressed: { en: 'On the suppression list', fr: 'Sur la liste d’exclusion' },
  left_topic: { en: 'Has left this kind of mail', fr: 'A quitté ce type d’e-mail' },
  outside_segment: { en: 'Outside the segment', fr: 'Hors du segment' },
});

export const dmarcTexts = textsOf({
  found: { en: 'The sender’s domain has a DMARC policy', fr: 'Le domaine de l’expéditeur a une politique DMARC' },
  missing: {
    en: 'The sender’s domain has no DMARC policy, which Gmail and Yahoo ask of whoever writes to many. Publish the record that its page shows.',
    fr: 'Le domaine de l’expéditeur n’a pas de politique DMARC, que Gmail et Yahoo exigent de qui écrit à beaucoup. Publiez l’enregistrement que montre sa page.',
  },
  wrong: {
    en: 'The DMARC record of the sender’s domain is not valid. Its page shows what it should be.',
    fr: 'L’enregistrement DMARC du domaine de l’expéditeur n’est pas valide. Sa page montre ce qu’il devrait être.',
  },
  unknown: {
    en: 'DNS did not answer, so nothing is known of the DMARC policy. Look again later.',
    fr: 'Le DNS n’a pas répondu : on ne sait rien de la politique DMARC. Regardez plus tard.',
  },
});
