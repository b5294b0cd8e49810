import { textsOf } from '../../../../../language/text.ts';

export const sendingTexts = textsOf({
  check: { en: 'See the checks', fr: 'Voir les vérifications' },
  checkTitle: { en: 'Checks before sending', fr: 'Vérifications avant l’envoi' },
  blocks: { en: 'Prevents sending', fr: 'Empêche l’envoi' },
  blocksTag: { en: 'Blocking', fr: 'Bloquant' },
  adviceTag: { en: 'Warning', fr: 'À vérifier' },
  fineTag: { en: 'OK', fr: 'OK' },
  ready: { en: 'Ready to send. Recipients: {count}.', fr: 'Prête à partir. Destinataires\u00a0: {count}.' },
  readySoFar: {
    en: 'The message is ready. Its recipients are not counted yet.',
    fr: 'Le message est prêt. Ses destinataires ne sont pas encore comptés.',
  },
  whoAndDomain: { en: 'Recipients and the sender’s domain', fr: 'Destinataires et domaine de l’expéditeur' },
  peopleFine: {
    en: 'Reputation and quota are fine. Recipients: {count}',
    fr: 'Réputation et quota en règle. Destinataires\u00a0: {count}',
  },
  counting: { en: 'Counting the recipients…', fr: 'Décompte des destinataires…' },
  countFails: { en: 'The recipients could not be counted.', fr: 'Le décompte a échoué.' },
  countNow: { en: 'Count now', fr: 'Compter maintenant' },
  countAgain: { en: 'Try again', fr: 'Réessayer' },
  notReady: { en: 'It cannot be sent yet.', fr: 'Elle ne peut pas encore être envoyée.' },
  advice: { en: 'Warnings', fr: 'À vérifier' },
  fine: { en: 'Passed', fr: 'Vérifié' },
  goThere: { en: 'Correct', fr: 'Corriger' },
  sender: {
    en: 'Sender and content',
    fr: 'Expéditeur et contenu',
  },
  edit: { en: 'Edit', fr: 'Modifier' },
  audience: { en: 'Recipients', fr: 'Destinataires' },
  test: { en: 'Send a test', fr: 'Envoyer un test' },
  schedule: { en: 'Schedule', fr: 'Programmer' },
  send: { en: 'Send now', fr: 'Envoyer maintenant' },

  testTitle: { en: 'Send a test of {name}', fr: 'Envoyer un test de {name}' },
  testWhat: {
    en: 'A single email, with “[Test]” before its subject. The campaign stays a draft, and its recipients get nothing.',
    fr: 'Un e-mail à l’unité, avec «\u00a0[Test]\u00a0» devant l’objet. La campagne reste un brouillon, et ses destinataires ne reçoivent rien.',
  },
  testTo: { en: 'To', fr: 'À' },
  testHint: {
    en: 'Up to five addresses, one per line. Merge fields are filled in for each of them.',
    fr: 'Jusqu’à cinq adresses, une par ligne. Les champs de fusion sont remplis pour chacune.',
  },
  testVariant: { en: 'Variant', fr: 'Variante' },
  testMany: { en: 'enter at most five addresses', fr: 'saisissez cinq adresses au plus' },
  testNone: { en: 'enter at least one address', fr: 'saisissez au moins une adresse' },
  testOut: { en: 'The test was sent to: {what}', fr: 'Le test a été envoyé à\u00a0: {what}' },
  testWrong: { en: '"{what}" is not an address', fr: '«\u00a0{what}\u00a0» n’est pas une adresse' },

  sendTitle: { en: 'Send {name}', fr: 'Envoyer {name}' },
  sendWhat: {
    en: '“{subject}” from {from}. Messages cannot be recalled once they are sent.',
    fr: '«\u00a0{subject}\u00a0», de {from}. Les messages partis ne peuvent pas être rappelés.',
  },
  sendTo: { en: 'To:', fr: 'À\u00a0:' },
  sendTest: {
    en: '{tested} of them get one of {variants} variants first. The others get the best one automatically, {hours} h after the last test message.',
    fr: '{tested} d’entre eux reçoivent d’abord l’une des {variants} variantes. Les autres reçoivent automatiquement la meilleure, {hours} h après le dernier message de test.',
  },
  sendTyped: { en: 'Type “{word}” to confirm', fr: 'Tapez «\u00a0{word}\u00a0» pour confirmer' },
  sendWord: { en: 'send', fr: 'envoyer' },
  sendWrong: { en: 'type the word as shown above', fr: 'tapez le mot tel qu’il est affiché ci-dessus' },
  sendChanged: {
    en: 'there are now {count} recipients instead of {seen}: check the number, then type the word again',
    fr: 'il y a maintenant {count} destinataires au lieu de {seen}\u00a0: vérifiez ce nombre, puis tapez de nouveau le mot',
  },
  sendButton: { en: 'Send now ({count})', fr: 'Envoyer maintenant ({count})' },

  scheduleTitle: { en: 'Schedule {name}', fr: 'Programmer {name}' },
  scheduleWhat: {
    en: 'The recipients are determined at the scheduled time. You can cancel until then.',
    fr: 'Les destinataires sont déterminés à l’heure prévue. Vous pouvez annuler jusque-là.',
  },
  recipientsNow: { en: 'Recipients if sent now', fr: 'Destinataires en cas d’envoi immédiat' },
  day: { en: 'Day', fr: 'Jour' },
  time: { en: 'Time', fr: 'Heure' },
  zone: { en: 'Time zone', fr: 'Fuseau horaire' },
  zoneWrong: { en: 'is not a time zone', fr: 'n’est pas un fuseau horaire' },
  momentWrong: { en: 'enter a day and a time', fr: 'saisissez un jour et une heure' },
  gap: {
    en: 'does not exist on this day: clocks in {zone} go forward. The corresponding time is {instead}',
    fr: 'n’existe pas ce jour-là\u00a0: l’heure avance dans le fuseau {zone}. L’heure correspondante est {instead}',
  },
  fold: {
    en: 'occurs twice on this day: clocks in {zone} go back. Choose one of the two',
    fr: 'existe deux fois ce jour-là\u00a0: l’heure recule dans le fuseau {zone}. Choisissez l’une des deux',
  },
  which: { en: 'Which one', fr: 'Laquelle des deux' },
  first: { en: 'The first: {moment}', fr: 'La première : {moment}' },
  second: { en: 'The second: {moment}', fr: 'La seconde : {moment}' },
  clocks: {
    en: 'The clocks change before then: {now} now, {then} at that time.',
    fr: 'L’heure change d’ici là\u00a0: {now} maintenant, {then} à ce moment-là.',
  },

  audienceTitle: { en: 'Recipients of {name}', fr: 'Destinataires\u00a0: {name}' },
  audienceWhat: {
    en: 'Subscribers, in the segment if there is one, who are not on a suppression list. They are determined again when the campaign is sent.',
    fr: 'Les abonnés, dans le segment s’il y en a un, qui ne figurent sur aucune liste d’exclusion. Ils sont déterminés de nouveau à l’envoi.',
  },
  address: { en: 'Address', fr: 'Adresse' },
  subscribed: { en: 'Subscribed', fr: 'Abonnées' },
  gets: { en: 'Included', fr: 'Incluse' },
  getsNot: { en: 'Excluded', fr: 'Exclue' },
  why: { en: 'Reason', fr: 'Motif' },
  state: { en: 'Status', fr: 'Statut' },
  all: { en: 'All', fr: 'Toutes' },
  show: { en: 'Show', fr: 'Afficher' },
  nobodyTitle: { en: 'No people found', fr: 'Aucune personne trouvée' },
  nobody: {
    en: 'Add people, or choose another status above.',
    fr: 'Ajoutez des personnes, ou choisissez un autre statut ci-dessus.',
  },
});

/** Why an address is excluded from the campaign. */
export const exclusionTexts = textsOf({
  invalid: { en: 'Not an address', fr: 'Adresse non valide' },
  not_in_list: { en: 'Not a subscriber', fr: 'Pas dans la liste' },
  pending: { en: 'Not confirmed', fr: 'Non confirmée' },
  unsubscribed: { en: 'Unsubscribed', fr: 'Désabonnée' },
  bounced: { en: 'Bounced', fr: 'Rebond' },
  complained: { en: 'Complained', fr: 'Plainte' },
  suppressed: { en: 'On the suppression list', fr: 'Sur la liste d’exclusion' },
  left_topic: { en: 'Unsubscribed from the topic', fr: 'Désabonnée de ce type d’e-mail' },
  outside_segment: { en: 'Not in the segment', fr: 'Hors du segment' },
});

export const dmarcTexts = textsOf({
  found: { en: 'The sender’s domain has a DMARC policy', fr: 'Le domaine de l’expéditeur a une politique DMARC' },
  missing: {
    en: 'The sender’s domain has no DMARC policy. Gmail and Yahoo require one from bulk senders. Publish the record shown on the domain’s page.',
    fr: 'Le domaine de l’expéditeur n’a pas de politique DMARC. Gmail et Yahoo l’exigent pour les envois en nombre. Publiez l’enregistrement indiqué sur la page du domaine.',
  },
  wrong: {
    en: 'The DMARC record of the sender’s domain is not valid. The domain’s page shows the correct one.',
    fr: 'L’enregistrement DMARC du domaine de l’expéditeur n’est pas valide. La page du domaine indique le bon.',
  },
  unknown: {
    en: 'DNS did not answer, so the DMARC policy could not be checked. Try again later.',
    fr: 'Le DNS n’a pas répondu\u00a0: la politique DMARC n’a pas pu être vérifiée. Réessayez plus tard.',
  },
});
