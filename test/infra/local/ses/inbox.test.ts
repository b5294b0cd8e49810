import { type Harness, lines, raw, simple, startHarness } from './harness.ts';

let harness: Harness;
beforeEach(async () => {
  harness = await startHarness();
});
afterEach(() => harness.stop());

const to = (address: string) => ({ Destination: { ToAddresses: [address] } });
const send = async (overrides = {}, html?: string) =>
  String((await harness.client.send(simple(overrides, html))).MessageId);
const page = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${harness.ses.endpoint}${path}`, { headers });
const pageText = async (path: string, headers: Record<string, string> = {}) => (await page(path, headers)).text();
const newest = async () => (await harness.json('/_inbox/messages?limit=1')).data[0];

describe('the JSON of the inbox', () => {
  it('lists the newest first, page by page', async () => {
    for (const name of ['a', 'b', 'c']) await send(to(`${name}@customer.test`));
    const first = await harness.json('/_inbox/messages?limit=2');
    const second = await harness.json(`/_inbox/messages?limit=2&after=${first.next_after}`);
    const recipients = [...first.data, ...second.data].flatMap(
      (message: { recipients: string[] }) => message.recipients,
    );
    expect(recipients).toEqual(['c@customer.test', 'b@customer.test', 'a@customer.test']);
    expect([first.has_more, second.has_more, second.next_after]).toEqual([true, false, null]);
  });

  it('finds the messages of one recipient, case ignored, Bcc included', async () => {
    const id = await send({
      Destination: { ToAddresses: ['Ann <Ann@Customer.test>'], BccAddresses: ['bcc@customer.test'] },
    });
    await send(to('other-ann@customer.test'));
    const found = async (address: string) =>
      (await harness.json(`/_inbox/messages?to=${address}`)).data.map(
        (message: { message_id: string }) => message.message_id,
      );
    expect([
      await found('ann@customer.test'),
      await found('bcc@customer.test'),
      await found('nn@customer.test'),
    ]).toEqual([[id], [id], []]);
  });

  it('shows a message with headers, bodies, attachments and events', async () => {
    const attachment = { FileName: 'a.txt', RawContent: Buffer.from('abc'), ContentType: 'text/plain' };
    const body = { Text: { Data: 'Hello' }, Html: { Data: '<p>Hello</p>' } };
    const content = { Subject: { Data: 'Hello' }, Body: body, Attachments: [attachment] };
    const id = await send({ Content: { Simple: content } });
    await harness.waitFor('Delivery', id);
    const found = await harness.json(`/_inbox/messages/${id}`);
    expect(found).toMatchObject({
      message_id: id,
      from: 'Shop <shop@example.com>',
      recipients: ['ann@customer.test'],
      text: 'Hello',
      attachments: [{ filename: 'a.txt', content_type: 'text/plain', size: 3, disposition: 'attachment' }],
      events: [{ type: 'Send' }, { type: 'Delivery', detail: { recipients: ['ann@customer.test'] } }],
    });
    expect(found.headers).toContainEqual({ name: 'Subject', value: 'Hello' });
    expect(await harness.json(`/_inbox/messages/${found.id}`)).toMatchObject({ message_id: id });
  });

  it('gives the source as a file', async () => {
    const id = await send();
    const answer = await page(`/_inbox/messages/${id}/source`);
    expect(answer.headers.get('content-type')).toBe('message/rfc822');
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${id}.eml"`);
    expect(await answer.text()).toContain(`Message-ID: <${id}@email.amazonses.com>`);
  });

  it('is emptied without losing an event that is still to come', async () => {
    await harness.faults({ event_delay_ms: 100 });
    const id = await send();
    await fetch(`${harness.ses.endpoint}/_inbox/messages`, { method: 'DELETE' });
    expect((await harness.json('/_inbox/messages')).data).toEqual([]);
    expect((await harness.json('/_inbox/messages?to=ann@customer.test')).data).toEqual([]);
    expect((await page(`/_inbox/messages/${id}`)).status).toBe(404);
    expect(await harness.waitFor('Delivery', id)).toHaveLength(1);
  });

  it('answers 404 for what is not there', async () => {
    expect((await page('/_inbox/messages/99')).status).toBe(404);
    expect((await page('/_inbox/nothing')).status).toBe(404);
  });
});

describe('the inbox page', () => {
  it('lists messages, searches by a part of the recipient, and pages', async () => {
    for (let index = 0; index < 52; index += 1) await send(to(`user${index}@customer.test`));
    const first = await pageText('/inbox');
    const older = /href="(\/inbox\?after=\d+)"/.exec(first)?.[1] ?? '';
    const second = await pageText(older);
    expect(first.match(/<li>/g)).toHaveLength(50);
    expect(second.match(/<li>/g)).toHaveLength(2);
    const found = await pageText('/inbox?q=USER5');
    expect(found.match(/<li>/g)).toHaveLength(3);
    expect(await pageText('/inbox?q=nobody')).toContain('No message matches.');
  });

  it('is in French for readers who prefer it', async () => {
    expect(await pageText('/inbox', { 'Accept-Language': 'fr-CA,fr;q=0.9,en;q=0.8' })).toContain('Boîte de réception');
    expect(await pageText('/inbox', { 'Accept-Language': 'de,fr' })).toContain('<html lang="en">');
  });

  it('loads nothing but its own style and script, and may be framed by nobody', async () => {
    await send();
    for (const path of [
      '/inbox',
      `/inbox/messages/${(await newest()).id}`,
      '/inbox/list',
      '/inbox/style.css',
      '/inbox/script.js',
    ]) {
      const { headers, status } = await page(path);
      expect([path, status, headers.get('x-content-type-options'), headers.get('referrer-policy')]).toEqual([
        path,
        200,
        'nosniff',
        'no-referrer',
      ]);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
    }
  });

  it('shows a message with its events, and 404 for one that is not there', async () => {
    await harness.waitFor('Bounce', await send(to('bounce@simulator.amazonses.com')));
    const shown = await pageText(`/inbox/messages/${(await newest()).id}`);
    expect(shown).toContain('<strong>Bounce</strong> bounce@simulator.amazonses.com');
    expect(shown).toContain('/source">Download the source (.eml)');
    expect((await page('/inbox/messages/99')).status).toBe(404);
  });
});

describe('hostile mail', () => {
  const attack = '<script>alert(1)</script><img src=x onerror=alert(1)><iframe src="https://evil.test"></iframe>';

  it('cannot put markup into the pages, wherever it tries', async () => {
    const attachment = {
      FileName: '"><script>alert(1)</script>',
      RawContent: Buffer.from('x'),
      ContentType: 'text/plain',
    };
    const body = { Text: { Data: attack }, Html: { Data: attack } };
    const content = {
      Subject: { Data: attack },
      Body: body,
      Attachments: [attachment],
      Headers: [{ Name: 'X-Evil', Value: attack }],
    };
    await send({ Content: { Simple: content }, FromEmailAddress: '"<script>alert(1)</script>" <shop@example.com>' });
    const { id } = await newest();
    const texts = [
      await pageText('/inbox'),
      await pageText(`/inbox/messages/${id}`),
      await pageText(`/inbox?q=${encodeURIComponent(attack)}`),
    ];
    for (const text of texts) {
      expect(text).not.toMatch(/<script>|<img|<iframe src="https/);
      expect(text).toContain('&lt;script&gt;');
    }
  });

  it('is framed without scripts, forms, its own origin, or addresses of others', async () => {
    await send({}, attack);
    const { id } = await newest();
    const frame = /<iframe [^>]*>/.exec(await pageText(`/inbox/messages/${id}`))?.[0] ?? '';
    expect(frame).toContain(`src="/inbox/messages/${id}/html"`);
    const { headers } = await page(`/inbox/messages/${id}/html`);
    const policy = (headers.get('content-security-policy') ?? '').split('; ');
    for (const sandbox of [/sandbox="([^"]*)"/.exec(frame)?.[1] ?? 'missing', policy[0]?.replace('sandbox ', '')]) {
      expect(sandbox).toBe('allow-popups allow-popups-to-escape-sandbox');
    }
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
        `img-src data: ${harness.ses.endpoint}/I0/`,
      ]),
    );
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('shows images that it carries itself, of image types only', async () => {
    const part = (type: string, id: string) => lines('--b', `Content-Type: ${type}`, `Content-ID: <${id}>`, '', 'data');
    const message = lines(
      'From: shop@example.com',
      'Content-Type: multipart/related; boundary=b',
      '',
      '--b',
      'Content-Type: text/html',
      '',
      '<img src="cid:logo"><img src="cid:page">',
      part('image/png', 'logo'),
      part('text/html', 'page'),
      '--b--',
      '',
    );
    await harness.client.send(raw(message));
    const shown = await pageText(`/inbox/messages/${(await newest()).id}/html`);
    expect(shown).toContain('<img src="data:image/png;base64,ZGF0YQ=="><img src="cid:page">');
  });

  it('has attachments that are files and never pages', async () => {
    const attachment = { FileName: 'é".html', RawContent: Buffer.from(attack), ContentType: 'text/html' };
    const content = { Subject: { Data: 'x' }, Body: { Text: { Data: 'x' } }, Attachments: [attachment] };
    await send({ Content: { Simple: content } });
    const { headers } = await page(`/inbox/messages/${(await newest()).id}/attachments/0`);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''%C3%A9%22.html");
    expect((await page(`/inbox/messages/${(await newest()).id}/attachments/1`)).status).toBe(404);
  });

  it('is not read or sent by pages of other sites', async () => {
    const rebound = await new Promise<number | undefined>((resolve, reject) => {
      const options = { headers: { Host: 'evil.test' } };
      import('node:http').then(({ get }) =>
        get(`${harness.ses.endpoint}/_inbox/messages`, options, (answer) => resolve(answer.resume().statusCode)).on(
          'error',
          reject,
        ),
      );
    });
    expect(rebound).toBe(403);
    const headers = { Origin: 'https://evil.test', 'Content-Type': 'text/plain' };
    const posts = ['/v2/email/outbound-emails', '/_control/faults', '/_inbox/messages'].map((path) =>
      fetch(`${harness.ses.endpoint}${path}`, { method: 'POST', headers, body: '{}' }),
    );
    expect((await Promise.all(posts)).map((answer) => answer.status)).toEqual([403, 403, 403]);
  });
});
