/** The name of an attribute of a record, key attributes included. */
type NameOf<Stored> = (keyof Stored & string) | 'pk' | 'sk';

/** An attribute with a value. Where the name is computed, its type says which attributes are possible. */
type Pair<Stored, Name extends keyof Stored = keyof Stored> = Name extends string
  ? readonly [Name, Stored[Name] | undefined]
  : never;

/** The index signature refuses objects whose names are only known as strings, which could not be checked. */
type Named<Stored> = { readonly [Name in keyof Stored]?: Stored[Name] | undefined } & {
  readonly [index: number]: never;
};

/** Values by attribute name: objects, or pairs where a name is computed; `undefined` values are left out. */
export type Values<Stored> = Named<Stored> | readonly (Named<Stored> | Pair<Stored>)[];

type Numeric = number | ReadonlySet<unknown>;
type Addable<Stored> = {
  [Name in keyof Stored as unknown extends Stored[Name]
    ? Name
    : NonNullable<Stored[Name]> extends Numeric
      ? Name
      : never]: Stored[Name];
};

/** An attribute, or one inside a map: `['held', 'since']`. */
type Operand<Stored> = NameOf<Stored> | readonly [keyof Stored & string, string];

/** An object that DynamoDB stores as a map. */
type MapLike = object & { readonly [Symbol.iterator]?: never };

type Comparison = '=' | '<>' | '<' | '<=' | '>' | '>=';

type Compared<Stored, Name extends keyof Stored = keyof Stored> = Name extends string
  ?
      | readonly [Name, Comparison, Stored[Name]]
      | readonly [Name, 'between', Stored[Name], Stored[Name]]
      | (NonNullable<Stored[Name]> extends MapLike
          ? readonly [readonly [Name, keyof NonNullable<Stored[Name]> & string], Comparison, unknown]
          : never)
  : never;

/** A condition on the stored item. `smaller than` compares the number of members; `null` tests the type. */
export type Condition<Stored> =
  | readonly [Operand<Stored>, 'exists' | 'absent' | 'is null']
  | readonly [keyof Stored & string, 'contains', string | number]
  | readonly [keyof Stored & string, 'smaller than', number]
  | Compared<Stored>
  | { readonly any: readonly Condition<Stored>[] }
  | { readonly all: readonly Condition<Stored>[] }
  | { readonly not: Condition<Stored> };

/** When a write is made; always if empty. */
export interface Conditions<Stored> {
  /** Stored values that are required; `undefined` requires that the attribute is absent. */
  readonly expect?: Values<Stored>;
  /** All of these must hold. */
  readonly if?: readonly Condition<Stored>[];
}

/** A change of one item: what to do with which attributes, and under which conditions. */
export interface Change<Stored> extends Conditions<Stored> {
  readonly set?: Values<Stored>;
  /** Set only where the attribute is absent. */
  readonly setIfAbsent?: Values<Stored>;
  readonly remove?: readonly (keyof Stored & string)[];
  /** Added to numbers, which start at 0, or to sets; an empty set is left out. */
  readonly add?: Values<Addable<Stored>>;
  /** Members to remove from sets; an empty set is left out. */
  readonly takeOut?: Values<Addable<Stored>>;
  /** Appended to lists, which start empty; an empty list is left out. */
  readonly append?: Values<Stored>;
}

type AnyItem = Record<string, unknown>;

/** The condition of a put, a deletion or a check, in DynamoDB's form. */
export function conditionInput<Stored extends object>(conditions: Conditions<Stored>) {
  const expression = new Expression();
  const condition = expression.conditions(conditions as Conditions<AnyItem>);
  return { ...(condition && { ConditionExpression: condition }), ...expression.placeholders() };
}

/** A change in DynamoDB's form. */
export function changeInput<Stored extends object>(change: Change<Stored>) {
  const { set, setIfAbsent, remove = [], add, takeOut, append, ...conditions } = change as Change<AnyItem>;
  const expression = new Expression();
  const isGiven = ([, value]: readonly [string, unknown]) => !(value instanceof Set && value.size === 0);
  const isLonger = ([, value]: readonly [string, unknown]) => Array.isArray(value) && value.length > 0;
  const clauses = {
    SET: [
      ...pairsOf(set).map(([name, value]) => expression.assignment(name, (_, given) => given, value)),
      ...pairsOf(setIfAbsent).map(([name, value]) =>
        expression.assignment(name, (own, given) => `if_not_exists(${own}, ${given})`, value),
      ),
      ...pairsOf(append)
        .filter(isLonger)
        .map(([name, value]) => {
          const empty = expression.value([]);
          return expression.assignment(
            name,
            (own, given) => `list_append(if_not_exists(${own}, ${empty}), ${given})`,
            value,
          );
        }),
    ],
    REMOVE: remove.map((name) => expression.name(name)),
    ADD: pairsOf(add)
      .filter(isGiven)
      .map(([name, value]) => `${expression.name(name)} ${expression.value(value)}`),
    DELETE: pairsOf(takeOut)
      .filter(isGiven)
      .map(([name, value]) => `${expression.name(name)} ${expression.value(value)}`),
  };
  const update = Object.entries(clauses)
    .filter(([, parts]) => parts.length > 0)
    .map(([clause, parts]) => `${clause} ${parts.join(', ')}`)
    .join(' ');
  const condition = expression.conditions(conditions);
  return {
    ...(update && { UpdateExpression: update }),
    ...(condition && { ConditionExpression: condition }),
    ...expression.placeholders(),
  };
}

/** The attributes of an index or a query as placeholders. No path may contain another one. */
export function projectionInput(paths: readonly (readonly string[])[]) {
  const expression = new Expression();
  const projection = paths.map((path) => path.map((name) => expression.name(name)).join('.')).join(', ');
  return { ProjectionExpression: projection, ...expression.placeholders() };
}

function allPairsOf(values: Values<AnyItem> = []): (readonly [string, unknown])[] {
  const parts: readonly unknown[] = Array.isArray(values) ? values : [values];
  return parts.flatMap((part) =>
    Array.isArray(part) ? [part as unknown as readonly [string, unknown]] : Object.entries(part as AnyItem),
  );
}

/** What is given, name by name. */
export const pairsOf = (values?: Values<AnyItem>) => allPairsOf(values).filter(([, value]) => value !== undefined);

/** Builds the parts of one expression. All names and values are placeholders, because many names are reserved words. */
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

  assignment(name: string, right: (own: string, given: string) => string, value: unknown): string {
    const own = this.name(name);
    return `${own} = ${right(own, this.value(value))}`;
  }

  /** Empty without conditions. */
  conditions({ expect, if: demanded = [] }: Conditions<AnyItem>): string {
    const expected = allPairsOf(expect).map(
      ([name, value]): Condition<AnyItem> => (value === undefined ? [name, 'absent'] : [name, '=', value]),
    );
    return [...demanded, ...expected].map((condition) => this.#condition(condition)).join(' AND ');
  }

  #condition(condition: Condition<AnyItem>): string {
    if ('any' in condition) return this.#joined(condition.any, ' OR ');
    if ('all' in condition) return this.#joined(condition.all, ' AND ');
    if ('not' in condition) return `NOT ${this.#condition(condition.not)}`;
    const [operand, operator, first, last] = condition as readonly [
      string | readonly string[],
      string,
      unknown,
      unknown,
    ];
    const name = [operand]
      .flat()
      .map((part) => this.name(part))
      .join('.');
    switch (operator) {
      case 'exists':
        return `attribute_exists(${name})`;
      case 'absent':
        return `attribute_not_exists(${name})`;
      case 'is null':
        return `attribute_type(${name}, ${this.value('NULL')})`;
      case 'contains':
        return `contains(${name}, ${this.value(first)})`;
      case 'smaller than':
        return `size(${name}) < ${this.value(first)}`;
      case 'between':
        return `${name} BETWEEN ${this.value(first)} AND ${this.value(last)}`;
      default:
        return `${name} ${operator} ${this.value(first)}`;
    }
  }

  /** DynamoDB refuses unnecessary parentheses. */
  #joined(conditions: readonly Condition<AnyItem>[], operator: string): string {
    const parts = conditions.map((one) => this.#condition(one));
    return parts.length === 1 ? (parts[0] ?? '') : `(${parts.join(operator)})`;
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
