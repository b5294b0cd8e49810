import AxeBuilder from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { follow, subscribe } from '../acceptance/campaigns/campaign.ts';
import { call, eventually } from '../acceptance/client.ts';
import { inbox, received } from '../acceptance/inbox.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { newWorkspace, type TestWorkspace } from '../acceptance/workspace.ts';
import { chromiumPath, describeInChromium, watch } from '../pages/browser.ts';
import { operatorContext } from '../shared/services/context.ts';
import { signInLink, type Visitor, visitorOf } from './visitor.ts';

const hostile = '<img src=x onerror="document.title=`ran`">';

let service: TestService;
let workspace: TestWorkspace;
let editor: Visitor;

const place = (path = '') => `/console/${workspace.workspaceId}/campaigns${path}`;
const api = () => ({ ...service, apiKey: workspace.apiKey });
const idOf = (location: string | null) => /camp_\w+/.exec(location ?? '')?.[0] ?? '';

const people = (count: number) =>
  Array.from({ length: count }, (_, index) => `p${index}-${Math.random().toString(36).slice(2, 8)}@people.example`);

async function fresh(): Promise<void> {
  workspace = await newWorkspace(service);
  editor = await visitorOf(service, { role: 'editor', name: 'Grace' });
}

/** Posts a form of a page with the token and the hidden fields that the page gave it. */
async function post(path: string, fields: Record<string, string>, action = path) {
  const { text } = await editor.get(path);
  const hidden = [...text.matchAll(/<input type="hidden" name="(form_token|revision|count|once)" value="([^"]*)"/g)];
  const given = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
  return editor.post(action, { ...given, ...fields });
}

/** What the editor's form sends of a message of one paragraph. */
const formOf = (over: Record<string, string> = {}) => ({
  name: 'News',
  subject: 'Hello',
  from: `hello@${workspace.domain}`,
  shared: 'yes',
  'content[0].type': 'paragraph',
  'content[0].text': 'News of {{firstName|you}}.',
  do: 'save',
  ...over,
});

async function begun(): Promise<string> {
  const { headers } = await post(place('/add'), { name: 'News', subject: 'Hello' });
  return idOf(headers.get('location'));
}

const shown = async (id: string) => (await call(api(), 'GET', `/api/v1/campaigns/${id}`)).body;

beforeAll(async () => {
  service = await startService();
  Object.assign(process.env, service.environment);
});
afterAll(() => service.stop());

describe('a campaign in the console, without a script', () => {
  beforeEach(fresh);

  it('is begun, written block by block, and saved with what each button does', async () => {
    const id = await begun();
    const page = place(`/${id}/edit`);
    const added = await post(page, formOf({ do: 'add:image:content' }));
    expect(added.headers.get('location')).toBe(`${page}#content%5B1%5D`);
    const image = {
      'content[1].type': 'image',
      'content[1].src': 'https://example.com/a.png',
      'content[1].alt': hostile,
    };
    await post(page, formOf({ ...image, do: 'up:content[1]' }));
    const { text } = await editor.get(page);
    expect(text).toMatch(/name="content\[0\]\.type" value="image"/);
    expect(text).not.toContain(hostile);
    expect((await editor.get(place(`/${id}/message`))).text).toContain('https://example.com/a.png');
  });

  it('begins with a template', async () => {
    const content = [{ type: 'heading', level: 1, text: 'From the template' }];
    const template = await call(api(), 'POST', '/api/v1/templates', {
      body: { name: 'Base', subject: 'Its subject', content },
    });
    const { headers } = await post(place('/add'), { name: 'News', subject: '', template: template.body.id });
    expect((await editor.get(headers.get('location') ?? '')).text).toContain('From the template');
  });

  it('is overwritten by no other tab, and what could not be saved stands in the form', async () => {
    const id = await begun();
    const page = place(`/${id}/edit`);
    const token = await editor.formToken(page);
    const first = await editor.post(page, { form_token: token, revision: '0', ...formOf({ subject: 'First' }) });
    const second = await editor.post(page, { form_token: token, revision: '0', ...formOf({ subject: 'Second <b>' }) });
    expect([first.status, second.status]).toEqual([303, 409]);
    expect(second.text).toContain('Second &lt;b&gt;');
    expect((await shown(id)).subject).toBe('First');
  });

  it('is saved as it is written, told what is missing, and saved once though the answer was lost', async () => {
    const id = await begun();
    const form_token = await editor.formToken(place(`/${id}/edit`));
    const save = async (revision: number, fields: Record<string, string>) => {
      const { text } = await editor.post(place(`/${id}/edit/save`), {
        form_token,
        revision: String(revision),
        ...fields,
      });
      return JSON.parse(text);
    };
    const half = formOf({
      subject: '',
      'content[1].type': 'button',
      'content[1].label': 'Go',
      'content[1].href': 'htt',
    });
    const saved = await save(0, half);
    expect(saved).toMatchObject({ outcome: 'saved', revision: 1 });
    expect(saved.issues.map(({ name }: { name: string }) => name)).toEqual(['subject', 'content[1].href']);
    expect(await save(0, half)).toMatchObject({ outcome: 'saved', revision: 1 });
    expect(await save(0, formOf())).toMatchObject({ outcome: 'overtaken' });
    expect(await save(1, formOf({ name: 'x'.repeat(201) }))).toMatchObject({
      outcome: 'refused',
      issues: [{ name: 'name', text: 'must have at most 200 characters' }],
    });
  });

  it('goes out by no door while something is missing, and each says what', async () => {
    const id = await begun();
    await post(place(`/${id}/edit`), formOf({ 'content[0].text': '{{nobody}}', preheader: 'x' }));
    const refused = await call(api(), 'POST', `/api/v1/campaigns/${id}/send`);
    expect([refused.status, refused.body.error.code]).toEqual([422, 'validation_error']);
    expect(refused.body.error.details.issues[0].path).toBe('content[0].text');
    const dry = await call(api(), 'POST', `/api/v1/campaigns/${id}/send`, { body: { dry_run: true } });
    expect(dry.body).toMatchObject({ would_send: false, blocked_reason: expect.stringContaining('{{nobody}}') });
    const { text } = await editor.get(place(`/${id}/check`));
    expect(text).toContain('It cannot go out yet.');
    expect(text).toContain(`${place(`/${id}/edit`)}?check=yes#content%5B0%5D.text`);
    expect((await editor.get(`${place(`/${id}/edit`)}?check=yes`)).text).toContain('id="content[0].text-problem"');
    expect((await editor.get(place(`/${id}/send`))).headers.get('location')).toBe(place(`/${id}/check`));
  });

  it('may be looked at by a viewer, who changes, tests and sends nothing', async () => {
    const id = await begun();
    const viewer = await visitorOf(service, { role: 'viewer' });
    expect((await viewer.get(place(`/${id}/edit`))).headers.get('location')).toBe(place(`/${id}`));
    expect((await viewer.get(place(`/${id}/check`))).text).not.toMatch(/\/(edit|test|send|schedule)"/);
    const form_token = await viewer.formToken(place(`/${id}`));
    const fields = { form_token, revision: '0', to: 'ada@people.example', typed: 'send', count: '0' };
    for (const path of ['edit', 'edit/save', 'test']) {
      const { text } = await viewer.post(place(`/${id}/${path}`), { ...formOf(), ...fields });
      expect([path, text]).toEqual([path, expect.stringContaining('this takes an editor or an owner')]);
    }
    expect((await shown(id)).subject).toBe('Hello');
  });

  it('is one entry of the audit log for what is written in one go', async () => {
    const id = await begun();
    for (const subject of ['One', 'Two', 'Three']) await post(place(`/${id}/edit`), formOf({ subject }));
    const { listAudit } = await import('../../shared/services/operators/listAudit.ts');
    const { entries } = await listAudit(operatorContext(), { workspaceId: workspace.workspaceId, limit: 20 });
    expect(entries.filter(({ action }) => action === 'campaign.edit')).toMatchObject([
      { by: 'Grace', subject: id, outcome: 'done' },
    ]);
  });

  it('sends a test to each address once, however often the form is sent, marked and apart from the campaign', async () => {
    const id = await begun();
    const [one = '', two = ''] = people(2);
    const page = place(`/${id}/test`);
    const { text } = await editor.get(page);
    const [, once = ''] = /name="once" value="([^"]+)"/.exec(text) ?? [];
    const form_token = await editor.formToken(page);
    const fields = { form_token, once, to: `${one}\n${two}, ${one}` };
    const answers = await Promise.all([editor.post(page, fields), editor.post(page, fields)]);
    expect((await editor.post(page, fields)).status).toBe(303);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect((await received(service, two)).message.subject).toBe('[Test] Hello');
    expect((await inbox(service, one)).length).toBe(1);
    expect(await shown(id)).toMatchObject({ status: 'draft', progress: null });
    const wrong = await post(page, { to: 'nobody\nada@' });
    expect(wrong.text).toContain('&quot;nobody&quot; is not an address; &quot;ada@&quot; is not an address');
  });

  it('shows who would get it and who would not, with the reason', async () => {
    const [ada = '', bob = ''] = people(2);
    await subscribe(api(), [ada, bob]);
    await call(api(), 'POST', '/api/v1/suppression', { body: { email: bob } });
    const id = await begun();
    const { text } = await editor.get(place(`/${id}/audience`));
    expect(text).toMatch(/<dd>1<\/dd>/);
    expect(text).toMatch(new RegExp(`${ada}.*?Gets it`, 's'));
    expect(text).toMatch(new RegExp(`${bob}.*?Does not.*?Has left`, 's'));
  });

  it('goes out once to each, by the word and the number that were agreed to, however often it is sent', async () => {
    const list = people(4);
    await subscribe(api(), list.slice(0, 3));
    const id = await begun();
    const page = place(`/${id}/send`);
    expect((await editor.get(page)).text).toContain('Recipients: 3.');
    expect((await post(page, { typed: 'yes' })).text).toContain('type the word as it stands above');
    expect((await post(page, { typed: 'send', count: '300' })).text).toContain(
      'meanwhile there are 3 recipients and not 300',
    );
    const stale = await post(page, { typed: 'send', revision: '7' });
    expect(stale.text).toContain('This campaign was edited since you looked at it');
    expect((await shown(id)).status).toBe('draft');
    const form_token = await editor.formToken(page);
    const fields = { form_token, typed: 'Send', count: '3', revision: '0' };
    const clicks = await Promise.all([1, 2, 3].map(() => editor.post(page, fields)));
    const there = `${place(`/${id}`)}?done=sending`;
    expect(clicks.map(({ headers }) => headers.get('location'))).toEqual([there, there, there]);
    await follow(api(), id, ({ status }) => status === 'sent', 60);
    expect((await editor.post(page, fields)).headers.get('location')).toBe(there);
    for (const email of list.slice(0, 3)) expect((await inbox(service, email)).length).toBe(1);
    const sent = await editor.get(place(`/${id}/people?outcome=sent`));
    for (const email of list.slice(0, 3)) expect(sent.text).toContain(email);
    expect((await editor.get(place(`/${id}/people?outcome=failed`))).text).toContain('Nobody of whom this is true.');
    const csv = await post(place(`/${id}/people`), { outcome: 'sent' }, place(`/${id}/people/export`));
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="people-1.csv"');
    expect(csv.text.split('\n')[0]).toBe(
      'email,outcome,reason,delivered,bounced,complained,opened,clicked,unsubscribed',
    );
    expect(csv.text.trim().split('\n')).toHaveLength(4);
    expect((await editor.get(place(`/${id}/edit`))).headers.get('location')).toBe(place(`/${id}`));
  });

  it('never goes out as it stood before an edit that was saved meanwhile', async () => {
    await subscribe(api(), people(1));
    const id = await begun();
    const [{ getCampaign, startSending, moveCampaign }] = await Promise.all([
      import('../../shared/store/campaign/campaigns.ts'),
    ]);
    const looked = await getCampaign({ workspaceId: workspace.workspaceId, id });
    if (!looked) throw new Error('It is gone.');
    await post(place(`/${id}/edit`), formOf({ subject: 'Edited' }));
    const at = new Date();
    const freeze = {
      id: 'f',
      at: at.toISOString(),
      groups: [{ variant: 0, people: 1 }],
      runners: 1,
      month: at.toISOString().slice(0, 7),
    };
    const start = { freeze, limit: 100, at, expiresAt: Math.floor(at.getTime() / 1000) + 86_400 };
    expect(await startSending(looked, start)).toEqual({ kind: 'moved' });
    expect(await moveCampaign(looked, 'scheduled', at, new Date(at.getTime() + 3_600_000).toISOString())).toBe(false);
    expect((await shown(id)).status).toBe('draft');
  });

  it('is scheduled in a zone, says so, and is taken back', async () => {
    await subscribe(api(), people(1));
    const id = await begun();
    const page = place(`/${id}/schedule`);
    const wanted = { day: '2031-03-30', time: '02:30', zone: 'Europe/Paris' };
    expect((await post(page, wanted)).text).toContain(
      'the clocks of Europe/Paris jump over it. Instead: 2031-03-30 03:30',
    );
    const fold = await post(page, { ...wanted, day: '2031-10-26' });
    expect(fold.text).toContain('The second: 2031-10-26 02:30 (Europe/Paris, GMT+1)');
    expect((await post(page, { ...wanted, day: '2020-01-01' })).text).toContain('must lie in the future');
    const done = await post(page, { ...wanted, day: '2031-10-26', which: 'second' });
    expect(await shown(id)).toMatchObject({ status: 'scheduled', scheduledAt: '2031-10-26T01:30:00.000Z' });
    const { text } = await editor.get(done.headers.get('location') ?? '');
    expect(text).toContain('2031-10-26 02:30 (Europe/Paris, GMT+1)');
    await post(place(`/${id}`), {}, place(`/${id}/unschedule`));
    expect((await shown(id)).status).toBe('draft');
  });

  it('has an A/B test of its subjects, whose people are told before it goes out', async () => {
    await subscribe(api(), people(10));
    const id = await begun();
    const page = place(`/${id}/edit`);
    const added = await post(page, formOf({ do: 'variant:add' }));
    expect(added.headers.get('location')).toContain('#ab_test.variants%5B1%5D.subject');
    await post(
      page,
      formOf({ 'ab_test.variants[1].subject': 'Other', 'ab_test.test_share': '50', 'ab_test.wait_hours': '2' }),
    );
    expect((await shown(id)).kind).toBe('ab_test');
    expect((await editor.get(place(`/${id}/send`))).text).toContain('5 of them get one of 2 variants first');
    expect((await editor.get(place(`/${id}`))).text).toContain('The test begins when the campaign goes out.');
    await post(page, formOf({ 'ab_test.variants[1].subject': 'Other', do: 'variant:remove:1' }));
    expect((await shown(id)).kind).toBe('regular');
  });
});

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
    await fresh();
    const { renameWorkspace } = await import('../../shared/services/workspaces/rename.ts');
    await renameWorkspace(operatorContext(workspace.workspaceId), { name: hostile });
    readers = people(2);
    await subscribe(
      api(),
      readers.map((email) => ({ email, firstName: 'Ada' })),
    );
    context = await browser.newContext({
      locale: 'en-GB',
      reducedMotion: 'reduce',
      viewport: { width: 1440, height: 900 },
    });
    page = await context.newPage();
    page.setDefaultTimeout(15_000);
    complaints = await watch(page, service.baseUrl);
    await page.goto(await signInLink(service, { role: 'editor', workspaceId: workspace.workspaceId }));
    await page.click('button');
    await page.waitForURL(`**/console/${workspace.workspaceId}`);
  });
  afterEach(() => context?.close());

  const isSaved = () => eventually(async () => (await page.textContent('[data-status]'))?.startsWith('Saved · '));
  const kinds = () =>
    page.$$eval('[data-list] > .block', (blocks) => blocks.map((block) => block.getAttribute('data-kind')));
  const idShown = () => idOf(page.url());

  async function begin(): Promise<void> {
    await page.goto(`${service.baseUrl}${place('/add')}`);
    await page.fill('#name', hostile);
    await page.fill('#subject', 'Autumn news');
    await page.click('main form button');
    await page.waitForURL('**/edit');
  }

  it('is written, seen, checked, tested and sent by mouse, and read by its readers', async () => {
    await begin();
    await page.click('[data-adds=content] [data-add=heading]');
    await page.keyboard.type('Autumn is here');
    await page.click('[data-adds=content] [data-add=button]');
    await page.keyboard.type('Read on');
    await page.fill('[id="content[2].href"]', `https://${workspace.domain}/autumn`);
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
    expect(await page.inputValue('[id="content[1].text"]')).toBe(
      'Hello {{firstName|there}},{{fields.city|where you are}}',
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
    await page.click('[data-view=plain]');
    await eventually(async () =>
      (
        await frame
          .locator('pre')
          .textContent()
          .catch(() => '')
      )?.includes('## Autumn is here'),
    );
    const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).exclude('iframe').analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);

    await page.click('button[value=check]');
    await page.waitForURL('**/check');
    expect(await page.textContent('.say')).toBe('It can go out. Recipients: 2.');
    await page.click('main .row >> text=Send a test');
    await page.fill('#to', 'tester@people.example');
    await page.click('main form button');
    expect((await received(service, 'tester@people.example')).message.subject).toBe('[Test] Autumn news');
    await page.click('main .row >> text=Send now');
    await page.fill('#typed', 'send');
    await page.dblclick('main form button.danger');
    await page.waitForURL('**?done=sending');
    const [reader = ''] = readers;
    const { mail } = await received(service, reader);
    expect([mail.subject, mail.text?.includes('Hello Ada,where you are')]).toEqual(['Autumn news', true]);
    await follow(api(), idShown(), ({ status }) => status === 'sent', 60);
    for (const email of readers) expect((await inbox(service, email)).length).toBe(1);
    expect(complaints).toEqual([]);
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
    await tabTo('day');
    await page.keyboard.type('03032031');
    await tabTo('time');
    await page.keyboard.type('0915A');
    await page.keyboard.press('Enter');
    await page.waitForURL('**done=scheduled**');
    expect(await shown(idShown())).toMatchObject({
      status: 'scheduled',
      scheduledAt: expect.stringMatching(/^2031-03-03T/),
    });
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
    await eventually(async () => (await page.textContent('[data-status]'))?.startsWith('Your session is over.'));
    const again = await context.newPage();
    await page.close({ runBeforeUnload: false });
    await context.addCookies(cookies);
    await again.goto(
      `${service.baseUrl}${place(`/${idOf((await call(api(), 'GET', '/api/v1/campaigns')).body.data[0].id)}/edit`)}`,
    );
    expect(await again.inputValue(text)).toBe('Written offline');
    await again.click('[data-kept] >> text=Take it');
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
});
