import { text } from '../../../language/text.ts';
import type { ReservedNames } from '../../fieldNames.ts';

/**
 * Names that callers may use instead of a field that decides who gets a campaign, and when. They are compared in any
 * spelling (fieldNames.ts).
 */

const testWords = [
  ...['dryrun', 'dry', 'test', 'testmode', 'istest', 'testonly', 'testing', 'simulate', 'simulation', 'preview'],
  ...['validate', 'validateonly', 'validation', 'verify', 'draft', 'check', 'mock', 'fake', 'sandbox', 'trial'],
  ...['mode', 'live', 'debug', 'demo', 'staging', 'pretend', 'rehearse', 'rehearsal', 'whatif', 'probe'],
  ...['essai', 'apercu', 'brouillon', 'simuler', 'nosend', 'donotsend', 'dontsend', 'noop'],
];

export const namesOfTest: ReservedNames = {
  field: 'dry_run',
  words: testWords,
  text: text({
    en: 'is not a field of this request; use `dry_run`',
    fr: 'n’est pas un champ de cette requête ; utilisez `dry_run`',
  }),
};

const peopleWords = [
  ...['to', 'recipient', 'recipientlist', 'email', 'emailaddress', 'toemail', 'emailto', 'emailsto', 'toaddress'],
  ...['sendto', 'address', 'adresse', 'destinataire', 'audience', 'contact', 'subscriber', 'abonne', 'user'],
  ...['member', 'people', 'person', 'cc', 'bcc', 'list', 'liste', 'listid', 'mailinglist', 'group', 'segment'],
  ...['segmentid', 'topic', 'topicid', 'target', 'cible', 'only', 'filter', 'filterby', 'include', 'exclude', 'tag'],
  ...['mail', 'mailto', 'receiver', 'rcpt', 'rcptto', 'customer', 'client', 'cohort', 'subset', 'sample', 'limit'],
  ...['where', 'destinatario', 'empfanger', 'empfaenger'],
];

export const namesOfTo: ReservedNames = {
  field: 'to',
  words: peopleWords,
  text: text({
    en: 'is not a field of this request; use `to`, a list of addresses',
    fr: 'n’est pas un champ de cette requête ; utilisez `to`, une liste d’adresses',
  }),
};

/** The same names for the target of a draft. */
export const namesOfTarget: ReservedNames = {
  field: 'segment_id',
  words: peopleWords,
  text: text({
    en: 'is not a field of this request; the target of a campaign is the segment of `segment_id`, or else the whole list, without those who left the topic of `tag` or `topic_id`',
    fr: 'n’est pas un champ de cette requête ; la cible d’une campagne est le segment de `segment_id`, ou sinon toute la liste, sans les personnes qui ont quitté le type d’e-mail de `tag` ou `topic_id`',
  }),
};

const timeWords = [
  ...['scheduledat', 'scheduleat', 'schedule', 'scheduled', 'scheduledfor', 'schedulefor', 'sendat', 'sendon'],
  ...['sendtime', 'sendafter', 'deliverat', 'deliveron', 'startat', 'publishat', 'launchat', 'runat', 'at', 'when'],
  ...['date', 'time', 'datetime', 'timezone', 'later', 'after', 'before', 'delay', 'delayed', 'defer', 'deferred'],
  ...['publish', 'tomorrow', 'heure', 'planifier', 'programmer'],
];

export const namesOfTime: ReservedNames = {
  field: '/schedule',
  words: timeWords,
  text: text({
    en: 'is not a field of this request, which never waits: to send a campaign later, schedule it (`POST /campaigns/{id}/schedule`, or in the console or on the command line)',
    fr: 'n’est pas un champ de cette requête, qui n’attend jamais : pour envoyer une campagne plus tard, programmez-la (`POST /campaigns/{id}/schedule`, ou dans la console ou en ligne de commande)',
  }),
};
