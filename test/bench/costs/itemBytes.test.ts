import { accessLogBytes } from './accessLog.ts';
import { itemBytes, storedBytes } from './itemBytes.ts';

describe('the size of an item', () => {
  it('is the size of its names and values, as DynamoDB counts them', () => {
    expect(itemBytes({ pk: { S: 'é' } })).toBe(2 + 2);
    expect(itemBytes({ n: { N: '1234' } })).toBe(1 + 3);
    expect(itemBytes({ n: { N: '-12000' } })).toBe(1 + 1 + 1 + 1);
    expect(itemBytes({ b: { BOOL: true }, e: { NULL: true } })).toBe(2 + 2);
    expect(itemBytes({ s: { SS: ['ab', 'c'] } })).toBe(1 + 3);
    expect(itemBytes({ l: { L: [{ S: 'ab' }, { BOOL: true }] } })).toBe(1 + 3 + 3 + 2);
    expect(itemBytes({ m: { M: { ab: { S: 'cd' } } } })).toBe(1 + 3 + 1 + 4);
  });

  it('counts again in each index that holds the item, with the attributes that the index projects', () => {
    const item = { pk: { S: 'a' }, sk: { S: 'b' }, name: { S: 'not in the index' } };
    const listed = { ...item, newest_pk: { S: 'c' }, newest_sk: { S: 'd' } };
    expect(storedBytes(item)).toEqual({ table: 100 + 3 + 3 + 20, indexes: 0 });
    expect(storedBytes(listed).indexes).toBe(100 + 3 + 3 + 10 + 10);
  });
});

it('has a value for each field of the access log', () => {
  expect(accessLogBytes({ method: 'POST', path: '/api/v1/emails', status: 202 })).toBeGreaterThan(250);
});
