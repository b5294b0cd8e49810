import { readFile } from 'node:fs/promises';
import { type Browser, chromium } from 'playwright-core';
import { mcpEndpoint } from '../../shared/contract/endpoints.ts';
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

describe('documents for programs', () => {
  it('begin with llms.txt, in 10 kB, whose links lead to what they say', async () => {
    const answer = await fetch(`${service.baseUrl}/llms.txt`);
    const text = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=3600');
    expect(Buffer.byteLength(text)).toBeLessThan(10_000);
    expect(text).toContain(`${service.baseUrl}/api/mcp`);
    const links = [...text.matchAll(/\]\((.+?)\)/g)].map(([, url = '']) => url);
    expect(links.length).toBeGreaterThan(15);
    for (const link of links) {
      const { status } = await fetch(link);
      expect([link, status]).toEqual([link, link.endsWith('/console') ? 401 : 200]);
    }
  });

  it.each(['en', 'fr'])('have the reference in Markdown, whole and by chapter, in %s', async (language) => {
    const get = (path: string) => fetch(`${service.baseUrl}/reference/${path}`);
    const whole = await get(`${language}.md`);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(whole.headers.get('content-language')).toBe(language);
    const text = await whole.text();
    expect(text).toContain('`POST /api/v1/emails`');
    const chapter = await (await get(`${language}/emails.md`)).text();
    expect(text).toContain(chapter);
    expect(chapter.length).toBeLessThan(text.length / 3);
    for (const path of [`${language}/nothing.md`, `${language}/toString.md`, 'xx.md', '.md'])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  it('have a description for the registry of MCP servers, true to the contract', async () => {
    const file = await readFile(new URL('../../openapi/server.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
    const listed = JSON.parse(file);
    expect(listed.version).toBe(version);
    expect(listed.description.length).toBeLessThanOrEqual(100);
    expect(listed.remotes).toMatchObject([{ type: 'streamable-http', url: `https://{host}${mcpEndpoint.path}` }]);
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
