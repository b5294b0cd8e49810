import { simpleParser } from 'mailparser';
import { type Harness, lines, plain, raw, simple, startHarness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const html = '<html><body><p>Été 日本</p><a href="https://shop.test/a?x=1&amp;y=2">Buy</a></body></html>';
const htmlOf = async (id: string | undefined): Promise<string> => (await harness.json(`/_inbox/messages/${id}`)).html;
const sourceOf = async (id: string | undefined) =>
  Buffer.from(await (await fetch(`${harness.ses.endpoint}/_inbox/messages/${id}/source`)).arrayBuffer());
const sendHtml = async (markup: string, overrides = {}) =>
  String((await harness.client.send(simple(overrides, markup))).MessageId);
const tracked = (markup: string) => [...markup.matchAll(/http:\/\/127\.0\.0\.1:\d+\/L0\/[^"]+/g)].map(([url]) => url);
const pixel = (markup: string) => /<img [^>]*src="(http:\/\/127\.0\.0\.1:\d+\/I0\/[^"]+)"/.exec(markup)?.[1] ?? '';

describe('the rewritten HTML', () => {
  it('has the pixel at the end of the body and a tracked link, and nothing else changed', async () => {
    const markup = await htmlOf(await sendHtml(html));
    const [link = ''] = tracked(markup);
    const image = /<img [^>]*>(?=<\/body>)/.exec(markup)?.[0] ?? 'missing';
    expect(markup.trim().replace(image, '').replace(link, 'https://shop.test/a?x=1&amp;y=2')).toBe(html);
  });

  const encoded = (encoding: string, charset: string, body: Buffer | string) =>
    Buffer.concat([
      Buffer.from(
        lines(
          'From: shop@example.com',
          'MIME-Version: 1.0',
          'Content-Type: multipart/mixed; boundary="a"',
          '',
          '--a',
          'Content-Type: multipart/alternative; boundary="b"',
          '',
          '--b',
          'Content-Type: text/plain',
          '',
          'https://shop.test/plain',
          '--b',
          `Content-Type: text/html; charset=${charset}`,
          `Content-Transfer-Encoding: ${encoding}`,
          '',
          '',
        ),
      ),
      Buffer.from(body),
      Buffer.from(
        lines(
          '',
          '--b--',
          '--a',
          'Content-Type: text/html',
          'Content-Disposition: attachment; filename=a.html',
          '',
          '<a href="https://shop.test/file">x</a>',
          '--a--',
          '',
        ),
      ),
    ]);

  it.each([
    [
      'base64',
      'utf-8',
      (
        Buffer.from(html)
          .toString('base64')
          .match(/.{1,76}/g) ?? []
      ).join('\r\n'),
    ],
    [
      'quoted-printable',
      'UTF-8',
      html
        .replaceAll('=', '=3D')
        .replace('É', '=C3=89')
        .replace('é', '=C3=A9')
        .replace('日本', '=E6=97=\r\n=A5=E6=9C=AC'),
    ],
    ['8bit', 'utf-8', html],
    ['8bit', 'iso-8859-1', Buffer.from(html.replace('日本', ''), 'latin1')],
    [
      '7bit',
      'iso-2022-jp',
      Buffer.concat([
        Buffer.from('<body>\x1b$B'),
        Buffer.from([0x46, 0x7c, 0x4b, 0x5c]),
        Buffer.from('\x1b(B<a href="https://shop.test/a?x=1&amp;y=2">x</a></body>'),
      ]),
    ],
  ])('is found in %s and %s, two levels down, and stays readable', async (encoding, charset, body) => {
    const { MessageId } = await harness.client.send(raw(encoded(encoding, charset, body)));
    const read = await simpleParser(await sourceOf(MessageId));
    const markup = read.html || '';
    expect(tracked(markup)).toHaveLength(1);
    expect(pixel(markup)).not.toBe('');
    expect(markup).toMatch(charset === 'iso-2022-jp' ? /日本/ : /Été/);
    expect(read.text).toContain('https://shop.test/plain');
    expect(read.attachments[0]?.content.toString()).toBe('<a href="https://shop.test/file">x</a>');
  });

  it('keeps every line of the message within 998 bytes', async () => {
    const message = lines(
      'From: shop@example.com',
      'Content-Type: text/html',
      '',
      `<p>${'x'.repeat(900)}<a href="https://shop.test/">y</a></p>`,
      '',
    );
    const { MessageId } = await harness.client.send(raw(message));
    const longest = Math.max(
      ...(await sourceOf(MessageId))
        .toString('latin1')
        .split('\r\n')
        .map((line) => line.length),
    );
    expect(longest).toBeLessThanOrEqual(998);
    expect(tracked(await htmlOf(MessageId))).toHaveLength(1);
  });

  it.each([
    ['mailto:', '<a href="mailto:help@shop.test">x</a>'],
    ['tel:', '<a href="tel:+3312345678">x</a>'],
    ['fragments', '<a href="#top">x</a>'],
    ['anchors without an address', '<a name="top">x</a>'],
    ['addresses that are not encoded', '<a href="https://shop.test/a b">x</a>'],
    ['links in comments', '<!-- <a href="https://shop.test/">x</a> -->'],
    ['links in scripts and styles', '<style>a[href="https://shop.test/"]{}</style>'],
    ['addresses of images', '<img src="https://shop.test/i.png">'],
  ])('does not track %s', async (_, markup) => {
    expect((await htmlOf(await sendHtml(markup))).startsWith(markup)).toBe(true);
  });

  it.each([
    '<a ses:no-track href="https://shop.test/u">x</a>',
    '<a href="https://shop.test/u" ses:no-track="true">x</a>',
    '<A SES:NO-TRACK=\'\' href="https://shop.test/u">x</A>',
  ])('does not track %s, and removes the attribute', async (markup) => {
    const rewritten = await htmlOf(await sendHtml(markup));
    expect(tracked(rewritten)).toEqual([]);
    expect(rewritten).toMatch(/^<a href="https:\/\/shop\.test\/u">x<\/a>/i);
  });

  it('replaces the first {{ses:openTracker}} by the pixel and removes the others', async () => {
    const markup = await htmlOf(await sendHtml('<p>{{ses:openTracker}}a{{ses:openTracker}}</p>'));
    expect(markup.trim()).toMatch(/^<p><img [^>]*>a<\/p>$/);
  });

  it('tracks no more than 250 links', async () => {
    const markup = Array.from({ length: 260 }, (_, index) => `<a href="https://shop.test/${index}">x</a>`).join('\n');
    expect(tracked(await htmlOf(await sendHtml(markup)))).toHaveLength(250);
  });

  it('is unchanged without HTML or without a configuration set', async () => {
    const { MessageId } = await harness.client.send(raw(plain));
    expect((await sourceOf(MessageId)).toString()).not.toContain('/I0/');
    expect((await htmlOf(await sendHtml(html, { ConfigurationSetName: undefined }))).trim()).toBe(html);
  });
});

describe('ConfigurationOverrides', () => {
  const overrides = (opens: 'ENABLED' | 'DISABLED', clicks: 'ENABLED' | 'DISABLED') => ({
    ConfigurationOverrides: { Tracking: { OpenTrackingEnabled: opens, ClickTrackingEnabled: clicks } },
  });
  const seen = async (...given: ['ENABLED' | 'DISABLED', 'ENABLED' | 'DISABLED']) => {
    const markup = await htmlOf(await sendHtml(html, overrides(...given)));
    return [pixel(markup) !== '', tracked(markup).length > 0];
  };

  it('switch opens and clicks separately', async () => {
    expect(await seen('DISABLED', 'DISABLED')).toEqual([false, false]);
    expect(await seen('ENABLED', 'DISABLED')).toEqual([true, false]);
    expect(await seen('DISABLED', 'ENABLED')).toEqual([false, true]);
  });

  it('enable tracking without a configuration set', async () => {
    const both = { ...overrides('ENABLED', 'ENABLED'), ConfigurationSetName: undefined };
    expect(tracked(await htmlOf(await sendHtml(html, both)))).toHaveLength(1);
  });
});

describe('hits', () => {
  it('on the pixel are Open events with address and user agent', async () => {
    const id = await sendHtml(html);
    const answer = await fetch(pixel(await htmlOf(id)), { headers: { 'User-Agent': 'MailReader/2' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/gif']);
    const [opened] = await harness.waitFor('Open', id);
    expect(opened.open).toMatchObject({ ipAddress: '127.0.0.1', userAgent: 'MailReader/2', isBotEvent: 'Unlikely' });
  });

  it('on a link redirect to the original URL, and are Click events with its tags', async () => {
    const id = await sendHtml('<a ses:tags="kind:book;genre:crime;" href="https://shop.test/a?x=1&amp;y=2">x</a>');
    const [link = ''] = tracked(await htmlOf(id));
    const answer = await fetch(link, { redirect: 'manual', headers: { 'User-Agent': 'Googlebot' } });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://shop.test/a?x=1&y=2']);
    const [clicked] = await harness.waitFor('Click', id);
    expect(clicked.click).toMatchObject({
      link: 'https://shop.test/a?x=1&y=2',
      linkTags: { kind: ['book'], genre: ['crime'] },
      ipAddress: '127.0.0.1',
      isBotEvent: 'Likely',
    });
  });

  it('on anything unknown are 404', async () => {
    const id = await sendHtml(html);
    const paths = [`/L0/${id}/9`, '/L0/0100-0/0', '/I0/0100-0'];
    const answers = await Promise.all(
      paths.map((path) => fetch(`${harness.ses.endpoint}${path}`, { redirect: 'manual' })),
    );
    expect(answers.map((answer) => answer.status)).toEqual([404, 404, 404]);
  });
});
