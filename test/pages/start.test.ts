import { type Browser, chromium } from 'playwright-core';
import { languages, languageTags } from '../../shared/language/languages.ts';
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
  it('says what this is and links to everything, and each link works', async () => {
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

describeInChromium('the start page in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  it.each(languageTags)(
    'in %s reads well for everybody on a phone and on a desk, in both schemes',
    async (language) => {
      const { locale } = languages[language];
      const context = await browser.newContext({ locale, viewport: { width: 320, height: 640 } });
      const page = await context.newPage();
      const complaints = await watch(page, service.baseUrl);
      await page.goto(`${service.baseUrl}/`);
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
});
