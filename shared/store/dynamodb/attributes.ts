/** A value as DynamoDB's JSON has it: one member, named by its type (API reference, "AttributeValue"). */
interface Attribute {
  readonly S?: string;
  readonly N?: string;
  readonly B?: string;
  readonly BOOL?: boolean;
  readonly NULL?: boolean;
  readonly M?: Attributes;
  readonly L?: readonly Attribute[];
  readonly SS?: readonly string[];
  readonly NS?: readonly string[];
  readonly BS?: readonly string[];
}

export type Attributes = Readonly<Record<string, Attribute>>;

/** What is undefined is left out. Throws for what DynamoDB has no type for, or not without loss. */
export const attributesOf = (item: object): Attributes => mapOf(Object.entries(item));

function mapOf(entries: readonly (readonly [name: string, value: unknown])[]): Attributes {
  const present = entries.filter(([, value]) => value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, attributeOf(value)]));
}

function attributeOf(value: unknown): Attribute {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
      return { N: numberText(value) };
    case 'bigint':
      return { N: value.toString() };
    case 'boolean':
      return { BOOL: value };
    case 'object':
      return value === null ? { NULL: true } : composite(value);
    default:
      throw new TypeError(`DynamoDB has no type for a ${typeof value}.`);
  }
}

function composite(value: object): Attribute {
  if (Array.isArray(value)) return { L: value.filter((entry) => entry !== undefined).map(attributeOf) };
  if (value instanceof Set) return setOf(value);
  if (value instanceof Map) return { M: mapOf([...value]) };
  if (ArrayBuffer.isView(value)) return { B: base64Of(value) };
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || Object.getPrototypeOf(prototype) === null) return { M: attributesOf(value) };
  throw new TypeError(`DynamoDB has no type for a ${value.constructor.name}.`);
}

/** A set holds strings, numbers or bytes, one kind of them, and at least one. */
function setOf(values: ReadonlySet<unknown>): Attribute {
  const members = [...values].filter((value) => value !== undefined).map(attributeOf);
  const kinds = new Set(members.flatMap((member) => Object.keys(member)));
  const [kind = ''] = kinds;
  if (kinds.size !== 1 || !['S', 'N', 'B'].includes(kind)) {
    throw new TypeError(`DynamoDB has no set of ${[...kinds].join(' and ') || 'nothing'}.`);
  }
  return { [`${kind}S`]: members.map((member) => member[kind as 'S' | 'N' | 'B']) };
}

/** DynamoDB keeps 38 digits; of what a double cannot tell from its neighbour, nobody knows what was meant. */
function numberText(value: number): string {
  if (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return value.toString();
  throw new RangeError(`${value} is no number that would be kept as it is.`);
}

const base64Of = ({ buffer, byteOffset, byteLength }: ArrayBufferView): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/**
 * The reverse; an integer that a double cannot hold becomes a `bigint`, a fraction the nearest double, bytes a
 * `Uint8Array`. Throws for what no item of ours can hold, by its name.
 */
export const itemOf = (attributes: Attributes): Record<string, unknown> =>
  Object.fromEntries(Object.entries(attributes).map(([name, attribute]) => [name, plainOf(attribute, name)]));

function plainOf(attribute: Attribute, name: string): unknown {
  const { S, N, M, L, BOOL, NULL, B, SS, NS, BS } = attribute;
  if (S !== undefined) return S;
  if (N !== undefined) return numberOf(N, name);
  if (M !== undefined) return itemOf(M);
  if (L !== undefined) return L.map((entry) => plainOf(entry, name));
  if (BOOL !== undefined) return BOOL;
  if (NULL !== undefined) return null;
  if (B !== undefined) return bytesOf(B);
  if (SS !== undefined) return new Set(SS);
  if (NS !== undefined) return new Set(NS.map((entry) => numberOf(entry, name)));
  if (BS !== undefined) return new Set(BS.map(bytesOf));
  throw new TypeError(`DynamoDB's ${name} is of an unknown type: ${Object.keys(attribute).join()}.`);
}

function numberOf(text: string, name: string): number | bigint {
  const number = Number(text);
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return number;
  if (/^-?\d+$/.test(text)) return BigInt(text);
  throw new RangeError(`DynamoDB's ${name} is ${text}, which neither a number nor a bigint keeps as it is.`);
}

const bytesOf = (text: string): Uint8Array => {
  const { buffer, byteOffset, byteLength } = Buffer.from(text, 'base64');
  return new Uint8Array(buffer, byteOffset, byteLength);
};
