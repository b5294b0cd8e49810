import { addressHash, aliasOf, isAlias, renamingOf } from '../../../../shared/domain/person/erased.ts';

const salt = 'a'.repeat(43);
const address = 'ada@example.net';
const alias = aliasOf(addressHash(salt, address));
const { isAddress, isIn, renamed } = renamingOf(address, alias);

describe('addressHash', () => {
  it('differs by salt and by address, and of an alias is the one that it was made of', () => {
    const hash = addressHash(salt, address);
    expect(hash).toMatch(/^[0-9a-f]{40}$/);
    expect(new Set([hash, addressHash('b', address), addressHash(salt, 'bda@example.net')]).size).toBe(3);
    expect(addressHash('another', alias)).toBe(hash);
    expect([isAlias(alias), isAlias(address)]).toEqual([true, false]);
  });
});

describe('renamingOf', () => {
  it.each([
    address,
    'ADA@Example.NET',
    ' ada@example.net ',
    'Ada Lovelace <ada@example.net>',
    '"Lovelace, Ada" <Ada@example.net>',
    '"ada"@example.net',
  ])('takes %j for the address, and puts the alias in its place', (text) => {
    expect([isAddress(text), renamed(text)]).toEqual([true, alias]);
  });

  it.each([
    ['Hello ada@example.net!', `Hello ${alias}!`],
    ['550 <ADA@example.net>: unknown', `550 <${alias}>: unknown`],
    ['mailto:ada@example.net.', `mailto:${alias}.`],
    ['{"recipient":"ada@example.net"}', `{"recipient":"${alias}"}`],
  ])('finds it within %j', (text, expected) => {
    expect([isAddress(text), isIn(text), renamed(text)]).toEqual([false, true, expected]);
  });

  it.each(['xada@example.net', 'x.ada@example.net', 'ada@example.network', 'ada@example.net.uk', 'ada@example.ne', ''])(
    'leaves %j alone, which is somebody else',
    (text) => {
      expect([isAddress(text), isIn(text), renamed(text)]).toEqual([false, false, text]);
    },
  );

  it('reaches into lists, sets and objects, and gives back the very value where the address is not in it', () => {
    const item = {
      to: [['b@example.net'], [address]],
      who: new Set([address, 'b@example.net']),
      deep: { a: { b: address } },
    };
    expect(renamed(item)).toEqual({
      to: [['b@example.net'], [alias]],
      who: new Set([alias, 'b@example.net']),
      deep: { a: { b: alias } },
    });
    const other = { to: ['b@example.net'], bytes: new Uint8Array([1]), nothing: null, count: 1 };
    expect(renamed(other)).toBe(other);
  });

  it('takes characters of an address that mean something to a pattern as they are', () => {
    const odd = renamingOf('a+b.c@example.net', alias);
    expect(odd.renamed('to a+b.c@example.net')).toBe(`to ${alias}`);
    expect(odd.renamed('to aab-c@example.net')).toBe('to aab-c@example.net');
  });
});
