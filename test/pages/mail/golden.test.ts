import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Browser } from 'playwright-core';
import { PNG } from 'pngjs';
import { describeInChromium } from '../browser.ts';
import { goldenFolder, htmlOf, launchBrowser, samples, takePicture } from './pictures.ts';

/** Another release of Chromium draws the edges of letters a little differently. */
const maxShare = 0.004;

describeInChromium('each block of a message', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it.each(Object.entries(samples))('looks as in its golden picture: %s', async (name, sample) => {
    const golden = PNG.sync.read(readFileSync(join(goldenFolder, `${name}.png`)));
    const taken = await takePicture(browser, sample);
    const { width, height } = taken;
    const isSameSize = golden.width === width && golden.height === height;
    const differing = isSameSize ? pixelmatch(golden.data, taken.data, undefined, width, height) : width * height;
    const share = differing / (width * height);
    if (share <= maxShare) return;
    const file = join(mkdtempSync(join(tmpdir(), 'mail-')), `${name}.png`);
    writeFileSync(file, PNG.sync.write(taken));
    const sizes = isSameSize ? '' : ` (${golden.width} × ${golden.height} before, ${width} × ${height} now)`;
    throw new Error(
      `${(share * 100).toFixed(2)} % of the pixels differ${sizes}: ${file}. If this is meant: npm run pictures:mail`,
    );
  });
});

describe('the golden pictures', () => {
  it('are one for each block, and small', () => {
    const files = readdirSync(goldenFolder);
    expect(files.sort()).toEqual(
      Object.keys(samples)
        .map((name) => `${name}.png`)
        .sort(),
    );
    const large = files.filter((file) => readFileSync(join(goldenFolder, file)).length > 25_000);
    expect(large).toEqual(['message.png']);
  });
});

describe('a message with four of each block', () => {
  it('stays below the 102 kB after which Gmail clips', () => {
    const blocks = Object.values(samples).flatMap((sample) => sample.blocks);
    const html = htmlOf({ blocks: Array.from({ length: 4 }, () => blocks).flat(), isWhole: true });
    expect(Buffer.byteLength(html)).toBeLessThan(102_000);
  });
});
