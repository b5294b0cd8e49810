import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createId } from '../../../shared/domain/identifier.ts';
import { operatorContext } from '../../shared/services/context.ts';
import { call } from '../client.ts';
import { inbox, received } from '../inbox.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
let other: TestWorkspace;
beforeAll(async () => {
  service = await sharedService();
  Object.assign(process.env, service.environment);
  [workspace, other] = await Promise.all([newWorkspace(service), newWorkspace(service)]);
});
afterAll(() => service.stop());

const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}, whose = workspace) =>
  call({ ...service, apiKey: whose.apiKey }, method, `/api/v1${path}`, { body, headers });
const someone = () => `p${randomUUID().slice(0, 8)}@example.net`;
const email = <Over extends object>(over: Over) => ({
  from: `Acme <hello@${workspace.domain}>`,
  to: someone(),
  ...over,
});
const issuesOf = ({ body }: { body: { error: { details: { issues: { path: string; message: string }[] } } } }) =>
  body.error.details.issues.map(({ path, message }) => `${path}: ${message}`);

async function made(body: object): Promise<{ id: string; version: number }> {
  const answer = await ask('POST', '/templates', { name: 'Order', ...body });
  expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ object: 'template' })]);
  return answer.body;
}

describe('a template', () => {
  it('is created, sent, changed, listed and deleted; an email names the version it was made from', async () => {
    const { id } = await made({
      subject: 'Order {{order}}',
      html: '<p>Hello {{name|there}}, <a href="{{url}}">order {{order}}</a></p>',
      text: 'Hello {{name|there}}, order {{order}}',
      variables: [{ key: 'order', type: 'number' }],
    });
    const body = email({ template: { id, variables: { name: '<Ada> "&', order: 7, url: 'https://example.com/7' } } });
    const sent = await ask('POST', '/emails', body);
    expect([sent.status, sent.body.subject]).toEqual([202, 'Order 7']);
    const { mail } = await received(service, body.to);
    expect(mail.subject).toBe('Order 7');
    expect(mail.text?.trim()).toBe('Hello <Ada> "&, order 7');
    expect(mail.html).toContain('<p>Hello &lt;Ada&gt; &quot;&amp;, <a href=');
    expect((await ask('GET', `/emails/${sent.body.id}`)).body.template).toEqual({ id, version: 1 });

    const changed = await ask('PATCH', `/templates/${id}`, { text: 'New {{order}}' });
    expect(changed.body).toMatchObject({ version: 2, text: 'New {{order}}', subject: 'Order {{order}}' });
    expect((await ask('PATCH', `/templates/${id}`, { text: 'New {{order}}' })).body.version).toBe(2);
    expect((await ask('PATCH', `/templates/${id}`, { name: 'Sent' })).body).toMatchObject({ version: 2, name: 'Sent' });
    expect((await ask('GET', `/templates/${id}?version=1`)).body.text).toContain('Hello');
    expect((await ask('GET', `/templates/${id}?version=3`)).status).toBe(404);
    const again = await ask('POST', '/emails', email({ subject: 'Own', template: body.template }));
    expect(again.body.subject).toBe('Own');
    expect((await ask('GET', `/emails/${again.body.id}`)).body.template).toEqual({ id, version: 2 });

    const { body: page } = await ask('GET', '/templates?limit=1');
    expect(page.data).toEqual([expect.objectContaining({ id, name: 'Sent', version: 2 })]);
    expect((await ask('DELETE', `/templates/${id}`)).body).toEqual({ object: 'template', id, deleted: true });
    for (const [method, path] of [
      ['GET', `/templates/${id}`],
      ['GET', `/templates/${id}?version=1`],
      ['PATCH', `/templates/${id}`],
      ['DELETE', `/templates/${id}`],
    ] as const) {
      expect([path, (await ask(method, path, method === 'PATCH' ? {} : undefined)).status]).toEqual([path, 404]);
    }
    expect(issuesOf(await ask('POST', '/emails', body))).toEqual([expect.stringMatching(/^template\.id: there is no/)]);
    expect((await ask('GET', '/templates')).body.data).toEqual([]);
  });

  it('is not visible to another workspace', async () => {
    const { id } = await made({ subject: 'Hello', text: 'Hello' });
    const from = `hello@${other.domain}`;
    const theirs = await ask('POST', '/emails', { from, to: someone(), template: { id } }, {}, other);
    expect(issuesOf(theirs)).toEqual([expect.stringMatching(/^template\.id: there is no/)]);
    expect((await ask('GET', '/templates', undefined, {}, other)).body.data).toEqual([]);
  });

  it('refuses a send that lacks a variable, by name; the corrected request succeeds under the same key', async () => {
    const { id } = await made({ subject: '{{a}}', text: '{{a}} {{fields.city}}', html: '<a href="{{url}}">x</a>' });
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = email({ template: { id, variables: { a: 'A', url: 'javascript:alert(1)' } } });
    expect(issuesOf(await ask('POST', '/emails', body, headers))).toEqual([
      expect.stringMatching(/^template\.variables\.fields\.city: is required/),
      expect.stringMatching(/^template\.variables\.url: a link must start/),
    ]);
    expect(await inbox(service, body.to)).toEqual([]);
    const variables = { a: 'A', url: 'https://example.com', 'fields.city': 'Paris' };
    expect((await ask('POST', '/emails', { ...body, template: { id, variables } }, headers)).status).toBe(202);
    const both = await ask('POST', '/emails', email({ template: { id }, text: 'x' }));
    expect(issuesOf(both)).toEqual([expect.stringMatching(/^template: "template" and/)]);
    expect(issuesOf(await ask('POST', '/emails', email({ text: 'x' })))).toEqual(['subject: is required']);
  });

  it('answers a retry as the first call, even if the template has changed', async () => {
    const { id } = await made({ subject: 'First', text: 'Hello' });
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = email({ template: { id } });
    const first = await ask('POST', '/emails', body, headers);
    await ask('PATCH', `/templates/${id}`, { subject: 'Second' });
    expect((await ask('POST', '/emails', body, headers)).body).toEqual(first.body);
    await ask('DELETE', `/templates/${id}`);
    const replayed = await ask('POST', '/emails', body, headers);
    expect([replayed.body, replayed.headers.get('idempotent-replay')]).toEqual([first.body, 'true']);
    expect(await inbox(service, body.to)).toHaveLength(1);
  });

  it('is sent by a batch, each email with its own values, and refused with the path in the batch', async () => {
    const { id } = await made({ subject: 'Order {{order}}', text: 'Hello' });
    const [one, two, three] = [1, 2, undefined].map((order) => email({ template: { id, variables: { order } } }));
    const headers = { 'Idempotency-Key': randomUUID() };
    const strict = await ask('POST', '/emails/batch', [one, two, three], headers);
    expect(issuesOf(strict)).toEqual([expect.stringMatching(/^\[2\]\.template\.variables\.order: is required/)]);
    expect(await inbox(service, one?.to ?? '')).toEqual([]);
    const permissive = await ask('POST', '/emails/batch', [one, two, three], {
      ...headers,
      'X-Batch-Validation': 'permissive',
    });
    expect(permissive.body.errors).toEqual([{ index: 2, message: expect.stringContaining('order') }]);
    const subjects = [one, two].map(async (body) => (await received(service, body?.to ?? '')).mail.subject);
    expect(await Promise.all(subjects)).toEqual(['Order 1', 'Order 2']);
    await ask('DELETE', `/templates/${id}`);
    const again = await ask('POST', '/emails/batch', [one, two, three], {
      ...headers,
      'X-Batch-Validation': 'permissive',
    });
    expect([again.body, again.headers.get('idempotent-replay')]).toEqual([permissive.body, 'true']);
  });

  it('keeps two simultaneous changes, each in its own version', async () => {
    const { id } = await made({ subject: 'S', text: 'T', html: 'H' });
    const changes = [{ subject: 'S2' }, { text: 'T2' }, { html: 'H2' }, { name: 'N2' }];
    const answers = await Promise.all(changes.map((change) => ask('PATCH', `/templates/${id}`, change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await ask('GET', `/templates/${id}`)).body).toMatchObject({
      ...{ name: 'N2', subject: 'S2', text: 'T2', html: 'H2', version: 4 },
    });
  });

  it('is refused when it could never be sent, or is too large to store', async () => {
    const refused = await ask('POST', '/templates', { name: 'x', subject: '{{', html: '<p style="{{x}}">' });
    expect(issuesOf(refused).map((issue) => issue.split(':')[0])).toEqual(['subject', 'html']);
    const noise = Array.from({ length: 390_000 }, () =>
      String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000)),
    );
    const large = await ask('POST', '/templates', { name: 'x', html: noise.join('') });
    expect(issuesOf(large)).toEqual([expect.stringMatching(/^html: is too large: compressed/)]);
  });
});

describe('a campaign from a template', () => {
  const content = [{ type: 'paragraph', text: 'Hello **{{firstName}}** of {{fields.city|town}}' }];
  const variables = [{ key: 'firstName', fallback_value: 'reader' }];

  it('copies the newest version, names it, and renders the same', async () => {
    const { id } = await made({ subject: 'For {{firstName}}', preheader: 'Hi', content, variables });
    const from = `News <news@${workspace.domain}>`;
    const campaign = await ask('POST', '/campaigns', { name: 'News', from, template: { id } });
    expect([campaign.status, campaign.body.name]).toEqual([201, 'News']);
    const shown = (await ask('GET', `/campaigns/${campaign.body.id}`)).body;
    expect(shown).toMatchObject({
      ...{ subject: 'For {{firstName|reader}}', preheader: 'Hi', template: { id, version: 1 } },
    });
    await ask('DELETE', `/templates/${id}`);
    const { previewCampaign } = await import('../../../shared/services/campaigns/previewCampaign.ts');
    const preview = await previewCampaign(operatorContext(workspace.workspaceId), { id: campaign.body.id });
    expect(preview.subject).toBe('For reader');
    expect(preview.text).toMatch(/^Hello reader of town\n/);

    const same = await made({ subject: 'For {{firstName}}', preheader: 'Hi', content, variables });
    const body = email({ template: { id: same.id } });
    await ask('POST', '/emails', body);
    const { mail } = await received(service, body.to);
    const paragraph = /<p[^>]*>Hello.*?<\/p>/s;
    expect(paragraph.exec(String(mail.html))?.[0]).toBe(paragraph.exec(preview.html)?.[0]);
    expect(mail.text?.trim()).toBe('Hello reader of town');
  });

  it('is refused for a variable that campaigns do not have, and for a template without blocks', async () => {
    const order = await made({ subject: '{{order}}', content: [{ type: 'paragraph', text: '{{order}}' }] });
    const from = `news@${workspace.domain}`;
    const unknown = await ask('POST', '/campaigns', { name: 'x', from, subject: 'x', template: { id: order.id } });
    expect(issuesOf(unknown)).toEqual([expect.stringContaining('there is no merge field "{{order}}"')]);
    const html = await made({ subject: 'x', html: '<p>x</p>' });
    const written = await ask('POST', '/campaigns', { name: 'x', from, template: { id: html.id } });
    expect(issuesOf(written)).toEqual([expect.stringMatching(/^template\.id: is written as HTML/)]);
    const both = await ask('POST', '/campaigns', { name: 'x', from, text: 'x', template: { id: order.id } });
    expect(issuesOf(both)).toEqual([expect.stringMatching(/^template: "template" and a body/)]);
  });
});

describe('an upload', () => {
  const announce = async (bytes: number, over: object = {}) => {
    const answer = await ask('POST', '/uploads', { filename: 'catalogue.pdf', size: bytes, ...over });
    expect([answer.status, answer.body]).toEqual([201, expect.objectContaining({ object: 'upload', method: 'PUT' })]);
    return answer.body;
  };
  /** `fetch` sets the length itself. */
  const put = (
    { url, headers: given }: { url: string; headers: Record<string, string> },
    body: Buffer<ArrayBuffer>,
  ) => {
    const { 'content-length': _, ...headers } = given;
    return fetch(url, { method: 'PUT', headers, body });
  };
  const uploaded = async (bytes: Buffer<ArrayBuffer>, over: object = {}) => {
    const upload = await announce(bytes.length, over);
    expect((await put(upload, bytes)).status).toBe(200);
    return upload;
  };
  const sendFiles = (attachments: object[], over: object = {}) =>
    ask('POST', '/emails', { ...email({ subject: 'Files', text: 'Hi.' }), attachments, ...over });

  it('allows a message up to the provider’s limit, although a request carries 4.5 MB', async () => {
    const bytes = randomBytes(29 * 1024 * 1024);
    const { id } = await uploaded(bytes);
    const to = someone();
    expect((await sendFiles([{ upload_id: id }], { to })).status).toBe(202);
    const { mail } = await received(service, to);
    expect(mail.attachments).toEqual([
      expect.objectContaining({ filename: 'catalogue.pdf', contentType: 'application/pdf' }),
    ]);
    expect(mail.attachments[0]?.content.equals(bytes)).toBe(true);
    const twice = await sendFiles([{ upload_id: id }, { upload_id: id }]);
    expect(issuesOf(twice)).toEqual([expect.stringMatching(/^attachments: the message reaches .* the limit is 40/)]);
    expect(issuesOf(await ask('POST', '/uploads', { filename: 'a.exe', size: 29 * 1024 * 1024 + 1 }))).toHaveLength(2);
  }, 60_000);

  it('can be attached repeatedly, under another name, beside files of the request', async () => {
    const { id } = await uploaded(Buffer.from('Héllo'), { filename: 'a.txt' });
    const inline = { filename: 'b.txt', content: Buffer.from('b').toString('base64') };
    for (const attachments of [[{ upload_id: id }], [inline, { upload_id: id, filename: 'c.txt', content_id: 'c' }]]) {
      const to = someone();
      expect((await sendFiles(attachments, { to, html: '<img src="cid:c">' })).status).toBe(202);
      const { mail } = await received(service, to);
      expect(mail.attachments.map(({ filename }) => filename)).toEqual(
        attachments.length === 1 ? ['a.txt'] : ['c.txt', 'b.txt'],
      );
      expect(mail.attachments[0]?.content.toString()).toBe('Héllo');
    }
  });

  it('is sent with a scheduled email as it was when the email was accepted', async () => {
    const bytes = randomBytes(300_000);
    const { id } = await uploaded(bytes, { filename: 'later.bin' });
    const to = someone();
    const scheduled_at = new Date(Date.now() + 3000).toISOString();
    expect((await sendFiles([{ upload_id: id }], { to, scheduled_at })).status).toBe(202);
    const { mail } = await received(service, to);
    expect(mail.attachments[0]?.content.equals(bytes)).toBe(true);
  }, 60_000);

  it('is refused with a reason: missing, of another size, of another workspace, expired, unknown, given twice', async () => {
    const waiting = await announce(5);
    expect((await put(waiting, Buffer.from('longer'))).status).toBe(403);
    const { body: theirs } = await ask('POST', '/uploads', { filename: 'a.pdf', size: 5 }, {}, other);
    expect((await put(theirs, Buffer.from('12345'))).status).toBe(200);
    const old = createId('upl', new Date(Date.now() - 25 * 3_600_000));
    const content = 'SGVsbG8=';
    const attachments = [waiting.id, theirs.id, old, 'x'].map((upload_id) => ({ upload_id }));
    const refused = issuesOf(await sendFiles(attachments)).map((issue) => issue.split(':').slice(0, 2).join(':'));
    expect(refused).toEqual([
      'attachments[1].upload_id: there is no such upload in this workspace',
      'attachments[2].upload_id: has expired',
      'attachments[3].upload_id: there is no such upload in this workspace',
    ]);
    expect(issuesOf(await sendFiles([{ upload_id: waiting.id }]))).toEqual([
      expect.stringMatching(/^attachments\[0\]\.upload_id: nothing was uploaded/),
    ]);
    const sha = createHash('sha256').update('12345').digest('base64');
    const checked = await announce(5, { checksum_sha256: sha });
    expect(checked.headers['x-amz-checksum-sha256']).toBe(sha);
    expect((await put(checked, Buffer.from('54321'))).status).toBe(400);
    expect((await put(checked, Buffer.from('12345'))).status).toBe(200);
    expect((await ask('POST', '/uploads', { filename: 'a.pdf', size: 5, checksum_sha256: 'x' })).status).toBe(422);
    const both = await sendFiles([
      { filename: 'a.txt', content, upload_id: waiting.id },
      { filename: 'a.txt' },
      { content },
    ]);
    expect(issuesOf(both).map((issue) => issue.split(':')[0])).toEqual([
      'attachments[0].upload_id',
      'attachments[1].content',
      'attachments[2].filename',
    ]);
  });

  it('is sent with the emails of a batch, while all their files fit into one message', async () => {
    const bytes = randomBytes(10 * 1024 * 1024);
    const { id } = await uploaded(bytes);
    const [one, other] = [someone(), someone()];
    const attached = (to: string, upload_id = id) => ({
      ...email({ to, subject: 'x', text: 'x' }),
      attachments: [{ upload_id }],
    });
    const later = { ...attached(other), scheduled_at: new Date(Date.now() + 3000).toISOString() };
    expect((await ask('POST', '/emails/batch', [attached(one), later])).status).toBe(202);
    for (const to of [one, other]) {
      expect((await received(service, to)).mail.attachments[0]?.content.equals(bytes)).toBe(true);
    }
    const refused = await ask(
      'POST',
      '/emails/batch',
      [1, 2, 3].map(() => attached(someone())),
    );
    expect(issuesOf(refused)).toEqual([
      expect.stringMatching(/^\[2\]\.attachments\[0\]\.upload_id: the files of a batch are too large together/),
    ]);
    const none = await ask('POST', '/emails/batch', [attached(one, 'x')]);
    expect(issuesOf(none)).toEqual([expect.stringMatching(/^\[0\]\.attachments\[0\]\.upload_id: there is no such/)]);
  }, 60_000);
});
