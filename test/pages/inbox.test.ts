import { type Browser, chromium } from 'playwright-core';
import { languages, languageTags } from '../../shared/language/languages.ts';
import { call, eventually } from '../acceptance/client.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { chromiumPath, describeInChromium, findings, watch } from './browser.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

interface Entry {
  readonly id: number;
  readonly email_id: string;
  readonly status: string;
  readonly seen: boolean;
}

const send = async (to: string, subject: string) =>
  (
    await call(service, 'POST', '/api/v1/emails', {
      body: {
        from: 'Ada <hello@example.com>',
        to,
        subject,
        html: '<p style="display:grid">Bonjour, <a href="https://example.com/facture?id=1">voyez votre reçu</a>.</p>',
      },
    })
  ).body.id as string;

async function inbox(query: string): Promise<Entry[]> {
  const answer = await fetch(`${service.sesEndpoint}/_inbox/messages?${query}`);
  return ((await answer.json()) as { data: Entry[] }).data;
}

describe('the API of the inbox', () => {
  it('shows the id of the email, its status, and whether it was opened; deletes one', async () => {
    const to = 'seen@example.net';
    const emailId = await send(to, 'Seen');
    const entry = await eventually(async () => (await inbox(`to=${to}`)).find(({ status }) => status === 'Delivery'));
    expect(entry).toMatchObject({ email_id: emailId, seen: false });
    await fetch(`${service.inboxUrl}/messages/${entry.id}`);
    expect((await inbox(`to=${to}`))[0]?.seen).toBe(true);
    const one = `${service.sesEndpoint}/_inbox/messages/${entry.id}`;
    expect((await fetch(one, { method: 'DELETE' })).status).toBe(204);
    expect((await fetch(one, { method: 'DELETE' })).status).toBe(404);
    expect(await inbox(`to=${to}`)).toEqual([]);
  });

  it('finds words of sender, recipient, subject and text, however they are encoded', async () => {
    const emailId = await send('grace@example.net', 'Votre facture d’été');
    await send('bob@example.net', 'Rien');
    for (const words of ['GRACE@', 'd’été', 'facture']) {
      expect((await inbox(`q=${encodeURIComponent(words)}`)).map(({ email_id }) => email_id)).toEqual([emailId]);
    }
    expect(await inbox(`q=${encodeURIComponent('votre reçu')}`)).toHaveLength(2);
    expect(await inbox('q=ada')).toHaveLength(2);
    expect(await inbox('q=100%25')).toEqual([]);
  });
});

describeInChromium('the inbox in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  it.each(languageTags)('reads well for everybody (%s), and marks, lists and deletes', async (language) => {
    await send('ada@example.net', 'Reçu');
    const context = await browser.newContext({ locale: languages[language].locale });
    const page = await context.newPage();
    const complaints = await watch(page, service.sesEndpoint);
    const look = async () => {
      for (const [colorScheme, width] of [
        ['light', 320],
        ['dark', 1280],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        expect(await findings(page)).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(
          0,
        );
      }
    };
    await page.goto(service.inboxUrl);
    expect(await page.locator('.new').count()).toBeGreaterThan(0);
    await look();
    await page.locator('ul.messages a').first().click();
    await page.waitForSelector('ul.links');
    expect(await page.textContent('ul.links')).toContain('https://example.com/facture?id=1');
    expect(await page.textContent('table')).toContain('Reçu');
    expect(await page.textContent('main')).toContain('display:grid');
    await look();
    await page.click('[data-delete]');
    await page.waitForURL(service.inboxUrl);
    await page.click('[data-delete]');
    await eventually(async () => (await inbox('')).length === 0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
