import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Resend } from 'resend';
import { eventually } from '../client.ts';
import { received } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';

let service: TestService;
let resend: Resend;
const someone = () => `p${randomUUID().slice(0, 8)}@example.net`;

beforeAll(async () => {
  service = await startService();
  process.env.RESEND_BASE_URL = `${service.baseUrl}/api/v1`;
  resend = new Resend(service.apiKey, { baseUrl: `${service.baseUrl}/api/v1` });
});
afterAll(() => service.stop());

describe('the resend client, unchanged', () => {
  it('sends with attachments and an idempotency key, replays, and reads the status', async () => {
    const to = someone();
    const options = { idempotencyKey: randomUUID() };
    const message = {
      from: 'Acme <hello@example.com>',
      to: [to],
      replyTo: 'support@example.com',
      subject: 'Reçu',
      html: '<p>Merci.</p>',
      headers: { 'X-Order': '42' },
      tags: [{ name: 'category', value: 'receipt' }],
      attachments: [{ filename: 'reçu.txt', content: Buffer.from('bonjour') }],
    };
    const sent = await resend.emails.send(message, options);
    expect(sent.error).toBeNull();
    expect((await resend.emails.send(message, options)).data?.id).toBe(sent.data?.id);
    const { mail } = await received(service, to);
    expect(mail.attachments[0]).toMatchObject({ filename: 'reçu.txt', content: Buffer.from('bonjour') });
    expect([mail.replyTo].flat()[0]?.value[0]?.address).toBe('support@example.com');
    const status = await eventually(async () => {
      const { data } = await resend.emails.get(sent.data?.id ?? '');
      return (data as { status?: string } | null)?.status === 'delivered' && data;
    });
    expect(status).toMatchObject({ object: 'email', subject: 'Reçu' });
  });

  it('sends an image that the HTML shows', async () => {
    const to = someone();
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    const { error } = await resend.emails.send({
      from: 'hello@example.com',
      to,
      subject: 'Logo',
      html: '<p><img src="cid:logo-image" alt="Logo" width="40"></p>',
      attachments: [{ filename: 'logo.png', content: pixel, contentId: 'logo-image' }],
    });
    expect(error).toBeNull();
    const { mail } = await received(service, to);
    expect(mail.attachments).toMatchObject([
      { cid: 'logo-image', related: true, contentType: 'image/png', contentDisposition: 'inline' },
    ]);
    expect(mail.html).toContain(`src="data:image/png;base64,${pixel}"`);
  });

  it('reads an error', async () => {
    const { data, error } = await resend.emails.send({
      from: 'a@elsewhere.example',
      to: someone(),
      subject: 's',
      text: 't',
    });
    expect(data).toBeNull();
    expect(error).toMatchObject({ name: 'unverified_from_domain', statusCode: 422, message: expect.any(String) });
  });
});

const script = `
import sys, json
from email import policy
from email.parser import BytesParser
message = BytesParser(policy=policy.default).parsebytes(sys.stdin.buffer.read())
print(json.dumps({
    "subject": message["subject"],
    "to": [address.addr_spec for address in message["to"].addresses],
    "text": message.get_body(("plain",)).get_content(),
    "html": message.get_body(("html",)).get_content(),
    "images": [[part["Content-ID"], part.get_content_type()] for part in message.walk() if part["Content-ID"]],
    "files": [[part.get_filename(), part.get_content_type()] for part in message.iter_attachments()],
    "defects": [str(defect) for part in message.walk() for defect in part.defects],
}))`;
const hasPython = spawnSync('python3', ['--version']).status === 0;
const withPython = hasPython ? describe : describe.skip;

withPython("Python's email package", () => {
  it('parses a message without defects', async () => {
    const to = someone();
    const subject = `${'Très long objet — 長い件名 '.repeat(12)}fin`;
    await resend.emails.send({
      from: 'Zoë “Z” Ünïcode <hello@example.com>',
      to: [`"Dupont, Jean" <${to}>`, `Ada <${someone()}>`],
      subject,
      text: 'Bonjour à tous.',
      html: `<p>Bonjour à tous. <img src="cid:photo@example.com" alt=""> ${'x'.repeat(5000)}</p>`,
      attachments: [
        { filename: '請求書 été.pdf', content: Buffer.from('%PDF-').toString('base64') },
        { filename: 'photo.jpg', content: Buffer.from('JPEG').toString('base64'), contentId: 'photo@example.com' },
      ],
    });
    const { raw } = await received(service, to);
    const read = spawnSync('python3', ['-c', script], { input: raw });
    expect(read.stderr.toString()).toBe('');
    const parsed = JSON.parse(read.stdout.toString());
    expect(parsed).toMatchObject({
      subject,
      images: [['<photo@example.com>', 'image/jpeg']],
      files: [['請求書 été.pdf', 'application/pdf']],
      defects: [],
    });
    expect(parsed.to[0]).toBe(to);
    expect(parsed.text.trim()).toBe('Bonjour à tous.');
    expect(parsed.html).toContain('x'.repeat(5000));
  });
});
