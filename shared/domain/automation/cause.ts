import type { AutomationDefinition, AutomationStatus, Trigger } from './automation.ts';

/**
 * What can start a run, as a word: `event order_placed`, `subscribed`, `tag_added vip`, `field_changed plan`,
 * `segment_entered`, `date`. The automations that one starts are listed under it.
 */
export type Cause = string;

const eventWord = 'event ';
export const eventCause = (name: string): Cause => `${eventWord}${name}`;
/** The names of the events among causes, in alphabetical order. */
export const eventsAmong = (causes: Iterable<Cause>): readonly string[] =>
  [...causes].flatMap((cause) => (cause.startsWith(eventWord) ? [cause.slice(eventWord.length)] : [])).sort();
export const tagCause = (tag: string): Cause => `tag_added ${tag}`;
export const fieldCause = (field: string): Cause => `field_changed ${field}`;
/** Which segment is in the listener: a change of a person is compared with all that an automation watches. */
export const segmentCause: Cause = 'segment_entered';
/** Which field is in the listener. */
export const dateCause: Cause = 'date';
export const subscribedCause: Cause = 'subscribed';
/** The end of every run: each automation listens to it. */
const leftCause: Cause = 'left';

/** The cause by which an automation is found; null for one that only calls start. */
export function causeOf(trigger: Trigger): Cause | null {
  if ('event_name' in trigger) return eventCause(trigger.event_name);
  switch (trigger.source) {
    case 'tag_added':
      return tagCause(trigger.tag);
    case 'field_changed':
      return fieldCause(trigger.field);
    case 'manual':
      return null;
    default:
      return trigger.source;
  }
}

/**
 * What a definition listens to: the leaving of a person, and the causes of its start, of the end of its waits and of its
 * goals. A date moves with its field, and counts from when a person is subscribed. Where the list would be long it is `*`,
 * everything, since each change of a person reads the lists of all automations.
 */
function listenedBy({ steps, goals }: AutomationDefinition): readonly Cause[] {
  const [{ config: trigger }] = steps;
  const start = causeOf(trigger);
  const events = [
    ...goals.flatMap((goal) => ('event_name' in goal ? [goal.event_name] : [])),
    ...steps.flatMap((step) =>
      step.type === 'wait_for_event' && step.config.event_name !== undefined ? [step.config.event_name] : [],
    ),
  ];
  const moving = 'source' in trigger && trigger.source === 'date' ? [fieldCause(trigger.field), subscribedCause] : [];
  return bounded([leftCause, ...(start === null ? [] : [start]), ...moving, ...events.map(eventCause)]);
}

const anyCause: Cause = '*';
const maxListenedBytes = 3000;

function bounded(causes: readonly Cause[]): readonly Cause[] {
  const each = [...new Set(causes)].sort();
  return each.includes(anyCause) || Buffer.byteLength(JSON.stringify(each)) > maxListenedBytes ? [anyCause] : each;
}

/** What an automation listens to after a change: runs of earlier versions go on, unless all runs end. */
export function listenedAfter(
  before: readonly Cause[],
  { definition, status, endsRuns }: { definition: AutomationDefinition; status: AutomationStatus; endsRuns: boolean },
): readonly Cause[] {
  const kept = endsRuns ? [] : before;
  return status === 'disabled' ? kept : bounded([...kept, ...listenedBy(definition)]);
}

/** Whether a change or an event concerns an automation. A segment that is watched may name anything of a person. */
export const isListenedTo = (listened: ReadonlySet<Cause>, cause: Cause): boolean =>
  listened.has(cause) || listened.has(segmentCause) || listened.has(anyCause);

/** Whether a segment may be watched: its rule may name anything of a person, and how they were before a change. */
export const watchesSegments = (listened: ReadonlySet<Cause>): boolean =>
  listened.has(segmentCause) || listened.has(anyCause);
