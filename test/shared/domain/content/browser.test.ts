import { type Browser, chromium } from 'playwright-core';
import type { Block } from '../../../../shared/domain/content/block.ts';
import { defaultData, personalData, substitute } from '../../../../shared/domain/content/messageTemplate.ts';
import { readContent } from '../../../../shared/domain/content/readContent.ts';
import { renderTemplate } from '../../../../shared/domain/content/render.ts';
import { chromiumPath, describeInChromium, findings } from '../../../pages/browser.ts';

const endless = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(4);
const link = `https://example.com/${'averylongpath'.repeat(12)}`;
const image = { type: 'image', src: 'https://example.com/i.png', alt: 'The workshop', width: 560 } as const;

/** Every kind of block, each with content that is wider than a phone. */
const blocks: Block[] = [
  { type: 'heading', level: 1, text: `Dear {{firstName|reader}}, ${endless}` },
  { type: 'paragraph', text: `Come: ${link}, [here](https://example.com/a) or [${endless}](https://example.com/b).` },
  { ...image, href: 'https://example.com/c' },
  { type: 'button', label: endless, href: 'https://example.com/d' },
  { type: 'divider' },
  { type: 'spacer', height: 24 },
  { type: 'quote', text: endless, by: endless, background: '#204030', align: 'center' },
  { type: 'code', text: link },
  { type: 'html', html: '<p>Hello</p>' },
  { type: 'social', links: ['https://instagram.com/acme'] },
  { type: 'menu', items: [{ label: 'Shop', href: 'https://example.com/' }] },
  { type: 'video', src: 'https://example.com/a.png', alt: 'How', href: 'https://example.com/' },
  {
    type: 'product',
    ...{ src: 'https://example.com/a.png', alt: 'Coat', title: endless, text: link },
    ...{ label: 'Buy', href: 'https://example.com/' },
  },
  { type: 'list', items: ['Pottery, **beginners**', endless] },
  {
    type: 'columns',
    columns: [
      [{ type: 'heading', level: 3, text: endless }, image],
      [{ type: 'paragraph', text: link }],
      [{ type: 'button', label: 'Reserve', href: 'https://example.com/e' }],
    ],
  },
];

function message(): string {
  const { blocks: read, problems } = readContent(blocks);
  expect(problems).toEqual([]);
  const template = renderTemplate({ subject: '', preheader: 'Soon', blocks: read }, frame);
  const person = { email: 'ada@example.net', firstName: endless, lastName: null, fields: {} };
  const personal = personalData(template, person, 'https://mail.example.com/unsubscribe/token');
  return substitute(template.html, { ...defaultData(template), ...personal });
}

const frame = { workspaceName: 'Acme', language: 'en' } as const;
const picture =
  '<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="400"><rect width="1200" height="400"/></svg>';

/** Runs in the page. */
const beyondTheEdge = `[...document.querySelectorAll('body *')]
  .filter((element) => element.getBoundingClientRect().right > window.innerWidth + 1)
  .map((element) => element.outerHTML.slice(0, 80))`;

describeInChromium('the message of a campaign', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());

  it.each([
    [320, 'light'],
    [320, 'dark'],
    [600, 'light'],
    [600, 'dark'],
  ] as const)('at %d px in %s fits, and can be read', async (width, colorScheme) => {
    const context = await browser.newContext({
      viewport: { width, height: 800 },
      colorScheme,
      javaScriptEnabled: true,
    });
    const page = await context.newPage();
    await page.route('https://example.com/**', (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: picture }),
    );
    await page.setContent(message(), { waitUntil: 'load' });
    expect(await page.evaluate(beyondTheEdge)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await findings(page, ['color-contrast', 'image-alt', 'link-name'])).toEqual([]);
    await context.close();
  });
});
