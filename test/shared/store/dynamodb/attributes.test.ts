import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as fc from 'fast-check';
import { attributesOf, itemOf } from '../../../../shared/store/dynamodb/attributes.ts';

const text = fc.string({ unit: 'grapheme' });
const bytes = fc.uint8Array({ maxLength: 30 });
const number = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e9, max: 1e9 }));
const integer = fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n });
const setOf = <T>(values: fc.Arbitrary<T>) => fc.array(values, { minLength: 1 }).map((each) => new Set(each));
/** The SDK's own writes an object's prototype for this name. */
const name = text.filter((each) => each !== '__proto__');

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    ...[text, number, integer, fc.boolean(), fc.constant(null), fc.constant(undefined), bytes],
    ...[setOf(text), setOf(number), setOf(integer), setOf(bytes)],
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(name, tie('value'), { maxKeys: 5 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map((entries) => new Map(entries)),
  ),
}));
const item = fc.dictionary(name, value, { maxKeys: 6 });

/** What the SDK sends: bytes become base64 as its request is written. */
const sent = (attributes: unknown): unknown => {
  if (attributes instanceof Uint8Array) return Buffer.from(attributes).toString('base64');
  if (Array.isArray(attributes)) return attributes.map(sent);
  if (typeof attributes !== 'object' || attributes === null) return attributes;
  return Object.fromEntries(Object.entries(attributes).map(([key, member]) => [key, sent(member)]));
};

describe('the attributes of an item', () => {
  it('are those that the SDK makes of it', () => {
    fc.assert(
      fc.property(item, (plain) => {
        expect(attributesOf(plain)).toEqual(sent(marshall(plain, { removeUndefinedValues: true })));
      }),
    );
  });

  it('become the item that the SDK makes of them', () => {
    fc.assert(
      fc.property(item, (plain) => {
        const attributes = marshall(plain, { removeUndefinedValues: true });
        expect(itemOf(JSON.parse(JSON.stringify(attributesOf(plain))))).toEqual(unmarshall(attributes));
      }),
    );
  });

  it('keep a name that is a word of JavaScript', () => {
    const plain = JSON.parse('{"fields": {"__proto__": "a", "constructor": "b", "toString": "c"}}');
    for (const fields of [plain.fields, new Map(Object.entries(plain.fields))]) {
      const back = itemOf(JSON.parse(JSON.stringify(attributesOf({ fields }))));
      expect(JSON.stringify(back)).toBe(JSON.stringify(plain));
    }
  });

  it.each(['1E+100', '9007199254740993.5', '-1E+16', 'many'])('name the number that no item can hold: %s', (N) => {
    const held = `DynamoDB's size is ${N}, which neither a number nor a bigint keeps as it is.`;
    expect(() => itemOf({ size: { N } })).toThrow(new RangeError(held));
    expect(() => itemOf({ sizes: { M: { size: { L: [{ N }] } } } })).toThrow(new RangeError(held));
  });

  it('round a fraction that a double cannot hold as the SDK does', () => {
    const attributes = { part: { N: '0.12345678901234567890123' } };
    expect(itemOf(attributes)).toEqual(unmarshall(attributes));
  });

  it('are none of what DynamoDB cannot keep as it is', () => {
    const refused = [Number.NaN, Infinity, 2 ** 53, -(2 ** 53), new Date(), /a/, () => 1, Symbol('a')];
    const sets = [new Set(), new Set(['a', 1]), new Set([true]), new Set([undefined])];
    for (const each of [...refused, ...sets]) {
      expect(() => attributesOf({ each })).toThrow();
      expect(() => attributesOf({ list: [{ each }] })).toThrow();
    }
  });

  it('of a kind that nobody knows yet are an error, and no absence', () => {
    expect(() => itemOf({ place: { GEO: '1,2' } as never })).toThrow('GEO');
  });
});
