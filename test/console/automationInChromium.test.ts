import { readFileSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumPath, describeInChromium, findings, watch } from '../pages/browser.ts';
import { automationDesk } from './automationDesk.ts';
import { signInLink } from './visitor.ts';

interface Recipe {
  readonly steps: readonly { readonly key: string; readonly type: string; readonly config: Record<string, never> }[];
  readonly connections: readonly object[];
}

const desk = automationDesk();
const recipe: Recipe = JSON.parse(readFileSync('docs/recipes/welcome.json', 'utf8'));

describeInChromium('an automation without a script, in Chromium', () => {
  let browser: Browser;
  let page: Page;
  let complaints: string[];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
    const context = await browser.newContext({
      javaScriptEnabled: false,
      locale: 'en-GB',
      viewport: { width: 390, height: 800 },
    });
    page = await context.newPage();
    page.setDefaultTimeout(10_000);
    complaints = await watch(page, desk.service().baseUrl);
    await page.goto(await signInLink(desk.service(), { role: 'editor', workspaceId: desk.workspace().workspaceId }));
    await page.click('button');
    await page.waitForURL(`**/console/${desk.workspace().workspaceId}`);
  });
  afterAll(() => browser?.close());

  const url = (path: string) => `${desk.service().baseUrl}${desk.place(path)}`;
  const configOf = (key: string): Record<string, string> => recipe.steps.find((step) => step.key === key)?.config ?? {};
  const save = async () => {
    await page.click('.step-form .row button');
    expect(await page.locator('.problem, .say.bad').allTextContents()).toEqual([]);
  };
  /** Opens the form of a new step behind another one, or in its first or second branch. */
  const add = async (after: string, type: string, key: string, branch = 0) => {
    const place = branch === 0 ? '> .more' : `> .branches > .branch:nth-child(${branch}) > .more`;
    await page.click(`#step-${after} ${place} a`);
    await page.click(`.types a[href$="type=${type}"]`);
    await page.fill('#key', key);
  };
  const addMessage = async (after: string, key: string, branch = 0) => {
    const { subject = '', html = '', text = '' } = configOf(key);
    await add(after, 'send_email', key, branch);
    await page.fill('#subject', subject);
    await page.fill('#html', html);
    await page.fill('#text', text);
    if ('track' in configOf(key)) {
      await page.click('summary');
      await page.selectOption('[name="track.clicks"]', 'yes');
    }
    await save();
  };

  it('is the welcome recipe, built from nothing by forms alone, simulated, enabled and stopped', async () => {
    await page.goto(url('/automations'));
    await page.click('text=Create an automation');
    await page.fill('#name', 'Welcome series');
    await page.click('main form button');
    const id = /auto_\w+/.exec(page.url())?.[0] ?? '';
    await addMessage('start', 'hello');
    await add('hello', 'delay', 'week');
    await page.fill('#duration', '4');
    await save();
    await addMessage('week', 'week_over');
    await add('hello', 'wait_for_event', 'read');
    await page.selectOption('#mail', 'clicked');
    expect(await page.locator('#event_name').isVisible()).toBe(false);
    await page.selectOption('#step', 'hello');
    await page.fill('#timeout', '2');
    await save();
    await addMessage('read', 'next', 1);
    await addMessage('read', 'again', 2);
    await page.click('#step-end .key a');
    await page.click('text=Remove this step');
    await page.click('main form button');

    const { steps, connections } = await desk.read(id);
    const sorted = (list: readonly object[]) => list.map((one) => JSON.stringify(Object.entries(one).sort())).sort();
    const byKey = (all: Recipe['steps']) => Object.fromEntries(all.map((step) => [step.key, step]));
    expect(byKey(steps)).toEqual(byKey(recipe.steps));
    expect(sorted(connections)).toEqual(sorted(recipe.connections));

    await page.click('text=Simulate');
    await page.click('main form button');
    expect(await page.textContent('main')).toContain('Where people would be');
    await page.goto(url(`/automations/${id}`));
    for (const [action, status] of [
      ['Enable', 'enabled'],
      ['Stop', 'disabled'],
    ] as const) {
      await page.click(`main >> text="${action}"`);
      await page.click('main form button');
      expect((await desk.read(id)).status).toBe(status);
    }
    expect(complaints).toEqual([]);
  }, 120_000);

  it.each([
    [390, 'dark', 'fr-FR'],
    [1440, 'light', 'en-GB'],
  ] as const)(
    'has forms that read well at %d px, %s, in %s',
    async (width, colorScheme, locale) => {
      const id = await desk.automationOf(everything);
      const context = await browser.newContext({ colorScheme, locale, viewport: { width, height: 800 } });
      await context.addCookies(await page.context().cookies());
      const reader = await context.newPage();
      const keys = everything.steps.map(({ key }) => `/steps/${key}`);
      const choices = ['send_email', 'webhook'].map((type) => `/steps?after=start&type=${type}`);
      for (const path of ['', ...keys, '/steps/paid/remove', '/steps?after=start', ...choices, '/settings']) {
        const answer = await reader.goto(url(`/automations/${id}${path}`));
        expect([path, answer?.status(), await findings(reader)]).toEqual([path, 200, []]);
        const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect([path, await reader.evaluate(overflow)]).toEqual([path, 0]);
      }
      await context.close();
    },
    120_000,
  );
});

/** A step of each type that needs nothing of the workspace, and settings with a goal of each kind. */
const everything = {
  goals: [
    { event_name: 'bought' },
    { rule: { any: [{ tag: 'vip' }, { field: 'plan', operator: 'equals', value: 'Pro' }] } },
  ],
  quiet_hours: { from: '21:00', to: '08:00', zone: 'Europe/Paris' },
  reentry: { after_days: 30 },
  steps: [
    {
      key: 'start',
      type: 'trigger',
      config: { event_name: 'trial', filter_rule: { data: 'plan', operator: 'equals', value: 'Pro' } },
    },
    { key: 'hello', type: 'send_email', config: { subject: 'Hello', html: '<p>Hello</p>', max_delay: '2 hours' } },
    { key: 'paid', type: 'wait_for_event', config: { event_name: 'paid', timeout: '3 days' } },
    {
      key: 'vip',
      type: 'condition',
      config: {
        all: [
          { trigger: 'amount', operator: 'greater_than', value: 100 },
          { not: { tag: 'vip' } },
          { step: 'hello', mail: 'opened' },
        ],
      },
    },
    { key: 'up', type: 'subscriber_update', config: { add_tags: ['vip'], fields: { plan: { var: 'event.plan' } } } },
    { key: 'tips', type: 'delay', config: { until: { time: '09:00', zone: 'UTC', weekdays: ['monday'] } } },
    { key: 'end', type: 'exit', config: { reason: 'no interest' } },
  ],
  connections: [
    { from: 'start', to: 'hello' },
    { from: 'hello', to: 'paid' },
    { from: 'paid', to: 'end', type: 'event_received' },
    { from: 'paid', to: 'vip', type: 'timeout' },
    { from: 'vip', to: 'up', type: 'condition_met' },
    { from: 'vip', to: 'tips', type: 'condition_not_met' },
    { from: 'up', to: 'tips' },
  ],
};
