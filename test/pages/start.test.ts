import { type Browser, chromium } from 'playwright-core';
import { routes } from '../../shared/contract/routes.ts';
import { languages, languageTags } from '../../shared/language/languages.ts';
import { html } from '../../shared/pages/html.ts';
import { markdown } from '../../shared/pages/reference/markdown.ts';
import { field } from '../../shared/pages/reference/schema.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { chromiumPath, describeInChromium, findings, watch } from './browser.ts';
import { PageDocument } from './documents.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function open(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.baseUrl}${path}`, { headers });
  return { response, page: new PageDocument(await response.text()) };
}

describe('GET /', () => {
  it('tells what this is and where everything is, and each place is there', async () => {
    const { response, page } = await open('/', { 'Accept-Language': 'fr' });
    expect([response.status, page.attribute('html', 'lang')]).toEqual([200, ['fr']]);
    const places = page.attribute('a', 'href') as string[];
    expect(places).toEqual([
      `${service.baseUrl}/api/v1`,
      ...languageTags.map((tag) => `${service.baseUrl}/reference/${tag}`),
      ...languageTags.map((tag) => `${service.baseUrl}/api/v1/openapi.${tag}.json`),
      `${service.baseUrl}/console`,
      service.inboxUrl,
      `${service.baseUrl}/health`,
    ]);
    expect(page.text('dd')).toContain(`${service.baseUrl}/api/mcp`);
    for (const place of places) {
      const expected = place.endsWith('/console') ? 401 : 200;
      expect([place, (await fetch(place)).status]).toEqual([place, expected]);
    }
  });

  it('is shown by no other method, and a 404 beside it names the map', async () => {
    expect((await fetch(service.baseUrl, { method: 'POST' })).status).toBe(405);
    const { message } = (await (await fetch(`${service.baseUrl}/nothing`)).json()) as { message: string };
    expect(message).toBe('There is nothing at this path. GET /api/v1 is the map of the API.');
  });

  it('comes with no complaint about an icon', async () => {
    const icon = await fetch(`${service.baseUrl}/favicon.ico`);
    expect([icon.status, await icon.text()]).toEqual([204, '']);
  });
});

describe('GET /health', () => {
  it('answers 200 while the table answers, and 503 when it does not', async () => {
    const well = await fetch(`${service.baseUrl}/health`);
    expect([well.status, await well.json()]).toEqual([200, { status: 'ok' }]);
    const { handler } = await import('../../functions/pages/health.ts');
    process.env.TABLE_NAME = 'mailroom';
    process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://127.0.0.1:1';
    process.env.AWS_REGION = 'us-east-1';
    const ill = await handler(
      { requestContext: { requestId: 'request-1' } } as Parameters<typeof handler>[0],
      { awsRequestId: 'function-1', getRemainingTimeInMillis: () => 10_000 } as Parameters<typeof handler>[1],
    );
    expect([ill.statusCode, ill.body]).toEqual([503, '{"status":"unavailable"}']);
  });
});

describe.each(languageTags)('GET /reference/%s', (language) => {
  it('shows every operation, whatever language the browser asks for', async () => {
    const { response, page } = await open(`/reference/${language}`, { 'Accept-Language': 'fr' });
    expect([response.status, response.headers.get('Content-Language')]).toEqual([200, language]);
    expect(page.attribute('html', 'lang')).toEqual([language]);
    const shown = new Set(page.attribute('section', 'id'));
    expect(routes.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
    for (const { summary } of routes) expect(page.text('h3')).toContain(summary[language]);
    const anchors = page.attribute('a', 'href').filter((href) => href?.startsWith('#') && href !== '#reference');
    expect(anchors.filter((href) => !page.source.includes(`id="${href?.slice(1)}"`))).toEqual([]);
  });

  it('runs its one script and takes nothing from anywhere', async () => {
    const { response } = await open(`/reference/${language}`);
    expect(response.headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src data:; /,
    );
    expect(response.headers.get('Content-Encoding')).toBe('gzip');
  });
});

describe('what the reference is made of', () => {
  it('is escaped, wherever it stands', () => {
    const evil = '<img src=x onerror=alert(1)>';
    expect(markdown(`## ${evil}\n\n${evil} \`${evil}\`\n\n| ${evil} |\n| --- |\n| ${evil} |`).toString()).not.toContain(
      '<img',
    );
    const schema = {
      description: evil,
      enum: [evil],
      examples: [evil],
      pattern: evil,
      properties: { [evil]: { $ref: `#/a/b/${evil}` } },
    };
    expect(field(html`x`, schema, { language: 'en', isRequired: true }).toString()).not.toContain('<img');
  });
});

describeInChromium('the start page and the reference in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  it.each(languageTags.flatMap((language) => ['/', `/reference/${language}`].map((path) => [path, language] as const)))(
    '%s (%s) reads well for everybody on a phone and on a desk, in both schemes',
    async (path, language) => {
      const { locale } = languages[language];
      const context = await browser.newContext({ locale, viewport: { width: 320, height: 640 } });
      const page = await context.newPage();
      const complaints = await watch(page, service.baseUrl);
      await page.goto(service.baseUrl + path);
      // All sections are made alike, and axe takes minutes for all of them.
      await page.evaluate("document.querySelectorAll('section').forEach((one, index) => index % 12 && one.remove())");
      for (const [colorScheme, width] of [
        ['light', 320],
        ['dark', 1280],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        expect(await findings(page)).toEqual([]);
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        expect(overflow).toBe(0);
      }
      expect(complaints).toEqual([]);
      await context.close();
    },
  );

  it('finds what is looked for, and shows all again', async () => {
    const page = await browser.newPage();
    await page.goto(`${service.baseUrl}/reference/en`);
    const visible = () => page.locator('section:visible').count();
    const all = await visible();
    await page.fill('input[type=search]', 'idempotency-key');
    expect(await page.locator('section:visible').first().getAttribute('id')).toBe('emails.send');
    const some = await visible();
    expect(some).toBeLessThan(all / 2);
    expect(await page.textContent('[role=status]')).toBe(`Found: ${some}`);
    await page.fill('input[type=search]', '');
    expect(await visible()).toBe(all);
    await page.close();
  });
});
