import { simpleParser } from 'mailparser';
import { type Harness, lines, plain, raw, simple, startHarness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const sourceOf = async (id: string | undefined) =>
  (await fetch(`${harness.ses.endpoint}/_inbox/messages/${id}/source`)).text();

describe('a raw message as recipients get it', () => {
  const message = lines(
    'Return-Path: <bounces@example.com>',
    'X-SES-MESSAGE-TAGS: a=1',
    'Date: Mon, 1 Jan 2001 00:00:00 +0000',
    'Message-ID: <own@example.com>',
    'Bcc: secret@customer.test,',
    '  more@customer.test',
    plain,
  );

  it('has the Date and Message-ID of SES, no Bcc and no field addressed to SES', async () => {
    const { MessageId } = await harness.client.send(raw(message));
    const source = await sourceOf(MessageId);
    expect(source).toContain(`Message-ID: <${MessageId}@email.amazonses.com>\r\n`);
    expect(source).toMatch(/^Date: \w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} \+0000\r$/m);
    for (const gone of ['2001', 'own@example.com', 'secret', 'more@', 'X-SES', 'Return-Path']) {
      expect(source).not.toContain(gone);
    }
    expect(source).toMatch(/\r\n\r\nHello\r\n$/);
  });

  it('shows the original Message-ID in events, as SES does', async () => {
    const { MessageId } = await harness.client.send(raw(message));
    const [sent] = await harness.waitFor('Send', String(MessageId));
    expect(sent.mail.commonHeaders.messageId).toBe('<own@example.com>');
    expect(JSON.stringify(sent.mail)).not.toContain('secret');
  });

  it('goes to the Destination, whatever its headers are, and without one to the headers’ recipients', async () => {
    const { MessageId: one } = await harness.client.send(raw(message));
    const { MessageId: two } = await harness.client.send(raw(message, { Destination: undefined }));
    const recipients = async (id: string | undefined) => (await harness.json(`/_inbox/messages/${id}`)).recipients;
    expect(await recipients(one)).toEqual(['ann@customer.test']);
    expect(await recipients(two)).toEqual(['ann@customer.test', 'secret@customer.test', 'more@customer.test']);
  });

  it('has CRLF line ends, also when it came with LF', async () => {
    const { MessageId } = await harness.client.send(raw(plain.replaceAll('\r\n', '\n')));
    expect((await sourceOf(MessageId)).replaceAll('\r\n', '')).not.toContain('\n');
  });

  it('keeps bytes that are not ASCII', async () => {
    const latin1 = Buffer.from(
      plain.replace('utf-8', 'iso-8859-1').replace('\r\n\r\nHello', '\r\n\r\nHéllo'),
      'latin1',
    );
    const { MessageId } = await harness.client.send(raw(latin1));
    expect((await harness.json(`/_inbox/messages/${MessageId}`)).text).toBe('Héllo\n');
  });

  it('cuts the headers of events at 10 KB', async () => {
    const many = Array.from({ length: 20 }, (_, index) => `X-Long-${index}: ${'y'.repeat(900)}`);
    const { MessageId } = await harness.client.send(raw(lines(...many, plain)));
    const [sent] = await harness.waitFor('Send', String(MessageId));
    expect(sent.mail.headersTruncated).toBe(true);
    expect(sent.mail.headers.length).toBeLessThan(20);
  });
});

describe('a Simple message as recipients get it', () => {
  it('is parsed by a mail parser to what was given', async () => {
    const content = {
      Subject: { Data: 'Reçu nº 7 日本語の件名' },
      Body: { Text: { Data: 'Bonjour é' }, Html: { Data: '<p>Bonjour é</p>' } },
      Headers: [{ Name: 'List-Unsubscribe', Value: '<https://example.com/u>' }],
      Attachments: [
        { FileName: 'reçu été.pdf', RawContent: Buffer.from('%PDF'), ContentType: 'application/pdf' },
        {
          FileName: 'logo.png',
          RawContent: Buffer.from('PNG'),
          ContentType: 'image/png',
          ContentDisposition: 'INLINE' as const,
          ContentId: 'logo',
        },
      ],
    };
    const destination = {
      ToAddresses: ['ann@customer.test'],
      CcAddresses: ['cc@customer.test'],
      BccAddresses: ['bcc@customer.test'],
    };
    const command = simple({
      Content: { Simple: content },
      Destination: destination,
      ReplyToAddresses: ['help@example.com'],
    });
    const source = await sourceOf((await harness.client.send(command)).MessageId);
    const read = await simpleParser(source);
    expect(source).not.toContain('bcc@');
    expect(read).toMatchObject({ subject: 'Reçu nº 7 日本語の件名', text: 'Bonjour é' });
    expect(read.html).toMatch(/^<p>Bonjour é<\/p>/);
    expect(read.headers.get('cc')).toMatchObject({ text: 'cc@customer.test' });
    expect(read.replyTo?.text).toBe('help@example.com');
    expect(read.headers.get('list')).toMatchObject({ unsubscribe: { url: 'https://example.com/u' } });
    expect(read.attachments.map((file) => [file.filename, file.cid, file.content.toString()])).toEqual(
      expect.arrayContaining([
        ['reçu été.pdf', undefined, '%PDF'],
        ['logo.png', 'logo', 'PNG'],
      ]),
    );
  });
});
