import type { FieldValue } from '../../../domain/person/person.ts';
import type { RuleSubjects, SegmentPerson } from '../../../domain/segment/segment.ts';
import type { AttributePath, Item } from '../../table/table.ts';

const attributes = {
  firstName: 'first_name',
  lastName: 'last_name',
  tags: 'tags',
  createdAt: 'created_at',
  confirmedAt: 'confirmed_at',
} as const;

/** The attributes that a rule tests. */
export function attributesOf({ properties, fields }: RuleSubjects): AttributePath[] {
  return [
    ...[...properties].map((property): AttributePath => [attributes[property]]),
    ...[...fields].map((name): AttributePath => ['fields', name]),
  ];
}

/**
 * Reads the attributes that a rule tests; the others are left empty. Checked by hand, because a schema would take
 * longer for a million rows than the whole call may last. Throws for a value of the wrong type.
 */
export function segmentPersonOf(item: Item, { properties, fields }: RuleSubjects): SegmentPerson {
  return {
    firstName: properties.has('firstName') ? textOrNull(item, 'first_name') : null,
    lastName: properties.has('lastName') ? textOrNull(item, 'last_name') : null,
    tags: properties.has('tags') ? tagsOf(item) : [],
    fields: fields.size > 0 ? fieldsOf(item) : {},
    createdAt: properties.has('createdAt') ? textOf(item, 'created_at') : '',
    confirmedAt: properties.has('confirmedAt') ? textOrNull(item, 'confirmed_at') : null,
  };
}

export function textOf(item: Item, name: string): string {
  const value = item[name];
  if (typeof value !== 'string') throw unreadable(item, name);
  return value;
}

function textOrNull(item: Item, name: string): string | null {
  return item[name] === undefined || item[name] === null ? null : textOf(item, name);
}

function tagsOf(item: Item): readonly string[] {
  const { tags = [] } = item;
  if (!Array.isArray(tags) || tags.some((tag) => typeof tag !== 'string')) throw unreadable(item, 'tags');
  return tags;
}

function fieldsOf(item: Item): Readonly<Record<string, FieldValue>> {
  const { fields = {} } = item;
  if (typeof fields !== 'object' || fields === null || !Object.values(fields).every(isFieldValue)) {
    throw unreadable(item, 'fields');
  }
  return fields as Readonly<Record<string, FieldValue>>;
}

const isFieldValue = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** Names the attribute without its value, which is personal. */
const unreadable = (item: Item, name: string): Error =>
  new Error(`An address item has a ${name} that cannot be read: ${typeof item[name]}.`);
