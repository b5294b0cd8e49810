import { randomBytes } from 'node:crypto';
import { decodedSize, isBase64 } from '../../../../shared/domain/encoding/base64.ts';

describe('isBase64', () => {
  it.each(['', 'QQ==', 'QUI=', 'QUJD', 'a+/9', 'QUJD\r\nQUJD\r\n', 'QUJDQQ\r\n==', 'QUJDQQ==\r\n'])(
    'takes %j',
    (text) => {
      expect(isBase64(text)).toBe(true);
    },
  );

  it.each([
    ...['Q', 'QQ', 'QUI', 'QQ=', 'QUJD=', '====', '=', 'Q===', 'QQ==QQ==', 'Q=Q=', 'QU=I', 'QUJD ', ' QUJD', 'QU JD'],
    ...[
      'a-_9',
      'QUJD\n',
      'QUJD\nQUJD',
      'QUJD\rQUJD',
      'QUJ\u0044\u0301',
      'QUJé',
      'data:text/plain;base64,QUJD',
      'QQ%3D%3D',
    ],
    ...['QUJ\0', 'https://example.com/a.pdf', 'ＱＵＪＤ'],
  ])('refuses %j', (text) => {
    expect(isBase64(text)).toBe(false);
  });

  it('agrees with the decoder for every length', () => {
    for (let length = 0; length < 200; length++) {
      const bytes = randomBytes(length);
      expect(isBase64(bytes.toString('base64'))).toBe(true);
      expect(decodedSize(bytes.toString('base64'))).toBe(length);
    }
  });

  it('reads 40 MB, and finds one wrong character at its end', () => {
    const text = 'QUJD'.repeat(10 * 1024 * 1024);
    expect(isBase64(text)).toBe(true);
    expect(isBase64(`${text.slice(0, -1)}!`)).toBe(false);
    expect(isBase64(`${text.slice(0, -1)}=`)).toBe(true);
  });
});

describe('decodedSize', () => {
  it('does not count line breaks and padding', () => {
    expect(decodedSize('QUJD\r\nQUI=\r\n')).toBe(5);
    expect(decodedSize('QQ==')).toBe(1);
    expect(decodedSize('')).toBe(0);
  });
});
