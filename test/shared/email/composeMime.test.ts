import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { composeMime, type Message } from '../../../shared/email/composeMime.ts';

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
  const mime = await composeMime(message(over));
  const pieces = mime.isLarge ? Array.from(mime.pieces(), (piece) => Buffer.from(piece)) : [mime.bytes];
  const raw = Buffer.concat(pieces).toString('latin1');
  expect(raw).toHaveLength(mime.length);
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
    ['X-SMTPAPI', '{"category":["a"]}'],
  ])('leaves the header %s as the caller wrote it', async (name, value) => {
    const { raw } = await composed({ headers: { [name]: value } });
    const unfolded = raw.split('\r\n\r\n')[0]?.replace(/\r\n(?=[ \t])/g, '') ?? '';
    expect(unfolded.split('\r\n')).toContain(`${name}: ${value}`);
  });

  const everyByte = Buffer.from(Array.from({ length: 2048 }, (_, index) => index % 256));
  it.each([
    ['letter.eml', undefined],
    ['letter.bin', 'message/rfc822'],
    ['report.txt', 'message/delivery-status'],
    ['table.csv', undefined],
    ['page.html', 'text/html; charset=utf-8'],
    ['notes.txt', undefined],
  ])('brings %s (%s) over byte for byte', async (filename, content_type) => {
    const { mail } = await composed({
      attachments: [{ filename, content: everyByte.toString('base64'), content_type }],
    });
    expect(mail.attachments.map((file) => file.filename)).toEqual([filename]);
    expect(mail.attachments[0]?.content.equals(everyByte)).toBe(true);
  });

  it.each([
    ...[
      'Jane',
      'Jane  Doe',
      'Doe, Jane',
      'Jane "JD" \\o/',
      'J. Doe',
      "O'Neil",
      'Éloïse 🚀',
      '日本, 語',
      'a@b.com <x>',
      'jane@example.com',
    ],
    ...['=?utf-8?Q?ceo=40bank.com?=', 'x =?utf-8?B?Y2VvQGJhbmsuY29t?= y', '=?', '=?utf-8?Q?=3D=3Fx=3F=3D?=', '?=é=?'],
    ...['é'.repeat(300), 'x'.repeat(300), 'word '.repeat(60).trim(), `"${'\\'.repeat(200)}`],
  ])('shows the display name %.40j as it was written, in every header', async (name) => {
    const mailbox = { name, address: 'jane@example.com' };
    const many = Array.from({ length: 20 }, () => mailbox);
    const { lines, mail } = await composed({ from: mailbox, to: many, cc: [mailbox], replyTo: [mailbox] });
    const shown = [mail.from, mail.to, mail.cc, mail.replyTo].flat().flatMap((header) => header?.value ?? []);
    expect(shown).toEqual(Array.from({ length: 23 }, () => mailbox));
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(998);
  });

  const image = { filename: 'logo.png', content: 'iVBORw0KGgo=', content_id: 'logo' };
  const types = (raw: string) => [...raw.matchAll(/^Content-Type: ([a-z/-]+)/gim)].map(([, type]) => type);

  it('nests an inline image next to the HTML, within the alternatives, within the attachments (RFC 2387)', async () => {
    const report = { filename: 'report.pdf', content: 'JVBERi0=' };
    const html = '<img src="cid:logo" alt="Logo">';
    const { raw, mail } = await composed({ html, attachments: [report, image] });
    expect(types(raw)).toEqual([
      'multipart/mixed',
      'multipart/alternative',
      'text/plain',
      'multipart/related',
      'text/html',
      'image/png',
      'application/pdf',
    ]);
    expect(mail.attachments.map(({ filename, cid, related }) => [filename, cid, related ?? false])).toEqual([
      ['logo.png', 'logo', true],
      ['report.pdf', undefined, false],
    ]);
    // Mail clients show the image where the HTML names it.
    expect(mail.html).toContain('src="data:image/png;base64,iVBORw0KGgo="');
  });

  it('keeps a file that the HTML could name when there is no HTML', async () => {
    const { raw, mail } = await composed({ attachments: [image] });
    expect(types(raw)).toEqual(['multipart/mixed', 'text/plain', 'image/png']);
    expect(mail.attachments.map(({ filename, cid }) => [filename, cid])).toEqual([['logo.png', 'logo']]);
  });

  it('shows every name and subject as it was given', async () => {
    const readable = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
      .map((text) => text.replace(/\p{C}/gu, '').trim());
    const spoof = fc.constantFrom('=?utf-8?Q?x?=', '=?', '?=', '"', '\\', ',', '<a@b.com>', '  ', '(c)');
    const texts = fc.array(fc.oneof(readable, spoof), { maxLength: 5 }).map((pieces) => pieces.join('').trim());
    await fc.assert(
      fc.asyncProperty(texts, texts, async (name, subject) => {
        const { mail } = await composed({ from: { name, address: 'jane@example.com' }, subject });
        expect(mail.from?.value).toEqual([{ name, address: 'jane@example.com' }]);
        expect(mail.subject ?? '').toBe(subject);
      }),
      { seed: 20_261_121, numRuns: 200 },
    );
  });

  it('keeps a quoted local part as one address, and reveals nothing of the machine', async () => {
    const { raw, mail } = await composed({ to: [{ name: null, address: '"a,b"@example.net' }] });
    expect([mail.to].flat().flatMap((header) => header?.value ?? [])).toEqual([
      { name: '', address: '"a,b"@example.net' },
    ]);
    expect(raw).toMatch(/^Message-ID: <[\w-]+@example\.com>$/im);
    expect(raw).toMatch(/^To: <"a,b"@example\.net>$/m);
  });

  it.each([
    ['été.txt', undefined, 'été', 'text/plain; charset=utf-8'],
    ['table.csv', 'text/csv; header=present', 'a;b', 'text/csv; header=present; charset=utf-8'],
    ['page.html', 'text/html; charset=iso-8859-1', 'x', 'text/html; charset=iso-8859-1'],
    ['data.json', undefined, '{"é":1}', 'application/json'],
    ['latin.txt', undefined, Buffer.from('été', 'latin1'), 'text/plain'],
  ])('says of %s (%s) what it is: %#', async (filename, content_type, content, expected) => {
    const file = { filename, content: Buffer.from(content).toString('base64'), content_type };
    const { raw } = await composed({ attachments: [file] });
    const unfolded = raw.replace(/\r\n(?=[ \t])/g, '');
    const part = unfolded.slice(unfolded.indexOf('Content-Disposition: attachment') - 300);
    const type = /^Content-Type: ([^\r]*); name=/m.exec(part)?.[1];
    expect(type).toBe(expected);
  });
});

describe('an uploaded file', () => {
  it.each([
    ['before', ['report.pdf', 'logo.png']],
    ['after', ['logo.png', 'report.pdf']],
  ])('finds its place also where it is named %s one of the HTML, which comes first', async (_, names) => {
    const attachments = names.map((filename) => ({
      filename,
      content: [Buffer.from(`The bytes of ${filename}.`.repeat(40))],
      ...(filename === 'logo.png' && { content_id: 'logo' }),
    }));
    const { mail } = await composed({ html: '<img src="cid:logo" alt="">', attachments });
    const found = mail.attachments.map(({ filename, content }) => [filename, content.toString()]);
    expect(found.sort()).toEqual(
      attachments.map(({ filename, content }) => [filename, Buffer.concat(content).toString()]).sort(),
    );
  });

  const settled = (raw: string) => raw.replaceAll(/--_NmP-[\w-]+|<[\w-]+@|^Date: .*$/gm, '');
  const file = { filename: 'a.pdf', content_type: 'application/pdf' };

  it('makes the same message as a file in base64, wherever its chunks were cut', async () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
    const given = await composed({ attachments: [{ ...file, content: bytes.toString('base64') }] });
    for (const cuts of [[], [1], [56, 57, 58, 100], [65_536, 131_072], [58_368, 116_735, 116_735, 175_105]]) {
      const content = [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index]));
      const uploaded = await composed({ attachments: [{ ...file, content }] });
      expect(settled(uploaded.raw) === settled(given.raw)).toBe(true);
      expect(uploaded.mail.attachments[0]?.content.equals(bytes)).toBe(true);
    }
  });

  it('makes the same message at every length around that of a line', async () => {
    for (let length = 0; length <= 175; length += 1) {
      const bytes = Buffer.alloc(length, 'x');
      const [given, uploaded] = await Promise.all(
        [bytes.toString('base64'), [bytes.subarray(0, 60), bytes.subarray(60)]].map((content) =>
          composed({ attachments: [{ ...file, content }] }),
        ),
      );
      expect(settled(uploaded?.raw ?? '')).toBe(settled(given?.raw ?? ''));
    }
  });

  it('is labelled as UTF-8 although a chunk ends within a character', async () => {
    const text = Buffer.from('été');
    const typed = async (content: Buffer[]) =>
      (await composed({ attachments: [{ filename: 'a.txt', content }] })).raw.includes('charset=utf-8; name=a.txt');
    expect(await typed([text.subarray(0, 1), text.subarray(1)])).toBe(true);
    expect(await typed([text.subarray(0, 1), Buffer.from('t')])).toBe(false);
  });
});
