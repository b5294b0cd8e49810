import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { languages, languageTags } from '../../shared/language/languages.ts';
import { chromiumPath, colourRules, describeInChromium, findings, watch } from './browser.ts';
import { states } from './states.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let browser: Browser;

describeInChromium('the pages in Chromium', () => {
  beforeAll(async () => {
    world = await startWorld();
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  });

  afterAll(async () => {
    await browser?.close();
    await world?.service.stop();
  });

  it('would fail for what is wrong with them, by all rules or by those of colours', async () => {
    const page = await browser.newPage();
    const pale = '<p style="color: #ccc; background: #fff">Pale</p>';
    await page.setContent(
      `<html lang="en"><title>Page</title><main><h1>Page</h1><img src="data:,">${pale}</main></html>`,
    );
    expect(await findings(page)).toEqual([`color-contrast: ${pale}`, 'image-alt: <img src="data:,">']);
    expect(await findings(page, colourRules)).toEqual([`color-contrast: ${pale}`]);
    await page.close();
  });

  describe.each(languageTags)('%s', (language) => {
    const { locale } = languages[language];
    let context: BrowserContext;
    let page: Page;
    let complaints: string[];

    /** One for all: a browser starts processes for every new one, which is most of what such a test takes. */
    beforeAll(async () => {
      context = await browser.newContext({ locale, viewport: { width: 320, height: 640 } });
      page = await context.newPage();
      complaints = await watch(page, world.service.baseUrl);
    });
    beforeEach(async () => {
      complaints.length = 0;
      await page.emulateMedia({ colorScheme: 'light' });
    });
    afterAll(() => context?.close());

    it.each(states)(
      '$name: reads well for everybody, fits a phone, and keeps to itself',
      async ({ name, title, reach }) => {
        await reach(page, world);
        expect(await page.textContent('main > :is(h1, h2)')).toBe(title[language]);
        expect(await page.getAttribute('html', 'lang')).toBe(language);
        await keepPicture(page, `${name} ${language} light`);
        expect(await findings(page)).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        await keepPicture(page, `${name} ${language} dark`);
        expect(await findings(page, colourRules)).toEqual([]);
        expect(await overflow(page)).toBe(0);
        // Text at twice its size (WCAG 2.2, 1.4.4), still without scrolling sideways.
        await page.evaluate("document.documentElement.style.fontSize = '200%'");
        expect(await overflow(page)).toBe(0);
        expect(await context.cookies()).toEqual([]);
        expect(complaints).toEqual([]);
      },
    );
  });
});

const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** For whoever wants to look: PICTURES=folder keeps every state as an image. */
async function keepPicture(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  const file = name.replace(/[^a-z]+/gi, '-');
  await page.screenshot({ path: `${process.env.PICTURES}/${file}.png`, fullPage: true });
}
