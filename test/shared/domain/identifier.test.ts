import { createId, derivedId, derivedIdAt, firstIdAt, idPrefixes, isId } from '../../../shared/domain/identifier.ts';

const now = new Date('2016-07-30T23:54:10.259Z');

describe('createId', () => {
  it('encodes the time as the ULID specification does in its example', () => {
    expect(createId('email', now).slice(0, 16)).toBe('email_01arz3ndek');
  });

  it('is valid for its own prefix only', () => {
    for (const prefix of idPrefixes) {
      const id = createId(prefix, new Date());
      expect(idPrefixes.filter((other) => isId(other, id))).toEqual([prefix]);
    }
  });

  it('sorts by the order of calls within a millisecond, and by time across them', () => {
    const same = Array.from({ length: 1000 }, () => createId('evt', now));
    const later = Array.from({ length: 100 }, (_, index) => createId('evt', new Date(now.getTime() + index + 1)));
    const ids = [...same, ...later];
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('draws new random bits instead of overflowing', () => {
    createId('evt', new Date(1), () => new Uint8Array(10).fill(255));
    expect(createId('evt', new Date(1), () => new Uint8Array(10))).toBe('evt_00000000010000000000000000');
  });
});

describe('isId', () => {
  const id = createId('camp', now);
  it.each([
    ...['', 'camp_', id.toUpperCase(), `${id}0`, id.slice(0, -1), `${id}\n`, id.replace('_', '-'), `x${id}`],
    ...['camp_81arz3ndektsv4rrffq69g5fav', 'camp_01arz3ndektsv4rrffq69g5fai', 'camp_01arz3ndektsv4rrffq69g5fa#'],
  ])('refuses %j', (text) => {
    expect(isId('camp', text)).toBe(false);
  });
});

describe('derivedId', () => {
  const id = (cause: string) => derivedId('email', cause);

  it('is the same for the same cause, and different for another', () => {
    expect(id('confirmation#1')).toBe(id('confirmation#1'));
    expect(id('confirmation#1')).not.toBe(id('confirmation#2'));
    expect(isId('email', id('confirmation#1'))).toBe(true);
  });

  it('is stable between releases', () => {
    expect(id('')).toBe('email_73p324567w3ga9nyzms2cpze94');
  });
});

describe('derivedIdAt', () => {
  const at = new Date('2026-11-21T10:00:00.000Z');
  const later = new Date(at.getTime() + 1);

  it('is the same for the same cause and time, and different for any other', () => {
    expect(derivedIdAt('whd', at, 'a')).toBe(derivedIdAt('whd', at, 'a'));
    expect(derivedIdAt('whd', at, 'a')).not.toBe(derivedIdAt('whd', at, 'b'));
    expect(derivedIdAt('whd', at, 'a')).not.toBe(derivedIdAt('whd', later, 'a'));
  });

  it('is an id that sorts by its time', () => {
    for (const cause of ['a', 'b', 'c', 'd']) {
      const id = derivedIdAt('whd', at, cause);
      expect(isId('whd', id)).toBe(true);
      expect(id > firstIdAt('whd', at)).toBe(true);
      expect(id < firstIdAt('whd', later)).toBe(true);
    }
  });
});
