import { createHash } from 'node:crypto';
import { createApiKey, fingerprint, lastFour, looksLikeApiKey } from '../../../shared/domain/token.ts';

const filled = (byte: number) => (size: number) => new Uint8Array(size).fill(byte);

describe('API key', () => {
  it('has the prefix, 43 characters for 256 bits and 6 for the checksum', () => {
    for (const key of [createApiKey(), createApiKey(filled(0)), createApiKey(filled(255))]) {
      expect(key).toMatch(/^mr_live_[0-9A-Za-z]{49}$/);
      expect(looksLikeApiKey(key)).toBe(true);
    }
    expect(createApiKey(filled(0))).toMatch(/^mr_live_0{43}/);
  });

  it('requests 32 random bytes and uses all of them', () => {
    const sizes: number[] = [];
    const keys = Array.from({ length: 32 }, (_, position) =>
      createApiKey((size) => {
        sizes.push(size);
        return new Uint8Array(size).with(position, 1);
      }),
    );
    expect(new Set(sizes)).toEqual(new Set([32]));
    expect(new Set(keys).size).toBe(32);
  });

  it('detects every change of one character', () => {
    const key = createApiKey();
    for (let index = 0; index < key.length; index++) {
      const other = key[index] === 'a' ? 'b' : 'a';
      expect(looksLikeApiKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
    }
  });

  it('detects two swapped neighbours', () => {
    const key = createApiKey((size) => Uint8Array.from({ length: size }, (_, index) => index * 7));
    for (let index = 8; index < key.length - 1; index++) {
      if (key[index] === key[index + 1]) continue;
      const swapped = `${key.slice(0, index)}${key[index + 1]}${key[index]}${key.slice(index + 2)}`;
      expect(looksLikeApiKey(swapped)).toBe(false);
    }
  });

  it.each(['', 'mr_live_', 'sk_live_x', ` ${createApiKey()}`, `${createApiKey()}\n`, createApiKey().toUpperCase()])(
    'refuses %j',
    (text) => {
      expect(looksLikeApiKey(text)).toBe(false);
    },
  );

  it('is stored as its SHA-256 and its last four characters', () => {
    const key = createApiKey();
    expect(fingerprint(key)).toBe(createHash('sha256').update(key, 'utf8').digest('hex'));
    expect(key.endsWith(lastFour(key))).toBe(true);
    expect(lastFour(key)).toHaveLength(4);
  });
});
