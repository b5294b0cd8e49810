import {
  addressesInLink,
  addressHash,
  addressReplacer,
  aliasOf,
  isAlias,
} from '../../../../shared/domain/person/erased.ts';

const salt = 'a'.repeat(43);
const address = 'ada@example.net';
const alias = aliasOf(addressHash(salt, address));
const { isAddress, isIn, replaced } = addressReplacer(address, alias);

describe('addressHash', () => {
  it('differs by salt and by address; of an alias it is the hash in the alias', () => {
    const hash = addressHash(salt, address);
    expect(hash).toMatch(/^[0-9a-f]{40}$/);
    expect(new Set([hash, addressHash('b', address), addressHash(salt, 'bda@example.net')]).size).toBe(3);
    expect(addressHash('another', alias)).toBe(hash);
    expect([isAlias(alias), isAlias(address)]).toEqual([true, false]);
  });
});

describe('addressReplacer', () => {
  it.each([
    address,
    'ADA@Example.NET',
    ' ada@example.net ',
    'Ada Lovelace <ada@example.net>',
    '"Lovelace, Ada" <Ada@example.net>',
    '"ada"@example.net',
  ])('replaces %j by the alias', (text) => {
    expect([isAddress(text), replaced(text)]).toEqual([true, alias]);
  });

  it.each([
    ['Hello ada@example.net!', `Hello ${alias}!`],
    ['550 <ADA@example.net>: unknown', `550 <${alias}>: unknown`],
    ['mailto:ada@example.net.', `mailto:${alias}.`],
    ['{"recipient":"ada@example.net"}', `{"recipient":"${alias}"}`],
  ])('replaces it within %j', (text, expected) => {
    expect([isAddress(text), isIn(text), replaced(text)]).toEqual([false, true, expected]);
  });

  it.each(['xada@example.net', 'x.ada@example.net', 'ada@example.network', 'ada@example.net.uk', 'ada@example.ne', ''])(
    'leaves %j alone, which is another address',
    (text) => {
      expect([isAddress(text), isIn(text), replaced(text)]).toEqual([false, false, text]);
    },
  );

  it.each([
    ['https://shop.example/u?e=ada@example.net', 'https://shop.example/'],
    ['{"url":"https://shop.example/u?e=ADA%40example.net&n=Ada"}', '{"url":"https://shop.example/"}'],
    ['12#https://shop.example/ada@example.net/x?y', '12#https://shop.example/'],
    ['http://a.example:8080/?to=https%3A%2F%2Fshop.example%2F%3Fe%3Dada%2540example.net', 'http://a.example:8080/'],
    ['https://shop.example/#%6Cove&ada@example.net', 'https://shop.example/'],
  ])('leaves of the link in %j its site', (text, expected) => {
    expect([isIn(text), replaced(text)]).toEqual([true, expected]);
  });

  it.each([
    'https://shop.example/u?e=xada@example.net',
    'https://shop.example/u?e=x.ada%40example.net',
    'https://shop.example/u?e=ada%40example.network',
    'https://shop.example/?x=%E0%A4%A&y=1',
  ])('leaves %j unchanged, a link of another person', (text) => {
    expect([isIn(text), replaced(text)]).toEqual([false, text]);
  });

  it('searches lists, sets and objects, and returns the same object without the address', () => {
    const item = {
      to: [['b@example.net'], [address]],
      who: new Set([address, 'b@example.net']),
      deep: { a: { b: address } },
    };
    expect(replaced(item)).toEqual({
      to: [['b@example.net'], [alias]],
      who: new Set([alias, 'b@example.net']),
      deep: { a: { b: alias } },
    });
    const other = { to: ['b@example.net'], bytes: new Uint8Array([1]), nothing: null, count: 1 };
    expect(replaced(other)).toBe(other);
  });

  it('escapes characters with a meaning in regular expressions', () => {
    const odd = addressReplacer('a+b.c@example.net', alias);
    expect(odd.replaced('to a+b.c@example.net')).toBe(`to ${alias}`);
    expect(odd.replaced('to aab-c@example.net')).toBe('to aab-c@example.net');
  });
});

describe('addressesInLink', () => {
  it.each([
    ['https://example.org/u?e=ada@example.net&n=1', 'ada@example.net'],
    ['https://example.org/u?e=Ada%40Example.net', 'ada@example.net'],
    ['https://example.org/r?to=https%3A%2F%2Fa.example%2F%3Fe%3Dada%2540example.net', 'ada@example.net'],
    ['https://example.org/ada+news@example.net/leave', 'ada+news@example.net'],
    ["https://example.org/?e=o'brien@example.net", "o'brien@example.net"],
    ['https://example.org/#/ada@example.net', 'ada@example.net'],
  ])('%s', (url, address) => {
    expect(addressesInLink(url)).toContain(address);
  });

  it('finds none in links without an address', () => {
    expect(['https://example.org/', 'https://maps.example/@48.85,2.29,15z'].flatMap(addressesInLink)).toEqual([]);
  });
});
