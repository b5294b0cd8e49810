import { type FieldValue, type Subscriber, type SubscriberValues, withValues } from '../person/person.ts';
import type { UpdateConfig } from './automation.ts';
import { fillValues, type VariableFacts } from './variables.ts';

/** What a step changes of a subscriber, with its variables filled in. A variable without a value removes its field or name. */
export interface PersonUpdate extends Omit<SubscriberValues, 'tags'> {
  readonly addTags: readonly string[];
  readonly removeTags: readonly string[];
}

export function filledUpdate(
  { add_tags: addTags = [], remove_tags: removeTags = [], fields = {}, firstName, lastName }: UpdateConfig,
  facts: VariableFacts,
): PersonUpdate {
  const value = (given: unknown): unknown => fillValues(given, facts).value;
  const name = (given: unknown) => (given === undefined ? undefined : textOrNull(value(given)));
  return {
    ...{ addTags, removeTags, firstName: name(firstName), lastName: name(lastName) },
    fields: Object.fromEntries(Object.entries(fields).map(([key, given]) => [key, fieldValue(value(given))])),
  };
}

const textOrNull = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));

function fieldValue(value: unknown): FieldValue | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** The subscriber after such a change; the same object when nothing changes. */
export function withUpdate(
  before: Subscriber,
  { addTags, removeTags, ...values }: PersonUpdate,
  now: Date,
): Subscriber {
  const tags = [...before.tags, ...addTags].filter((tag) => !removeTags.includes(tag));
  return withValues(before, { ...values, tags }, now);
}
