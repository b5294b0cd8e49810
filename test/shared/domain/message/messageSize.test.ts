import { encodedSize, maxMessageBytes, megabytes } from '../../../../shared/domain/message/messageSize.ts';

describe('megabytes', () => {
  it.each([
    [maxMessageBytes, '40.0 MB', '40,0 Mo'],
    [maxMessageBytes + 1, '40.1 MB', '40,1 Mo'],
    [1, '0.1 MB', '0,1 Mo'],
    [1234.5 * 1024 * 1024, '1,234.5 MB', '1\u202f234,5 Mo'],
  ])('writes %d bytes as %s and %s', (bytes, en, fr) => {
    expect(megabytes(bytes)).toEqual({ en, fr });
  });
});

describe('encodedSize', () => {
  it.each([
    [0, 0],
    [76, 78],
    [77, 81],
  ])('of %d characters of base64 is %d bytes', (characters, bytes) => {
    expect(encodedSize(characters)).toBe(bytes);
  });
});
