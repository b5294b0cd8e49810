import { customHeaderProblem, customHeaderProblemTexts } from '../../../../shared/domain/message/customHeader.ts';

describe('customHeaderProblem', () => {
  it.each([
    ['X-Order', '42'],
    ['In-Reply-To', '<a@b.com>'],
    ['References', ''],
    ['List-Id', 'News <news.example.com>'],
    ["!#$%&'*+.^_`|~9", 'x'],
    ['x'.repeat(126), 'v'.repeat(995)],
    ['__proto__', 'x'],
    ['Contents', 'x'],
  ])('takes %s', (name, value) => {
    expect(customHeaderProblem(name, value)).toBeNull();
  });

  const owned = [
    ...['From', 'To', 'Cc', 'Bcc', 'Subject', 'Reply-To', 'Date', 'Message-ID', 'Return-Path', 'Sender'],
    ...['MIME-Version', 'Content-Type', 'Content-Transfer-Encoding', 'Content-X', 'DKIM-Signature'],
    ...['X-SES-CONFIGURATION-SET', 'X-SES-MESSAGE-TAGS', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
  ];
  it.each(owned.flatMap((name) => [name, name.toLowerCase(), name.toUpperCase()]))('refuses %s by its name', (name) => {
    expect(customHeaderProblem(name, 'x')).toBe('name_owned');
  });

  it.each(['', 'X Order', 'X-Order:', 'From ', ' From', 'X-Ordér', 'X\r\nBcc', 'X\0', 'X-\u212aey', 'X\t'])(
    'refuses the name %j',
    (name) => {
      expect(customHeaderProblem(name, 'x')).toBe('name_invalid');
    },
  );

  it.each(['a\r\nBcc: x@y.com', 'a\n', 'a\r', 'a\0', 'é', 'a\tb', '\x7f', 'a\u2028b'])(
    'refuses the value %j',
    (value) => {
      expect(customHeaderProblem('X-Order', value)).toBe('value_invalid');
    },
  );

  it('refuses what is longer than SES takes', () => {
    expect(customHeaderProblem('x'.repeat(127), 'x')).toBe('name_too_long');
    expect(customHeaderProblem('X-Order', 'v'.repeat(996))).toBe('value_too_long');
  });

  it('has a text for each problem in both languages', () => {
    for (const text of Object.values(customHeaderProblemTexts)) expect(text.en).not.toBe(text.fr);
  });
});
