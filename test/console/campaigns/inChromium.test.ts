import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { follow, subscribe } from '../../acceptance/campaigns/campaign.ts';
import { call, eventually } from '../../acceptance/client.ts';
import { inbox, received } from '../../acceptance/inbox.ts';
import { startService, type TestService } from '../../acceptance/service.ts';
import { chromiumPath, describeInChromium, findings, watch } from '../../pages/browser.ts';
import { operatorContext } from '../../shared/services/context.ts';
import { signInLink } from '../visitor.ts';
import { type Desk, hostile, idOf, newDesk, people } from './desk.ts';

let service: TestService;
let desk: Desk;

beforeAll(async () => {
  service = await startService();
  Object.assign(process.env, service.environment);
});
afterAll(() => service.stop());

describeInChromium('a campaign in the console, in Chromium', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  let readers: string[];

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    desk = await newDesk(service);
    const { workspace } = desk;
    const { renameWorkspace } = await import('../../../shared/services/workspaces/workspaces.ts');
    await renameWorkspace(operatorContext(workspace.workspaceId), { name: hostile });
    readers = people(2);
    await subscribe(
      desk.api,
      readers.map((email) => ({ email, firstName: 'Ada' })),
    );
    context = await browser.newContext({
      locale: 'en-GB',
      reducedMotion: 'reduce',
      timezoneId: 'Asia/Tokyo',
      viewport: { width: 1440, height: 900 },
    });
    page = await context.newPage();
    page.setDefaultTimeout(15_000);
    complaints = await watch(page, service.baseUrl);
    await page.goto(await signInLink(service, { role: 'editor', workspaceId: workspace.workspaceId }));
    await page.click('button');
    await page.waitForURL(`**/console/${desk.workspace.workspaceId}`);
  });
  afterEach(() => context?.close());

  const isSaved = () => eventually(async () => (await page.textContent('[data-status]'))?.startsWith('Saved · '));
  const kinds = () =>
    page.$$eval('[data-list] > .block', (blocks) => blocks.map((block) => block.getAttribute('data-kind')));
  const idShown = () => idOf(page.url());

  async function begin(): Promise<void> {
    await page.goto(`${service.baseUrl}${desk.place('/add')}`);
    await page.fill('#name', hostile);
    await page.fill('#subject', 'Autumn news');
    await page.click('main form button');
    await page.waitForURL('**/edit');
  }

  it('whose message is HTML is saved, undone and shown without a change of its HTML, which runs nothing', async () => {
    const html = '<p>Hello {{firstName|you}}</p><form action="https://example.com/"><button>Go</button></form>';
    const { id } = (await call(desk.api, 'POST', '/api/v1/campaigns', { body: { name: 'N', subject: 'S', html } }))
      .body;
    await page.goto(`${service.baseUrl}${desk.place(`/${id}/edit`)}`);
    await page.fill('#subject', 'Other');
    await isSaved();
    await eventually(async () => (await desk.shown(id)).subject === 'Other');
    await page.click('[data-undo]');
    await eventually(async () => (await desk.shown(id)).subject === 'S');
    expect((await desk.shown(id)).html).toBe(html);
    expect(await page.frameLocator('#preview iframe').locator('p').first().textContent()).toBe('Hello you');
    expect(complaints).toEqual([]);
  });

  it('is written, seen, checked, tested and sent by mouse, and read by its readers', async () => {
    await begin();
    await page.click('[data-adds=content] [data-add=heading]');
    await page.keyboard.type('Autumn is here');
    await page.click('[data-adds=content] [data-add=button]');
    await page.keyboard.type('Read on');
    await page.fill('[id="content[2].href"]', `https://${desk.workspace.domain}/autumn`);
    await page
      .locator('[id="content[1]"] .grip')
      .dragTo(page.locator('[id="content[0]"]'), { targetPosition: { x: 60, y: 5 } });
    expect(await kinds()).toEqual(['heading', 'paragraph', 'button']);
    await page.click('[id="content[1].text"]');
    await page.keyboard.press('End');
    await page.click('[id="content[1]"] [data-mark=merge]');
    await page.selectOption('#merge-which', 'fields');
    await page.fill('#merge-name', 'city');
    await page.fill('#merge-fallback', 'where you are');
    await page.click('dialog[open] button[value=insert]');
    // A dialog reports that it was closed a moment later.
    await page.waitForFunction(
      `document.getElementById('content[1].text').value === 'Hello {{firstName|there}},{{fields.city|where you are}}'`,
    );
    await isSaved();
    const frame = page.frameLocator('iframe');
    await eventually(
      async () =>
        (await frame
          .locator('h2')
          .textContent()
          .catch(() => '')) === 'Autumn is here',
    );
    await page.fill('#as', readers[0] ?? '');
    await page.click('[data-as]');
    await eventually(async () =>
      (
        await frame
          .locator('p')
          .first()
          .textContent()
          .catch(() => '')
      )?.startsWith('Hello Ada,'),
    );
    expect(await page.getAttribute('iframe', 'src')).not.toContain('people.example');
    await page.click('[data-view=plain]');
    await eventually(async () =>
      (
        await frame
          .locator('pre')
          .textContent()
          .catch(() => '')
      )?.includes('## Autumn is here'),
    );
    expect(await findings(page)).toEqual([]);

    await page.click('button[value=check]');
    await page.waitForURL('**/check');
    await eventually(async () => (await page.textContent('.say'))?.includes('Ready to send. Recipients: 2.'));
    await page.click('main .row >> text=Send a test');
    await page.fill('#to', 'tester@people.example');
    await page.click('main form button');
    expect((await received(service, 'tester@people.example')).message.subject).toBe('[Test] Autumn news');
    await page.click('main .row >> text=Send now');
    await page.waitForSelector('#typed');
    expect(await page.textContent('main button.danger')).toBe('Send now (2)');
    await page.fill('#typed', 'send');
    await page.dblclick('main form button.danger');
    await page.waitForURL('**?done=sending');
    const [reader = ''] = readers;
    const { mail } = await received(service, reader);
    expect([mail.subject, mail.text?.includes('Hello Ada,where you are')]).toEqual(['Autumn news', true]);
    await follow(desk.api, idShown(), ({ status }) => status === 'sent', 60);
    for (const email of readers) expect((await inbox(service, email)).length).toBe(1);
    // The page that the send led to follows it, and shows the report once it is over.
    await eventually(async () => (await page.textContent('.lead .tag')) === 'Sent');
    expect(await page.locator('[data-live]').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('shows its checks at once and its people when they are counted, and asks again when they were not', async () => {
    await begin();
    const counted = `**${desk.place('')}/*/check?count=yes`;
    await page.route(counted, (route) => route.abort());
    await page.goto(`${service.baseUrl}${desk.place(`/${idShown()}/check`)}`);
    expect(await page.textContent('.checks')).toContain('There is no preview text');
    const under = page.locator('main h2', { hasText: 'Warnings' });
    await page.waitForSelector('[data-failed]:not([hidden])');
    expect(await page.textContent('[data-failed]')).toBe('The recipients could not be counted.');
    const before = await under.boundingBox();
    await page.unroute(counted);
    await page.click('[data-retry] >> text=Try again');
    await eventually(async () => (await page.textContent('.say'))?.includes('Ready to send. Recipients: 2.'));
    expect(page.url()).not.toContain('count');
    expect((await under.boundingBox())?.y).toBe(before?.y);
    expect(complaints.filter((one) => !one.includes('net::ERR_FAILED'))).toEqual([]);
  });

  it('is written, undone, moved, saved and scheduled by keyboard alone', async () => {
    await begin();
    const focused = () => page.evaluate<string>('document.activeElement.id || document.activeElement.textContent');
    const tabTo = async (wanted: string) => {
      for (let presses = 0; presses < 80; presses += 1) {
        if ((await focused()) === wanted) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`No way to ${wanted}.`);
    };
    await tabTo('content[0].text');
    await page.keyboard.press('End');
    await page.keyboard.type(' good morning');
    await page.keyboard.press('Shift+Home');
    await page.keyboard.press('Control+b');
    expect(await page.inputValue('[id="content[0].text"]')).toBe('**Hello {{firstName|there}}, good morning**');
    await tabTo('List');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('content[1].items');
    await page.keyboard.type('one\ntwo');
    await page.keyboard.press('Alt+ArrowUp');
    expect(await kinds()).toEqual(['list', 'paragraph']);
    expect(await focused()).toBe('content[0].items');
    await page.keyboard.press('Control+z');
    expect(await kinds()).toEqual(['paragraph', 'list']);
    await page.keyboard.press('Control+Shift+z');
    expect(await kinds()).toEqual(['list', 'paragraph']);
    expect(await page.inputValue('[id="content[0].items"]')).toBe('one\ntwo');
    await page.keyboard.press('Control+s');
    await isSaved();
    await page.reload();
    expect(await kinds()).toEqual(['list', 'paragraph']);
    await tabTo('Check and send');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/check');
    await tabTo('Schedule');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/schedule');
    expect(await page.inputValue('#zone')).toBe('Asia/Tokyo');
    await tabTo('day');
    await page.keyboard.type('03032031');
    await tabTo('time');
    await page.keyboard.type('0915A');
    await page.keyboard.press('Enter');
    await page.waitForURL('**done=scheduled**');
    expect(await desk.shown(idShown())).toMatchObject({
      status: 'scheduled',
      scheduledAt: '2031-03-03T00:15:00.000Z',
    });
    const when = page.locator('main time[datetime="2031-03-03T00:15:00.000Z"]');
    expect([await when.textContent(), await when.getAttribute('title')]).toEqual([
      '3 Mar 2031, 09:15',
      'Monday, 3 March 2031 at 09:15:00 GMT+9 (2031-03-03T00:15:00.000Z)',
    ]);
    expect(complaints).toEqual([]);
  });

  it('loses nothing that was written when the network breaks, the session ends or another tab was quicker', async () => {
    await begin();
    const text = '[id="content[0].text"]';
    await context.setOffline(true);
    await page.fill(text, 'Written offline');
    await eventually(async () => (await page.textContent('[data-status]'))?.startsWith('The connection is lost.'));
    await context.setOffline(false);
    await isSaved();
    const cookies = await context.cookies();
    await context.clearCookies();
    await page.fill(text, 'Written signed out');
    await eventually(async () => (await page.textContent('[data-status]'))?.startsWith('Your session has ended.'));
    const again = await context.newPage();
    await page.close({ runBeforeUnload: false });
    await context.addCookies(cookies);
    await again.goto(
      `${service.baseUrl}${desk.place(`/${idOf((await call(desk.api, 'GET', '/api/v1/campaigns')).body.data[0].id)}/edit`)}`,
    );
    expect(await again.inputValue(text)).toBe('Written offline');
    await again.click('[data-backup] >> text=Restore');
    expect(await again.inputValue(text)).toBe('Written signed out');
    await eventually(async () => (await again.textContent('[data-status]'))?.startsWith('Saved · '));
    const other = await context.newPage();
    await other.goto(again.url());
    await other.fill(text, 'Quicker');
    await eventually(async () => (await other.textContent('[data-status]'))?.startsWith('Saved · '));
    await again.fill(text, 'Slower');
    await eventually(async () => (await again.textContent('[data-status]'))?.includes('Nothing was overwritten.'));
    expect(await again.inputValue(text)).toBe('Slower');
    await other.reload();
    expect(await other.inputValue(text)).toBe('Quicker');
  });

  it('is its own author’s also when an answer is lost, and offers what is kept to the variant that it is of', async () => {
    await begin();
    const text = '[id="content[0].text"]';
    await page.route(
      '**/edit/save',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.fill(text, 'Sent, and never answered');
    await eventually(async () => (await page.textContent('[data-status]'))?.startsWith('The connection is lost.'));
    await page.fill(text, 'Written since');
    await isSaved();
    // A button that goes elsewhere waits for what is being saved.
    await page.route('**/edit/save', async (route) => {
      const response = await route.fetch();
      await new Promise((resolve) => setTimeout(resolve, 500));
      await route.fulfill({ response });
    });
    await page.fill(text, 'The message of A');
    await Promise.all([page.waitForRequest('**/edit/save'), page.keyboard.press('Control+s')]);
    await page.click('button[value="variant:add"]');
    await page.waitForURL(/subject/);
    expect(await page.inputValue(text)).toBe('The message of A');
    await page.unroute('**/edit/save');
    await page.uncheck('[name=shared]');
    await page.fill(text, 'The message of A alone');
    await page.click('button[value="variant:show:1"]');
    await page.waitForURL(/variant=1/);
    expect([await page.isVisible('[data-backup]'), await page.inputValue(text)]).toEqual([false, 'The message of A']);
    await page.goBack();
    // What this browser kept until the button was pressed is what was saved by it.
    await page.reload();
    expect([await page.isVisible('[data-backup]'), await page.inputValue(text)]).toEqual([
      false,
      'The message of A alone',
    ]);
  });

  it('says of what could not be saved that it is not, and saves it when asked to', async () => {
    await begin();
    const other = await context.newPage();
    await other.goto(page.url());
    await other.fill('#subject', 'Quicker');
    await eventually(async () => (await other.textContent('[data-status]'))?.startsWith('Saved · '));
    await page.route('**/edit/save', (route) => route.abort());
    await page.fill('#subject', 'Slower');
    await page.click('button[value=check]');
    await page.waitForSelector('text=What you wrote is still in the form below.');
    // A click before the script is there would send the form, which is another way.
    await page.waitForLoadState('load');
    expect(await page.textContent('[data-status]')).toBe('Not saved yet');
    await page.unroute('**/edit/save');
    await page.click('button[value=save]');
    await eventually(async () => (await page.textContent('[data-status]'))?.includes('Nothing was overwritten.'));
    expect(await page.inputValue('#subject')).toBe('Slower');
  });
});
