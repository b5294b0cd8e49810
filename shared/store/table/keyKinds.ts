import type { Key } from './keys.ts';

/** What an item of a workspace is about, as far as people are concerned; `own` is the workspace's own doing. */
export type KeyKind =
  | 'person'
  | 'term'
  | 'link'
  | 'leave'
  | 'email'
  | 'outcome'
  | 'attempt'
  | 'scheduled'
  | 'listed'
  | 'delivery'
  | 'chunk'
  | 'own'
  | 'unknown';

const kinds: readonly (readonly [KeyKind, RegExp, RegExp])[] = [
  ['person', /^WS#[^#]+#ADDRESS#/, /^ADDRESS$/],
  ['leave', /^WS#[^#]+#ADDRESS#/, /^LEAVE$/],
  ['term', /^WS#[^#]+#(?:TERM|LEFT)#/, /^/],
  ['link', /^WS#[^#]+#CONFIRMATION#/, /^CONFIRMATION$/],
  ['link', /^WS#[^#]+#LEAVE#/, /^LEAVE$/],
  ['email', /^WS#[^#]+#EMAIL#/, /^EMAIL$/],
  ['outcome', /^WS#[^#]+#EMAIL#/, /^RECIPIENT#/],
  ['listed', /^WS#[^#]+#EMAILS#TO#/, /^/],
  ['own', /^WS#[^#]+#EMAILS#(?:TAG|STATUS)#/, /^/],
  ['attempt', /^WS#[^#]+#SENDS#/, /^/],
  ['scheduled', /^WS#[^#]+#SCHEDULED#/, /^SCHEDULED$/],
  ['delivery', /^WS#[^#]+#WEBHOOK#/, /^whd_/],
  ['chunk', /^WS#[^#]+#CAMPAIGN#[^#]+#\d+$/, /^CHUNK#/],
  ['own', /^WS#[^#]+$/, /^/],
  ['own', /^WS#[^#]+#(?:KEYS|SEGMENTS|WEBHOOKS|USAGE|FORMS|BRAND|ERASURES|TEMPLATES|UPLOADS|AUDIT|JOBS)$/, /^/],
  ['own', /^WS#[^#]+#(?:CAMPAIGN|TEMPLATE)#/, /^/],
];

/** By the shapes of keys.ts. */
export function kindOfKey({ pk, sk }: Key): KeyKind {
  return kinds.find(([, partition, sort]) => partition.test(pk) && sort.test(sk))?.[0] ?? 'unknown';
}
