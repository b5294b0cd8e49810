import type { Key } from '../../table/keys.ts';

/** Kinds of items that contain personal data. */
export type PersonalKind =
  | 'person'
  /** A search term, or a topic that the person has left. */
  | 'term'
  | 'confirmLink'
  | 'leaveLink'
  /** By address: the id of the person's unsubscribe link. */
  | 'ownLink'
  /** What the person did, the ids that applications gave it, and its sums. */
  | 'personEvent'
  | 'externalEvent'
  | 'activity'
  /** A run of an automation, the data of its start, and what the person's partition keeps of automations. */
  | 'run'
  | 'runData'
  | 'enrolment'
  | 'waiter'
  | 'change'
  /** The last messages that count against the frequency cap. */
  | 'cap'
  | 'email'
  | 'outcome'
  | 'attempt'
  | 'scheduled'
  /** An email's entry in the list of emails to an address. */
  | 'listed'
  | 'delivery'
  | 'chunk';

/** `own`: data of the workspace itself. `unknown`: a kind that only a later release knows. */
export type ItemKind = PersonalKind | 'own' | 'unknown';

const kinds: readonly (readonly [ItemKind, RegExp, RegExp])[] = [
  ['person', /^WS#[^#]+#ADDRESS#/, /^ADDRESS$/],
  ['ownLink', /^WS#[^#]+#ADDRESS#/, /^LEAVE$/],
  ['personEvent', /^WS#[^#]+#ADDRESS#/, /^EVENT#/],
  ['externalEvent', /^WS#[^#]+#ADDRESS#/, /^EVENTKEY#/],
  ['activity', /^WS#[^#]+#ADDRESS#/, /^ACTIVITY#/],
  ['enrolment', /^WS#[^#]+#ADDRESS#/, /^ENROLMENT#/],
  ['waiter', /^WS#[^#]+#ADDRESS#/, /^WAIT#/],
  ['change', /^WS#[^#]+#ADDRESS#/, /^CHANGE#/],
  ['cap', /^WS#[^#]+#ADDRESS#/, /^CAP$/],
  ['run', /^WS#[^#]+#AUTOMATION#[^#]+#\d+$/, /^RUN#/],
  ['runData', /^WS#[^#]+#AUTOMATION#[^#]+#\d+$/, /^DATA#/],
  ['term', /^WS#[^#]+#(?:TERM|LEFT)#/, /^/],
  ['confirmLink', /^WS#[^#]+#CONFIRMATION#/, /^CONFIRMATION$/],
  ['leaveLink', /^WS#[^#]+#LEAVE#/, /^LEAVE$/],
  ['email', /^WS#[^#]+#EMAIL#/, /^EMAIL$/],
  ['outcome', /^WS#[^#]+#EMAIL#/, /^RECIPIENT#/],
  ['listed', /^WS#[^#]+#EMAILS#TO#/, /^/],
  ['own', /^WS#[^#]+#EMAILS#(?:TAG|STATUS)#/, /^/],
  ['attempt', /^WS#[^#]+#SENDS#/, /^/],
  ['scheduled', /^WS#[^#]+#SCHEDULED#/, /^SCHEDULED$/],
  ['delivery', /^WS#[^#]+#WEBHOOK#/, /^whd_/],
  ['chunk', /^WS#[^#]+#CAMPAIGN#[^#]+#\d+$/, /^CHUNK#/],
  ['own', /^WS#[^#]+#CAMPAIGNS#FROZEN$/, /^/],
  ['own', /^WS#[^#]+$/, /^/],
  [
    'own',
    /^WS#[^#]+#(?:KEYS|SEGMENTS|WEBHOOKS|USAGE|FORMS|BRAND|ERASURES|TEMPLATES|UPLOADS|AUDIT|JOBS|ARCHIVE|AUTOMATIONS)$/,
    /^/,
  ],
  ['own', /^WS#[^#]+#(?:CAMPAIGN|TEMPLATE|MAILBOX|LISTENERS)#/, /^/],
  ['own', /^WS#[^#]+#AUTOMATION#[^#]+$/, /^(?:VERSION#|END$)/],
  ['own', /^WS#[^#]+#AUTOMATION#[^#]+#\d+$/, /^TALLY#/],
];

/** By the key patterns of keys.ts. */
export function itemKind({ pk, sk }: Key): ItemKind {
  return kinds.find(([, partition, sort]) => partition.test(pk) && sort.test(sk))?.[0] ?? 'unknown';
}
