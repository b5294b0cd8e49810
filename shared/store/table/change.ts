import { UpdateCommand } from '../dynamodb/commands.ts';
import { ConditionalCheckFailedException } from '../dynamodb/errors.ts';
import type { Key } from './keys.ts';
import { documents, type Item, tableName } from './table.ts';
import { contended } from './transaction.ts';
import { newMark } from './updateOnce.ts';

/** A change of an existing item, in terms of its attributes: for the modules of the store, which know them. */
export interface Change<Attributes extends Item = Item> {
  readonly set?: Partial<Attributes>;
  readonly remove?: readonly (keyof Attributes & string)[];
  /** By how much to move counters; one that is absent counts from 0. */
  readonly add?: { readonly [Name in keyof Attributes]?: number };
  /** What to put at the end of lists; one that is absent begins with it. Nothing is written for none. */
  readonly append?: { readonly [Name in keyof Attributes]?: readonly unknown[] };
  /** What must still stand for it; `undefined` means that it must be absent. */
  readonly expect?: Partial<Attributes>;
  /** What must not stand; absence is well. */
  readonly expectNot?: Partial<Attributes>;
  /**
   * Under which name the change leaves a mark, by which one that adds is known again when its answer was lost; null is
   * told when another one took it away since.
   */
  readonly once?: keyof Attributes & string;
}

/** Makes the change and answers the item as it then stands; null when it is gone or what is expected does not hold. */
export async function changeItem<Attributes extends Item>(key: Key, change: Change<Attributes>): Promise<Item | null> {
  const { once } = change;
  const mark = once === undefined ? undefined : newMark();
  try {
    const update = new UpdateCommand(updateOf(key, change, mark));
    const { Attributes } = await contended(() => documents.send(update));
    return Attributes ?? null;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const { Item: standing = {} } = error;
    return once !== undefined && standing[once] === mark ? standing : null;
  }
}

function updateOf<Attributes extends Item>(key: Key, change: Change<Attributes>, mark?: string) {
  const { set = {}, remove = [], add = {}, append = {}, expect = {}, expectNot = {}, once } = change;
  const own = once === undefined ? {} : { [once]: mark };
  const expression = new Expression();
  const appended = Object.entries(append).filter(([, entries]) => Array.isArray(entries) && entries.length > 0);
  const assignments = [
    ...expression.each({ ...set, ...own }, (name, value) => `${name} = ${value}`),
    ...expression.each(
      Object.fromEntries(appended),
      (name, value) => `${name} = list_append(if_not_exists(${name}, ${expression.value([])}), ${value})`,
    ),
  ];
  const additions = expression.each(add, (name, value) => `${name} ${value}`);
  const removals = remove.map((name) => expression.name(name));
  const conditions = [
    'attribute_exists(pk)',
    ...Object.entries(expect).map(([name, value]) => expression.expecting(name, value)),
    ...expression.each(
      { ...expectNot, ...own },
      (name, value) => `(attribute_not_exists(${name}) OR ${name} <> ${value})`,
    ),
  ];
  const clauses = { SET: assignments, REMOVE: removals, ADD: additions };
  return {
    TableName: tableName(),
    Key: key,
    UpdateExpression: Object.entries(clauses)
      .filter(([, parts]) => parts.length > 0)
      .map(([clause, parts]) => `${clause} ${parts.join(', ')}`)
      .join(' '),
    ConditionExpression: conditions.join(' AND '),
    ...expression.placeholders(),
    ReturnValues: 'ALL_NEW' as const,
    ...(once && { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const }),
  };
}

/** Collects the placeholders of one expression: some attributes are words that expressions reserve. */
class Expression {
  readonly #names = new Map<string, string>();
  readonly #values: unknown[] = [];

  name(attribute: string): string {
    const known = this.#names.get(attribute) ?? `#n${this.#names.size}`;
    this.#names.set(attribute, known);
    return known;
  }

  value(value: unknown): string {
    return `:v${this.#values.push(value) - 1}`;
  }

  /** One part for each attribute. */
  each(attributes: object, part: (name: string, value: string) => string): string[] {
    return Object.entries(attributes).map(([name, value]) => part(this.name(name), this.value(value)));
  }

  expecting(attribute: string, value: unknown): string {
    const name = this.name(attribute);
    return value === undefined ? `attribute_not_exists(${name})` : `${name} = ${this.value(value)}`;
  }

  placeholders() {
    const names = [...this.#names].map(([attribute, name]) => [name, attribute]);
    const values = this.#values.map((value, index) => [`:v${index}`, value]);
    return {
      ...(names.length > 0 && { ExpressionAttributeNames: Object.fromEntries(names) }),
      ...(values.length > 0 && { ExpressionAttributeValues: Object.fromEntries(values) }),
    };
  }
}
