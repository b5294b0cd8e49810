import { SendEmailCommand, type SendEmailCommandInput } from '@aws-sdk/client-sesv2';
import { type Harness, lines, plain, raw, setName, simple, startHarness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const refused = (command: SendEmailCommand) => expect(harness.client.send(command)).rejects;
const badRequest = (message: string | RegExp) => ({
  name: 'BadRequestException',
  message: expect.stringMatching(message),
  $metadata: expect.objectContaining({ httpStatusCode: 400 }),
});
const addresses = (count: number) => Array.from({ length: count }, (_, index) => `user${index}@customer.test`);
const withHeaders = (headers: { Name: string; Value: string }[]) =>
  simple({ Content: { Simple: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Hello' } }, Headers: headers } } });
const multipart = (parts: number) =>
  lines(
    'From: shop@example.com',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    ...Array.from({ length: parts }, () => '--b\r\nContent-Type: text/plain\r\n\r\nx'),
    '--b--',
    '',
  );

describe('recipients', () => {
  it('accepts 50 in To, Cc and Bcc', async () => {
    const [To, Cc, Bcc] = [addresses(50).slice(0, 20), addresses(50).slice(20, 40), addresses(50).slice(40)];
    const destination = { ToAddresses: To, CcAddresses: Cc, BccAddresses: Bcc };
    const { MessageId } = await harness.client.send(simple({ Destination: destination }));
    expect(MessageId).toMatch(/^0100[0-9a-f]{12}-[0-9a-f-]{36}-000000$/);
  });

  it('refuses 51', () =>
    refused(simple({ Destination: { ToAddresses: addresses(50), BccAddresses: ['one@customer.test'] } })).toMatchObject(
      badRequest('Recipient count exceeds 50.'),
    ));

  it('refuses a call without any', () => refused(simple({ Destination: {} })).toMatchObject(badRequest('recipient')));

  it.each([
    ['no domain', 'ann', "Missing final '@domain'."],
    ['a non-ASCII local part', 'änn@customer.test', 'control or whitespace'],
    ['a domain that is not punycode', 'ann@kündin.test', 'illegal character'],
    ['a domain that ends with a dot', 'ann@customer.test.', 'ends with dot'],
    ['two addresses in one', 'ann@customer.test, bob@customer.test', 'Illegal address'],
  ])('refuses an address with %s', (_, address, message) =>
    refused(simple({ Destination: { ToAddresses: [address] } })).toMatchObject(badRequest(message)),
  );
});

describe('sender', () => {
  it('refuses one whose domain is not verified, with SES’s message', () =>
    refused(simple({ FromEmailAddress: 'a@elsewhere.test' })).toMatchObject({
      name: 'MessageRejected',
      message:
        'Email address is not verified. The following identities failed the check in region US-EAST-1: a@elsewhere.test',
    }));

  it('accepts one of a subdomain of a verified domain', async () => {
    const answer = await harness.client.send(simple({ FromEmailAddress: 'a@news.example.com' }));
    expect(answer.MessageId).toBeDefined();
  });

  it('refuses a raw message whose From header is not verified, though the envelope is', () =>
    refused(raw(plain.replace('shop@example.com', 'ceo@bank.test'))).toMatchObject({
      name: 'MessageRejected',
      message: expect.stringContaining('ceo@bank.test'),
    }));

  it('refuses a domain whose name only ends like a verified one', () =>
    refused(simple({ FromEmailAddress: 'a@notexample.com' })).toMatchObject({ name: 'MessageRejected' }));
});

describe('tags', () => {
  const tagged = (tags: SendEmailCommandInput['EmailTags']) => simple({ EmailTags: tags });

  it.each([
    ['a space in the name', [{ Name: 'a b', Value: 'c' }], 'Invalid tag name'],
    ['a dot in the value', [{ Name: 'a', Value: 'b.c' }], 'Invalid tag value'],
    ['an accent', [{ Name: 'a', Value: 'é' }], 'Invalid tag value'],
    ['an empty value', [{ Name: 'a', Value: '' }], 'must not be empty'],
    ['257 characters', [{ Name: 'a', Value: 'x'.repeat(257) }], 'longer than 256'],
    [
      'the same name twice',
      [
        { Name: 'a', Value: 'b' },
        { Name: 'a', Value: 'c' },
      ],
      'Duplicate tag name',
    ],
  ])('refuses %s', (_, tags, message) => refused(tagged(tags)).toMatchObject(badRequest(message)));

  it('accepts 256 characters', async () => {
    const answer = await harness.client.send(tagged([{ Name: 'n'.repeat(256), Value: 'v'.repeat(256) }]));
    expect(answer.MessageId).toBeDefined();
  });
});

describe('headers of a Simple message', () => {
  it('accepts 15', async () => {
    const headers = Array.from({ length: 15 }, (_, index) => ({ Name: `X-Own-${index}`, Value: 'v' }));
    expect((await harness.client.send(withHeaders(headers))).MessageId).toBeDefined();
  });

  it.each([
    ['16', Array.from({ length: 16 }, (_, index) => ({ Name: `X-${index}`, Value: 'v' })), 'exceeds 15'],
    ['a name of 127 characters', [{ Name: 'X'.repeat(127), Value: 'v' }], 'Invalid header name'],
    ['a name with a colon', [{ Name: 'X:Y', Value: 'v' }], 'Invalid header name'],
    ['a value of 996 characters', [{ Name: 'X', Value: 'v'.repeat(996) }], 'Invalid value'],
    ['a value that is not ASCII', [{ Name: 'X', Value: 'é' }], 'Invalid value'],
    ['a line break in a value', [{ Name: 'X', Value: 'a\r\nBcc: b@c.test' }], 'Invalid value'],
    ['together more than 996', [{ Name: 'X'.repeat(100), Value: 'v'.repeat(900) }], 'longer than 996'],
    ['a header that SES writes', [{ Name: 'subject', Value: 'v' }], 'not allowed'],
    [
      'the same twice',
      [
        { Name: 'X-A', Value: 'v' },
        { Name: 'x-a', Value: 'w' },
      ],
      'Duplicate header',
    ],
  ])('refuses %s', (_, headers, message) => refused(withHeaders(headers)).toMatchObject(badRequest(message)));
});

describe('raw messages', () => {
  it('accepts 500 MIME parts, refuses 501', async () => {
    expect((await harness.client.send(raw(multipart(499)))).MessageId).toBeDefined();
    await refused(raw(multipart(500))).toMatchObject(badRequest('more than 500 MIME parts'));
  });

  it('accepts a line of 998 bytes, refuses 999', async () => {
    const message = (length: number) => `${plain}${'x'.repeat(length)}\r\n`;
    expect((await harness.client.send(raw(message(998)))).MessageId).toBeDefined();
    await refused(raw(message(999))).toMatchObject(badRequest('Line of 999 characters'));
  });

  it('accepts 40 MB, refuses more', async () => {
    const filler = Buffer.alloc(40 * 1024 * 1024 - plain.length, `${'x'.repeat(76)}\r\n`);
    const message = Buffer.concat([Buffer.from(plain), filler]);
    expect((await harness.client.send(raw(message))).MessageId).toBeDefined();
    await refused(raw(Buffer.concat([message, Buffer.from('x')]))).toMatchObject(
      badRequest('Message length is more than'),
    );
  });

  it.each([
    ['without From', plain.replace(/^From.*\r\n/, ''), "Missing required header 'From'."],
    ['without a blank line', 'From: shop@example.com\r\nSubject: x', 'blank line'],
    ['with a line that is no header', plain.replace('Subject: Hello', 'Subject Hello'), 'valid field name'],
    ['with two subjects', plain.replace('Subject', 'Subject: one\r\nSubject'), "Duplicate header 'Subject'"],
    ['with a multipart that names no boundary', plain.replace('text/plain', 'multipart/mixed'), 'boundary parameter'],
    ['with a multipart that never begins', multipart(1).replaceAll('--b', '--c'), 'Missing start boundary'],
    ['with a multipart that never ends', multipart(1).replace('--b--', ''), 'Missing end boundary'],
    [
      'with an attachment that SES does not carry',
      plain.replace(/Content-Type.*/, 'Content-Disposition: attachment; filename="a.EXE"'),
      "Illegal filename 'a.EXE'",
    ],
    ['that is empty', '', 'must not be empty'],
  ])('refuses one %s', (_, message, problem) => refused(raw(message)).toMatchObject(badRequest(problem)));
});

describe('other parameters', () => {
  it('refuses a configuration set that does not exist', () =>
    refused(simple({ ConfigurationSetName: 'other' })).toMatchObject({
      name: 'NotFoundException',
      message: 'Configuration set <other> does not exist.',
      $metadata: expect.objectContaining({ httpStatusCode: 404 }),
    }));

  it('refuses a body without text and HTML', () =>
    refused(simple({ Content: { Simple: { Subject: { Data: 'x' }, Body: {} } } })).toMatchObject(badRequest('Body')));

  it('refuses content of two kinds', () =>
    refused(
      new SendEmailCommand({
        ConfigurationSetName: setName,
        Content: {
          Raw: { Data: Buffer.from(plain) },
          Simple: { Subject: { Data: 'x' }, Body: { Text: { Data: 'x' } } },
        },
      }),
    ).toMatchObject(badRequest('exactly one')));

  it('answers invalid JSON, a wrong type and an unknown operation with the protocol’s errors', async () => {
    const url = `${harness.ses.endpoint}/v2/email/outbound-emails`;
    const answers = [
      await fetch(url, { method: 'POST', body: '{' }),
      await fetch(url, { method: 'POST', body: '{"Content":[]}' }),
      await fetch(`${harness.ses.endpoint}/v2/email/contact-lists`),
    ];
    expect(answers.map((answer) => [answer.status, answer.headers.get('x-amzn-errortype')])).toEqual([
      [400, 'SerializationException'],
      [400, 'SerializationException'],
      [404, 'UnknownOperationException'],
    ]);
  });
});
