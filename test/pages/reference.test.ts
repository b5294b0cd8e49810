import { type Browser, chromium, type Page } from 'playwright-core';
import { routes } from '../../shared/contract/routes.ts';
import { languages, languageTags } from '../../shared/language/languages.ts';
import { html } from '../../shared/pages/html.ts';
import { markdown } from '../../shared/pages/reference/internal/markdown.ts';
import { field } from '../../shared/pages/reference/internal/operation.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { chromiumPath, describeInChromium, findings, watch } from './browser.ts';
import { PageDocument } from './documents.ts';

const chapters = [...new Set(routes.map(({ group }) => group))];
const pages = ['', ...chapters, 'events', 'objects'];
const pathOf = (language: string, slug: string) => `/reference/${language}${slug === '' ? '' : `/${slug}`}`;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function open(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.baseUrl}${path}`, { headers });
  return { response, page: new PageDocument(await response.text()) };
}

describe.each(languageTags)('the reference in %s', (language) => {
  it('shows every operation on the page of its chapter, whatever language the browser asks for', async () => {
    for (const slug of chapters) {
      const { response, page } = await open(pathOf(language, slug), { 'Accept-Language': 'fr' });
      expect([response.status, response.headers.get('Content-Language')]).toEqual([200, language]);
      expect(page.attribute('html', 'lang')).toEqual([language]);
      const expected = routes.filter(({ group }) => group === slug);
      expect(page.attribute('section', 'id').sort()).toEqual(expected.map(({ id }) => id).sort());
      for (const { summary } of expected) expect(page.text('h2')).toContain(summary[language]);
    }
  });

  it('has links only to anchors that exist, on every page', async () => {
    const sources = new Map<string, string>();
    for (const slug of pages)
      sources.set(`${service.baseUrl}${pathOf(language, slug)}`, (await open(pathOf(language, slug))).page.source);
    for (const [url, source] of sources) {
      const links = new PageDocument(source).attribute('a', 'href').map((href) => new URL(href ?? '', url));
      const dangling = links.filter(
        ({ origin, pathname, hash }) => hash && !sources.get(origin + pathname)?.includes(`id="${hash.slice(1)}"`),
      );
      expect(dangling.map(String)).toEqual([]);
      expect(links.length).toBeGreaterThan(30);
    }
  });

  it('shows the code of the receivers as code, with its indentation', async () => {
    const { page } = await open(pathOf(language, 'webhooks'));
    expect(page.text('h3')).toEqual(expect.arrayContaining(['Node', 'Python', 'PHP']));
    const code = page.text('pre');
    expect(code.some((text) => text.includes('\n  const '))).toBe(true);
    expect(page.text('p').filter((text) => text.includes('```') || text.startsWith('#'))).toEqual([]);
  });

  it('may be kept, is compressed, and is not sent again to a browser that has it', async () => {
    const { response } = await open(pathOf(language, 'emails'));
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=3600');
    expect(response.headers.get('Content-Encoding')).toBe('gzip');
    const again = await fetch(response.url, { headers: { 'If-None-Match': response.headers.get('ETag') ?? '' } });
    expect(again.status).toBe(304);
  });

  it('runs its one script, calls only this service, and takes nothing from anywhere else', async () => {
    const { response } = await open(pathOf(language, 'emails'));
    expect(response.headers.get('Content-Security-Policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; connect-src 'self'; img-src data:; /,
    );
  });

  it('answers 404 for a chapter that does not exist, with a link to the reference', async () => {
    const { response, page } = await open(pathOf(language, 'nothing'));
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([404, 'no-store']);
    expect(page.attribute('a', 'href')).toEqual([`${service.baseUrl}/reference/${language}`]);
  });

  it('offers to try what changes nothing, and no other call', async () => {
    const tried = new Set<string | undefined>();
    for (const slug of chapters) {
      const { page } = await open(pathOf(language, slug));
      for (const form of page.all('form').filter(({ attribs }) => attribs['data-call'])) {
        tried.add(
          `${form.attribs['data-method']} ${form.attribs['data-call']} ${form.attribs['data-body'] ?? ''}`.trim(),
        );
      }
    }
    const reading = routes.filter(({ method }) => method === 'GET').map(({ path }) => `GET ${path}`);
    const looking = ['audience.evaluate', 'segments.preview'].map((id) => {
      const route = routes.find((one) => one.id === id);
      return `POST ${route?.path} ${JSON.stringify(route?.request.example)}`;
    });
    const dryRun = 'POST /api/v1/campaigns/{id}/send {"dry_run":true}';
    expect([...tried].sort()).toEqual([...reading, ...looking, dryRun].sort());
  });
});

describe('the Markdown of the reference', () => {
  it('keeps fences apart from paragraphs, with their empty lines and hashes', () => {
    const text = markdown('Before.\n\n### Node\n\n```js\n# one\n\n  two\n```\n\nAfter.', 'en').toString();
    expect(text).toContain('<h3 id="node">Node</h3>');
    expect(text).toContain('<code># one\n\n  two</code>');
    expect(text).toMatch(/<p>Before\.<\/p>[\s\S]*<p>After\.<\/p>/);
  });

  it('is escaped, wherever it stands', () => {
    const evil = '<img src=x onerror=alert(1)>';
    const text = `## ${evil}\n\n### ${evil}\n\n\`\`\`\n${evil}\n\`\`\`\n\n${evil} \`${evil}\`\n\n| ${evil} |\n| --- |\n| ${evil} |`;
    expect(markdown(text, 'en').toString()).not.toContain('<img');
    const schema = {
      description: evil,
      enum: [evil],
      examples: [evil],
      pattern: evil,
      properties: { [evil]: { $ref: `#/a/b/${evil}` } },
    };
    process.env.PUBLIC_URL ??= 'https://mail.example.com';
    expect(field(html`x`, schema, { language: 'en', isRequired: true }).toString()).not.toContain('<img');
  });
});

describeInChromium('the reference in Chromium', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  it.each([
    ['en', ''],
    ['en', 'webhooks'],
    ['fr', 'emails'],
    ['fr', 'events'],
  ] as const)(
    'in %s, page “%s”, reads well for everybody on a phone and on a desk, in both schemes',
    async (language, slug) => {
      const { locale } = languages[language];
      const context = await browser.newContext({ locale, viewport: { width: 320, height: 640 } });
      const page = await context.newPage();
      const complaints = await watch(page, service.baseUrl);
      await page.goto(service.baseUrl + pathOf(language, slug));
      for (const [colorScheme, width] of [
        ['light', 320],
        ['dark', 1440],
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

  const inChapter = async (slug: string, work: (page: Page) => Promise<void>) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await context.newPage();
    const complaints = await watch(page, service.baseUrl);
    await page.goto(`${service.baseUrl}${pathOf('en', slug)}`);
    await work(page);
    expect(complaints).toEqual([]);
    await context.close();
  };

  it('finds operations of every chapter by the name of a field, and shows all again', () =>
    inChapter('domains', async (page) => {
      const visible = () => page.locator('nav li a:visible').allTextContents();
      const before = await visible();
      await page.fill('input[type=search]', 'idempotency-key');
      const named = routes.filter(({ request }) => 'idempotency-key' in (request.headers?.shape ?? {}));
      expect((await visible()).sort()).toEqual(named.map(({ summary }) => summary.en).sort());
      expect(await page.locator('[role=search] [role=status]').textContent()).toBe(`Found: ${named.length}`);
      await page.fill('input[type=search]', '');
      expect(await visible()).toEqual(before);
    }));

  it('copies an example in the language that was chosen, for the whole page', () =>
    inChapter('emails', async (page) => {
      await page.locator('label[for="code-emails.send-python"]').click();
      const code = page.locator('[id="emails.get"] .python code');
      expect(await code.isVisible()).toBe(true);
      await page.locator('[id="emails.get"] .python .copy').click();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await code.textContent());
    }));

  it('calls the service with a key that nothing keeps', () =>
    inChapter('emails', async (page) => {
      const form = page.locator('[id="emails.list"] .try');
      await form.locator('[data-key]').fill(service.apiKey);
      await form.locator('[data-query=limit]').fill('1');
      await form.locator('button[type=submit]').click();
      await form.locator('pre').waitFor();
      expect(await form.locator('[role=status]').textContent()).toMatch(/^200/);
      expect(JSON.parse((await form.locator('pre').textContent()) ?? '')).toMatchObject({ object: 'list' });
      // The other forms of the page have the key too.
      expect(await page.locator('[id="emails.get"] [data-key]').inputValue()).toBe(service.apiKey);
      const kept = await page.evaluate(
        'JSON.stringify([location.href, history.state, { ...localStorage }, { ...sessionStorage }, document.cookie])',
      );
      expect(kept).toBe(JSON.stringify([`${service.baseUrl}/reference/en/emails`, null, {}, {}, '']));
      await page.goto(`${service.baseUrl}/reference/en`);
      await page.goBack();
      expect(await page.locator('[id="emails.get"] [data-key]').inputValue()).toBe('');
      expect(service.logLines().some((line) => JSON.stringify(line).includes(service.apiKey))).toBe(false);
    }));

  it('shows a dry run of a campaign, whose body cannot be changed', () =>
    inChapter('campaigns', async (page) => {
      const form = page.locator('[id="campaigns.send"] .try');
      await form.locator('[data-key]').fill(service.apiKey);
      const request = page.waitForRequest((one) => one.method() === 'POST');
      await form.locator('button[type=submit]').click();
      expect((await request).postData()).toBe('{"dry_run":true}');
      await form.locator('pre').waitFor();
      expect(await form.locator('[role=status]').textContent()).toMatch(/^404/);
    }));
});

describeInChromium('the reference without scripts', () => {
  it('shows every example, and no button that would do nothing', async () => {
    const browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${service.baseUrl}/reference/en/emails`);
    await page.locator('label[for="code-emails.send-typescript"]').click();
    expect(await page.locator('[id="emails.send"] .typescript code').isVisible()).toBe(true);
    expect(await page.locator('button:visible').count()).toBe(0);
    expect(await page.locator('form:visible').count()).toBe(0);
    await browser.close();
  });
});
