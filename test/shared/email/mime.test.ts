import { simpleParser } from 'mailparser';
import { composeMime, type Message } from '../../../shared/email/mime.ts';

const message = (over: Partial<Message> = {}): Message => ({
  from: { name: 'Acme', address: 'hello@example.com' },
  to: [{ name: null, address: 'ada@example.net' }],
  cc: [],
  replyTo: [],
  subject: 'Hello',
  html: undefined,
  text: 'Hi.',
  headers: {},
  unsubscribeUrl: undefined,
  attachments: [],
  ...over,
});

async function composed(over: Partial<Message>) {
  const raw = (await composeMime(message(over))).toString('latin1');
  return { raw, lines: raw.split('\r\n'), mail: await simpleParser(Buffer.from(raw, 'latin1')) };
}

describe('composeMime', () => {
  it.each([
    'x'.repeat(998),
    `${'x'.repeat(500)} ${'y'.repeat(497)}`,
    '😀'.repeat(499),
    'é'.repeat(998),
    '=?utf-8?B?SGVsbG8=?=',
    'Price =?utf-8?Q?drop?= today',
    'He said "yes"',
    'é  double  é',
  ])('keeps the subject %.20s… as it was given, on lines of 998 bytes at most', async (subject) => {
    const { lines, mail } = await composed({ subject });
    expect(mail.subject).toBe(subject);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(998);
  });

  it.each(['a\rb', 'a\r\nb\rc\nd', '.\r..\r\n', 'end\r'])('ends each line of %j with CRLF', async (body) => {
    const { raw } = await composed({ text: body, html: `<pre>${body}</pre>` });
    expect(raw).not.toMatch(/\r(?!\n)|(?<!\r)\n/);
  });

  it.each([
    ['X-Json', '{"a":"b; c","d":[1,2]}'],
    ['List-Id', '"A list" <list.example.com>'],
    ['Autocrypt', 'addr=a@example.com; keydata="x"'],
    ['X-Encoded', '=?utf-8?Q?x?='],
    ['In-Reply-To', '<abc@def>'],
    ['References', '<abc@def> <ghi@jkl>'],
  ])('leaves the header %s as the caller wrote it', async (name, value) => {
    const { raw } = await composed({ headers: { [name]: value } });
    const unfolded = raw.split('\r\n\r\n')[0]?.replace(/\r\n(?=[ \t])/g, '') ?? '';
    expect(unfolded.split('\r\n').map((line) => line.toLowerCase())).toContain(`${name}: ${value}`.toLowerCase());
  });

  const everyByte = Buffer.from(Array.from({ length: 2048 }, (_, index) => index % 256));
  it.each([
    ['letter.eml', undefined],
    ['letter.bin', 'message/rfc822'],
    ['report.txt', 'message/delivery-status'],
    ['table.csv', undefined],
    ['page.html', 'text/html; charset=utf-8'],
  ])('brings %s (%s) over byte for byte', async (filename, content_type) => {
    const { mail } = await composed({
      attachments: [{ filename, content: everyByte.toString('base64'), content_type }],
    });
    expect(mail.attachments.map((file) => file.filename)).toEqual([filename]);
    expect(mail.attachments[0]?.content.equals(everyByte)).toBe(true);
  });
});
