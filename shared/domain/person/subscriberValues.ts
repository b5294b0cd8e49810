import type { FieldValue, Subscriber } from './subscriber.ts';

/** What a caller says of a subscriber. Left out is kept; null takes a name or a field away. */
export interface SubscriberValues {
  readonly firstName?: string | null | undefined;
  readonly lastName?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly fields?: Readonly<Record<string, FieldValue | null>> | undefined;
}

/** A subscriber with nothing said of them yet. */
export function newSubscriber(status: 'pending' | 'subscribed', now: Date): Subscriber {
  const at = now.toISOString();
  return {
    status,
    firstName: null,
    lastName: null,
    tags: [],
    fields: {},
    createdAt: at,
    updatedAt: at,
    confirmedAt: null,
    unsubscribedAt: null,
  };
}

/** The subscriber with these values: `tags` replaces, `fields` merges. The same object when they say nothing new. */
export function withValues(subscriber: Subscriber, values: SubscriberValues, now: Date): Subscriber {
  const changed = {
    firstName: nameOf(values.firstName, subscriber.firstName),
    lastName: nameOf(values.lastName, subscriber.lastName),
    tags: values.tags === undefined ? subscriber.tags : [...new Set(values.tags)],
    fields: merged(subscriber.fields, values.fields ?? {}),
  };
  if (same(changed, subscriber)) return subscriber;
  return { ...subscriber, ...changed, updatedAt: now.toISOString() };
}

/** Names are kept trimmed; an empty one is none. */
function nameOf(given: string | null | undefined, kept: string | null): string | null {
  return given === undefined ? kept : given?.trim() || null;
}

function merged(kept: Subscriber['fields'], given: Readonly<Record<string, FieldValue | null>>): Subscriber['fields'] {
  const fields = new Map<string, FieldValue>(Object.entries(kept));
  for (const [name, value] of Object.entries(given)) {
    if (value === null) fields.delete(name);
    else fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

type Values = Pick<Subscriber, 'firstName' | 'lastName' | 'tags' | 'fields'>;

/** Equal as they would be stored: the table keeps no order of fields. */
function same(a: Values, b: Values): boolean {
  const text = ({ firstName, lastName, tags, fields }: Values) =>
    JSON.stringify([firstName, lastName, tags, Object.entries(fields).sort(([x], [y]) => (x < y ? -1 : 1))]);
  return text(a) === text(b);
}
