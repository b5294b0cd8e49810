import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { PNG } from 'pngjs';
import type { Block } from '../../../shared/domain/content/block.ts';
import { defaultData, substitute } from '../../../shared/domain/content/messageTemplate.ts';
import { readContent } from '../../../shared/domain/content/readContent.ts';
import { type RenderOptions, renderTemplate } from '../../../shared/domain/content/render.ts';
import { chromiumPath } from '../chromium.ts';

export const goldenFolder = join(import.meta.dirname, '..', '..', 'fixtures', 'mail');

/** A message that a picture is taken of. */
export interface Sample {
  readonly blocks: readonly Block[];
  readonly options?: Partial<RenderOptions>;
  /** The whole message with its footer, and not the blocks alone. */
  readonly isWhole?: boolean;
}

const src = 'https://example.com/picture.svg';
const text = 'Warm, **soft**, and [coats](https://example.com/coats).';

const brand = {
  accent: '#8a1c6b',
  background: '#f6eef3',
  text: '#2b1a26',
  align: 'center',
  width: 520,
  ...{
    logoUrl: src,
    logoWidth: 120,
    name: 'Acme Ltd',
    address: '1 Main Street',
    links: ['https://instagram.com/acme'],
  },
} as const;

/** One for each type of block, by its name. */
const blockSamples = {
  heading: {
    blocks: ([1, 2, 3, 4, 5, 6] as const).map((level) => ({ type: 'heading', level, text: `Rank ${level}` })),
  },
  paragraph: { blocks: [{ type: 'paragraph', text: `${text}\nA *second* line.` }] },
  image: {
    blocks: [
      { type: 'image', src, alt: 'A forest' },
      { type: 'image', src, alt: 'A forest', width: 120 },
    ],
  },
  button: { blocks: [{ type: 'button', label: 'See what is new', href: 'https://example.com/' }] },
  divider: {
    blocks: [{ type: 'paragraph', text: 'Above' }, { type: 'divider' }, { type: 'paragraph', text: 'Below' }],
  },
  list: {
    blocks: [
      { type: 'list', items: ['Wool', text] },
      { type: 'list', ordered: true, items: ['First', 'Second'] },
    ],
  },
  spacer: {
    blocks: [
      { type: 'paragraph', text: 'Above' },
      { type: 'spacer', height: 40 },
      { type: 'paragraph', text: 'Below' },
    ],
  },
  social: { blocks: [{ type: 'social', links: ['https://instagram.com/a', 'https://a.example'], align: 'center' }] },
  quote: {
    blocks: [
      { type: 'quote', text: 'Warm and *dry*.', by: 'Ada' },
      { type: 'quote', text: 'In colour.', background: '#204030' },
    ],
  },
  code: { blocks: [{ type: 'code', text: 'npm start\n  {{kept}} <b>' }] },
  html: { blocks: [{ type: 'html', html: '<p>Hi <b>{{firstName|you}}</b></p><ul><li>One</li></ul>' }] },
  menu: {
    blocks: [
      {
        type: 'menu',
        items: [
          { label: 'Coats', href: 'https://example.com/1' },
          { label: 'Wool', href: 'https://example.com/2' },
        ],
        align: 'right',
      },
    ],
  },
  video: { blocks: [{ type: 'video', src, alt: 'How it is made', href: 'https://example.com/' }] },
  product: {
    blocks: [
      {
        type: 'columns',
        columns: ['Coat', 'Scarf'].map((title) => [
          { type: 'product', src, alt: title, title, text: 'Of wool', label: 'Buy', href: 'https://example.com/' },
        ]),
      },
    ],
  },
  columns: {
    blocks: [
      {
        type: 'columns',
        columns: [
          [{ type: 'image', src, alt: '' }],
          [
            { type: 'heading', level: 3, text: 'Coats' },
            { type: 'paragraph', text: 'For rain.' },
          ],
        ],
      },
      { type: 'image', src, alt: '' },
      { type: 'columns', columns: [1, 2, 3].map(() => [{ type: 'image', src, alt: '' }]) },
    ],
  },
} satisfies Readonly<Record<Block['type'], Sample>>;

export const samples: Readonly<Record<string, Sample>> = {
  ...blockSamples,
  message: {
    blocks: [
      ...blockSamples.heading.blocks.slice(0, 1),
      ...blockSamples.paragraph.blocks,
      ...blockSamples.button.blocks,
    ],
    options: { brand },
    isWhole: true,
  },
};

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="800" height="200"><rect width="800" height="200" fill="#3d7a5c"/><rect x="60" y="60" width="680" height="80" fill="#e4c26b"/></svg>';

/**
 * The same font on every machine, from a package: the width of each line, and with it the height of a message, depends
 * on it.
 */
const font = ['400', '700'].map((weight) => {
  const file = `@fontsource/inter/files/inter-latin-${weight}-normal.woff2`;
  const bytes = readFileSync(createRequire(import.meta.url).resolve(file)).toString('base64');
  return `@font-face { font-family: Golden; font-weight: ${weight}; src: url(data:font/woff2;base64,${bytes}) }`;
});

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath ?? '',
    // Text is drawn without what differs by machine: hinting, colours of subpixels.
    args: ['--no-sandbox', '--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'],
  });

/** The HTML of a sample, without a footer unless it is whole. */
export function htmlOf({ blocks, options = {}, isWhole = false }: Sample): string {
  const { blocks: read, problems } = readContent(blocks);
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  const frame = { workspaceName: 'Acme', language: 'en', toSubscribers: isWhole, ...options } as const;
  const template = renderTemplate({ subject: '', preheader: null, blocks: read }, frame);
  return substitute(template.html, defaultData(template));
}

/** A sample in 600 pixels and below in 390, light at the left and dark at the right. */
export async function takePicture(browser: Browser, sample: Sample): Promise<PNG> {
  const page = await browser.newPage();
  try {
    await page.route('https://example.com/**', (route) => route.fulfill({ contentType: 'image/svg+xml', body: svg }));
    const html = htmlOf(sample)
      .replaceAll(/font-family:[^;"]+/g, 'font-family:Golden')
      .replace('</head>', `<style>${font.join('\n')}</style></head>`);
    await page.setContent(html, { waitUntil: 'load' });
    await page.evaluate('document.fonts.ready');
    const target = page.locator(sample.isWhole ? 'body' : '.sheet');
    const taken: PNG[] = [];
    for (const width of [600, 390]) {
      await page.setViewportSize({ width, height: 400 });
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        taken.push(PNG.sync.read(await target.screenshot()));
      }
    }
    return sheetOf(taken);
  } finally {
    await page.close();
  }
}

function sheetOf([wideLight, wideDark, narrowLight, narrowDark]: readonly PNG[]): PNG {
  if (!wideLight || !wideDark || !narrowLight || !narrowDark) throw new Error('A picture is missing.');
  const sheet = new PNG({ width: wideLight.width * 2, height: wideLight.height + narrowLight.height });
  sheet.data.fill(255);
  const put = (one: PNG, x: number, y: number) => PNG.bitblt(one, sheet, 0, 0, one.width, one.height, x, y);
  put(wideLight, 0, 0);
  put(wideDark, wideLight.width, 0);
  put(narrowLight, 0, wideLight.height);
  put(narrowDark, narrowLight.width, wideLight.height);
  // 16 shades of each colour: a third of the bytes, and nothing that the eye misses.
  for (let at = 0; at < sheet.data.length; at += 1) sheet.data[at] = Math.round((sheet.data[at] ?? 0) / 17) * 17;
  return sheet;
}
