import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { chromiumPath } from '../chromium.ts';
import { goldenFolder, launchBrowser, samples, takePicture } from './pictures.ts';

/** `npm run pictures:mail`: renews the pictures that the blocks of messages are compared with. */
async function main(): Promise<void> {
  if (!chromiumPath) throw new Error('Install Chromium first (Debian: chromium-headless-shell), or set CHROMIUM.');
  mkdirSync(goldenFolder, { recursive: true });
  for (const file of readdirSync(goldenFolder)) rmSync(join(goldenFolder, file));
  const browser = await launchBrowser();
  try {
    for (const [name, sample] of Object.entries(samples)) {
      const bytes = PNG.sync.write(await takePicture(browser, sample), { deflateLevel: 9, colorType: 2 });
      writeFileSync(join(goldenFolder, `${name}.png`), bytes);
      console.log(`${name}: ${Math.ceil(bytes.length / 1000)} kB`);
    }
  } finally {
    await browser.close();
  }
}

await main();
