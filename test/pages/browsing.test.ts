import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { call, eventually } from '../acceptance/client.ts';
import { operatorContext } from '../shared/services/context.ts';
import { chromiumPath, describeInChromium, watch } from './browser.ts';
import { startWorld, type World } from './world.ts';

let world: World;
let browser: Browser;
let context: BrowserContext;

const address = () => `person-${randomUUID()}@people.example`;
const heading = (page: Page) => page.textContent('main > h2');

async function statusOf(email: string): Promise<string> {
  const service = { ...world.service, apiKey: world.workspace.apiKey };
  return (await call(service, 'GET', `/api/v1/subscribers/${email}`)).body.status;
}

async function signUp(page: Page, email: string): Promise<void> {
  await page.fill('#email', email);
  await page.click('button');
  expect(await heading(page)).toBe('Check your inbox');
}

describeInChromium('a person with Chromium', () => {
  beforeAll(async () => {
    world = await startWorld();
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await world?.service.stop();
  });
  afterEach(() => context?.close());

  it('signs up, confirms, leaves by one click, comes back and stays, all without JavaScript', async () => {
    context = await browser.newContext({ locale: 'en-GB', javaScriptEnabled: false });
    const page = await context.newPage();
    const complaints = await watch(page, world.service.baseUrl);
    const email = address();

    await page.goto(world.formUrl);
    await page.fill('#firstName', 'Ada <script>alert(1)</script>');
    await signUp(page, email);

    await page.goto(await world.confirmationLink(email));
    expect(await statusOf(email)).toBe('pending');
    await page.click('button');
    expect(await heading(page)).toBe('Your subscription is confirmed');
    expect(await statusOf(email)).toBe('subscribed');

    const leave = await world.link('unsubscribe', { email });
    const oneClick = await fetch(leave, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect([oneClick.status, await statusOf(email)]).toEqual([200, 'unsubscribed']);

    await page.goto(leave);
    await page.click('button');
    await page.click('a.button');
    await signUp(page, email);
    await page.goto(await world.confirmationLink(email, 2));
    await page.click('button');
    expect(await heading(page)).toBe('Your subscription is confirmed');
    expect(await statusOf(email)).toBe('subscribed');
    expect(complaints).toEqual([]);
  });

  it('fills in the form with the keyboard alone, and never meets the trap', async () => {
    context = await browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(world.formUrl);
    const visited: string[] = [];
    for (let step = 0; step < 4; step += 1) {
      await page.keyboard.press('Tab');
      visited.push(await page.evaluate('document.activeElement.id || document.activeElement.tagName'));
    }
    expect(visited).toEqual(['email', 'firstName', 'lastName', 'BUTTON']);
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    expect(outline).toBe('solid');
    await page.focus('#email');
    await page.keyboard.type(address());
    await page.keyboard.press('Enter');
    await eventually(async () => (await heading(page)) === 'Check your inbox');
  });

  it('sees the form in a frame where the operator allows the origin, and there only', async () => {
    const [{ allowFormOrigin }, { forbidFormOrigin }] = await Promise.all([
      import('../../shared/services/signUpForm.ts'),
      import('../../shared/services/signUpForm.ts'),
    ]);
    const operator = operatorContext(world.workspace.workspaceId);
    const [allowed, stranger] = await Promise.all([siteThatFrames(), siteThatFrames()]);
    try {
      await allowFormOrigin(operator, allowed);
      context = await browser.newContext({ locale: 'en-GB' });
      const page = await context.newPage();

      const shown = await framed(page, allowed.origin, world.formUrl);
      await shown?.fill('#email', address());
      await shown?.click('button');
      await eventually(async () => (await shown?.textContent('main > h2')) === 'Check your inbox');

      expect(await framed(page, stranger.origin, world.formUrl)).toBeNull();
      const link = await world.link('unsubscribe', { email: address() });
      expect(await framed(page, allowed.origin, link)).toBeNull();
      await forbidFormOrigin(operator, allowed);
      expect(await framed(page, allowed.origin, world.formUrl)).toBeNull();
    } finally {
      await Promise.all([allowed.stop(), stranger.stop()]);
    }
  });

  it('refuses what an attacker might have written into a page', async () => {
    context = await browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(world.formUrl);
    await page.evaluate(`(() => {
      window.refused = [];
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => refused.push(effectiveDirective));
      const add = (markup) => document.body.insertAdjacentHTML('beforeend', markup);
      add('<img src="https://elsewhere.example/x.png"><p style="color: red">x</p><style>p { color: red }</style>');
      add('<iframe src="https://elsewhere.example/"></iframe><button onclick="window.ran = true" id="bait">x</button>');
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.body.append(script);
      document.getElementById('bait').click();
    })()`);
    const expected = ['frame-src', 'img-src', 'script-src-attr', 'script-src-elem', 'style-src-attr', 'style-src-elem'];
    const refused = () => page.evaluate<string[]>('[...new Set(window.refused)].sort()');
    await eventually(async () => (await refused()).length >= expected.length);
    expect(await refused()).toEqual(expected);
    expect(await page.evaluate('window.ran')).toBeUndefined();
  });
});

/** Somebody else's site: it shows whatever `?frame=` says in a frame. */
async function siteThatFrames(): Promise<{ origin: string; stop(): Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const target = new URL(request.url ?? '/', 'http://site').searchParams.get('frame') ?? '';
    response.setHeader('Content-Type', 'text/html');
    response.end(
      `<!doctype html><title>Site</title><iframe name="shown" src="${target}" width="400" height="700"></iframe>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: () => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()),
  };
}

/** The frame with our page in it, null when the browser refused to show it. */
async function framed(page: Page, site: string, target: string) {
  await page.goto(`${site}/?frame=${encodeURIComponent(target)}`, { waitUntil: 'load' });
  const frame = page.frame('shown');
  return frame && (await frame.$('main')) ? frame : null;
}
