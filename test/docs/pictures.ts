import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { call } from '../acceptance/client.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { signInLink } from '../console/visitor.ts';
import { chromiumPath } from '../pages/chromium.ts';

/** `npm run pictures`: renews the pictures of README from a service that has sent some mail. */
const folder = join(import.meta.dirname, '..', '..', 'docs', 'images');
const size = { width: 1000, height: 640 };
const maxBytes = 300 * 1024;

const people = ['Ada', 'Grace', 'Alan', 'Edsger', 'Barbara', 'Donald', 'Margaret', 'Tony', 'Radia', 'Ken', 'Frances'];
const subjects = [
  'Your order is on its way',
  'Your invoice for November',
  'Welcome to Acme',
  'Your password was changed',
];
const picked = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;

async function send(service: TestService, body: object): Promise<void> {
  const answer = await call(service, 'POST', '/api/v1/emails', { body });
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
}

async function sendSome(service: TestService): Promise<void> {
  const from = 'Acme <hello@example.com>';
  for (let index = 0; index < 42; index += 1) {
    const name = picked(people, index);
    const text = `Hello ${name},\n\nthank you for your order. It left our warehouse this morning.\n\nYour friends at Acme`;
    await send(service, { from, to: `${name.toLowerCase()}@example.net`, subject: picked(subjects, index), text });
  }
  const html = `<div style="font-family:sans-serif;max-width:520px"><h1 style="font-size:24px">Autumn is here</h1>
<p>Hello Ada, the new collection has arrived: warm colours, soft wool, and coats for rain.</p>
<p><a href="https://example.com/new" style="background:#8a1c6b;color:#fff;padding:12px 20px;text-decoration:none">
See what is new</a></p><p>Until soon,<br>your friends at Acme</p></div>`;
  await send(service, { from, to: 'ada@example.net', subject: 'Autumn is here', html, unsubscribe: true });
}

async function main(): Promise<void> {
  if (!chromiumPath) throw new Error('Install Chromium first (Debian: chromium-headless-shell), or set CHROMIUM.');
  mkdirSync(folder, { recursive: true });
  const service = await startService();
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
  let bytes = 0;
  try {
    await sendSome(service);
    for (const scheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: size, colorScheme: scheme, locale: 'en-GB' });
      const take = async (name: string) => {
        const path = join(folder, `${name}-${scheme}.png`);
        await page.screenshot({ path });
        bytes += statSync(path).size;
      };
      await page.goto(await signInLink(service));
      await page.click('button');
      await page.goto(`${service.baseUrl}/console/${service.workspaceId}/emails`);
      await take('console');
      await page.goto(service.inboxUrl);
      await page.click('text=Autumn is here');
      await take('inbox');
      await page.close();
    }
  } finally {
    await browser.close();
    await service.stop();
  }
  if (bytes > maxBytes) throw new Error(`The pictures have ${bytes} bytes; ${maxBytes} are the most.`);
}

await main();
