import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { languages } from '../../shared/language/languages.ts';
import { call, eventually } from '../acceptance/client.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { newWorkspace, type TestWorkspace } from '../acceptance/workspace.ts';
import { chromiumPath, colourRules, describeInChromium, findings, watch } from '../pages/browser.ts';
import { operatorContext } from '../shared/services/context.ts';
import { type LinkWanted, signInLink } from './visitor.ts';

const hostile = '<img src=x onerror="document.title=`ran`">';
const hostileForm =
  '<form action="/console/sign-out" method="post"><button>Sign out</button></form><script>alert(1)</script>';

let service: TestService;
let workspace: TestWorkspace;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let complaints: string[];
let ids: {
  readonly email: string;
  readonly campaign: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly segment: string;
  readonly automation: string;
  /** What stands for a person in the address of their page. */
  readonly ada: string;
  readonly angry: string;
};

const place = (path = '') => `${service.baseUrl}/console/${workspace.workspaceId}${path}`;
const api = async (method: string, path: string, body?: object) => {
  const answer = await call({ ...service, apiKey: workspace.apiKey }, method, `/api/v1${path}`, { body });
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return answer;
};
const heading = () => page.textContent('h1');
const saidGood = () => page.textContent('.say.good');

/** A workspace of a hostile name with one of everything, each as hostile as the contract lets it be. */
async function furnish(): Promise<void> {
  workspace = await newWorkspace(service);
  const operator = operatorContext(workspace.workspaceId);
  const [{ renameWorkspace }, { createSegment }] = await Promise.all([
    import('../../shared/services/workspaces/workspaces.ts'),
    import('../../shared/services/segments.ts'),
  ]);
  await renameWorkspace(operator, { name: hostile });
  const segment = await createSegment(operator, { name: hostile, rule: { tag: hostile } });
  const person = { firstName: hostile, lastName: '"><script>alert(1)</script>', tags: [hostile] };
  await api('POST', '/subscribers', {
    email: 'ada@people.example',
    ...person,
    fields: { note: hostileForm },
    double_opt_in: false,
  });
  await api('POST', '/subscribers', { email: 'grace@people.example', double_opt_in: false });
  await api('POST', '/suppression', { email: 'angry@people.example', reason: 'complaint' });
  const draft = { name: hostile, subject: hostile, from: `"${'<b>'}" <hello@${workspace.domain}>`, text: hostileForm };
  const campaign = await api('POST', '/campaigns', draft);
  const webhook = await api('POST', '/webhooks', {
    name: hostile,
    url: `${service.baseUrl}/health`,
    events: ['email.delivered'],
  });
  const automation = await api('POST', '/automations', {
    name: hostile,
    steps: [
      { key: 'start', type: 'trigger', config: { source: 'tag_added', tag: hostile } },
      { key: 'mail', type: 'send_email', config: { subject: hostile, html: hostileForm } },
      { key: 'read', type: 'wait_for_event', config: { step: 'mail', mail: 'clicked', timeout: '3 days' } },
      { key: 'paid', type: 'condition', config: { field: 'plan', operator: 'equals', value: hostile } },
      { key: 'late', type: 'delay', config: { duration: '1 day', until: { time: '09:00', zone: 'Europe/Paris' } } },
      { key: 'vip', type: 'subscriber_update', config: { add_tags: [hostile], firstName: '<b>' } },
      { key: 'end', type: 'exit', config: { reason: hostile } },
    ],
    connections: [
      { from: 'start', to: 'mail' },
      { from: 'mail', to: 'read' },
      { from: 'read', to: 'paid', type: 'event_received' },
      { from: 'read', to: 'late', type: 'timeout' },
      { from: 'paid', to: 'vip', type: 'condition_met' },
      { from: 'paid', to: 'late', type: 'condition_not_met' },
      { from: 'late', to: 'end' },
    ],
  });
  const { body } = await api('POST', `/webhooks/${webhook.body.id}/test`);
  const { pathSealerOf } = await import('../../shared/services/operators/sealedPaths.ts');
  const { seal } = await pathSealerOf(workspace.workspaceId);
  const email = await api('POST', '/emails', {
    from: `hello@${workspace.domain}`,
    to: 'ada@people.example',
    subject: hostile,
    text: hostileForm,
    tags: [{ name: 'category', value: 'receipt' }],
  });
  await eventually(async () => (await api('GET', `/emails/${email.body.id}`)).body.status === 'delivered');
  ids = {
    email: email.body.id,
    campaign: campaign.body.id,
    webhook: webhook.body.id,
    delivery: body.delivery_id,
    segment: segment.id,
    automation: automation.body.id,
    ada: seal('ada@people.example'),
    angry: seal('angry@people.example'),
  };
}

const opened = new Map<string, { context: BrowserContext; page: Page; complaints: string[] }>();

/** A browser starts processes for every new context, which is most of what a short test takes: equal ones are shared. */
async function open(options: Parameters<Browser['newContext']>[0]): Promise<void> {
  const key = JSON.stringify(options);
  const before = opened.get(key);
  if (before) {
    ({ context, page, complaints } = before);
    await context.clearCookies();
    complaints.length = 0;
    return;
  }
  context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options });
  page = await context.newPage();
  page.setDefaultTimeout(10_000);
  complaints = await watch(page, service.baseUrl);
  opened.set(key, { context, page, complaints });
}

async function signIn(wanted: LinkWanted = {}, options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
  await open(options);
  await page.goto(await signInLink(service, { workspaceId: workspace.workspaceId, ...wanted }));
  await page.click('button');
  await page.waitForURL(`**/console/${workspace.workspaceId}`);
}

const pages = (): string[] => [
  '',
  '?days=90',
  '/resume',
  '/sending',
  '/confirmations/resume',
  '/emails',
  `/emails/${ids.email}`,
  '/people',
  '/people?q=ad',
  '/people/add',
  '/people/import',
  '/people/export',
  '/suppression/import',
  '/settings/brand',
  `/people/at/${ids.ada}`,
  `/people/at/${ids.ada}/edit`,
  `/people/at/${ids.ada}/erase`,
  '/segments',
  '/segments/add',
  `/segments/${ids.segment}?count=yes`,
  `/segments/${ids.segment}/edit`,
  '/automations',
  '/automations/add',
  `/automations/${ids.automation}`,
  `/automations/${ids.automation}?version=1`,
  `/automations/${ids.automation}/edit`,
  `/automations/${ids.automation}/settings`,
  `/automations/${ids.automation}/steps?after=start`,
  ...['start', 'mail', 'paid', 'vip', 'end', 'read/remove'].map(
    (step) => `/automations/${ids.automation}/steps/${step}`,
  ),
  `/automations/${ids.automation}/simulate`,
  `/automations/${ids.automation}/change/enable`,
  '/campaigns',
  `/campaigns/${ids.campaign}`,
  `/campaigns/${ids.campaign}/preview`,
  `/campaigns/${ids.campaign}/archive`,
  '/campaigns/add',
  `/campaigns/${ids.campaign}/edit`,
  `/campaigns/${ids.campaign}/check`,
  `/campaigns/${ids.campaign}/audience`,
  `/campaigns/${ids.campaign}/send`,
  `/campaigns/${ids.campaign}/send?count=yes`,
  `/campaigns/${ids.campaign}/schedule`,
  `/campaigns/${ids.campaign}/test`,
  `/campaigns/${ids.campaign}/people`,
  '/suppression',
  '/suppression/add',
  `/suppression/at/${ids.angry}/remove`,
  '/webhooks',
  '/webhooks/add',
  `/webhooks/${ids.webhook}`,
  `/webhooks/${ids.webhook}/log/${ids.delivery}`,
  '/domains',
  `/domains/at/${workspace.domain}`,
  '/settings',
  '/settings/keys',
  '/settings/form',
  '/settings/operators',
  '/settings/audit',
];

/** Pages that have every colour between them. */
const coloured = /^$|^\/people(\?|$|\/at\/[\w-]+(\/erase)?$)|segments\/add|remove$|keys$|^\/webhooks\/\w+$/;

const overflow = () =>
  page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth');

/** Some fifty pages, each looked through by axe, on a machine that runs other suites as well. */
const allRoomsMilliseconds = 360_000;

describeInChromium('the console in Chromium', () => {
  beforeAll(async () => {
    service = await startService();
    await furnish();
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  it.each([
    ['en', 'light', 320],
    ['fr', 'dark', 1440],
  ] as const)(
    'reads well in %s, %s, at %d px, whatever its people are called',
    async (language, colorScheme, width) => {
      const { locale } = languages[language];
      await signIn({}, { locale, colorScheme, viewport: { width, height: 800 } });
      for (const path of pages()) {
        const answer = await page.goto(place(path));
        expect([path, answer?.status(), await page.getAttribute('html', 'lang')]).toEqual([path, 200, language]);
        if (colorScheme === 'light') expect([path, await findings(page)]).toEqual([path, []]);
        else if (coloured.test(path)) expect([path, await findings(page, colourRules)]).toEqual([path, []]);
        expect([path, await overflow()]).toEqual([path, 0]);
        expect(await page.title()).toContain(hostile);
        expect(await page.locator('img[src=x], main script').count()).toBe(0);
      }
      expect(complaints).toEqual([]);
    },
    allRoomsMilliseconds,
  );

  it('shows a message that quotes the console in a frame of no origin, which runs and sends nothing', async () => {
    await signIn();
    await page.goto(place(`/campaigns/${ids.campaign}/preview`));
    expect(await page.getAttribute('iframe', 'sandbox')).toBe('');
    const message = await context.request.get(place(`/campaigns/${ids.campaign}/message`));
    expect(message.headers()['content-security-policy']).toMatch(/^sandbox; default-src 'none';/);
    expect(complaints).toEqual([]);
  });

  it('adds a person, corrects what was wrong, edits and unsubscribes them, without a script', async () => {
    await signIn({ role: 'editor' }, { javaScriptEnabled: false });
    await page.goto(place('/people'));
    await page.click('text=Add a person');
    await page.fill('#email', 'not an address');
    await page.fill('#fields', 'city = Paris\nbroken');
    await page.check('input[value=given]');
    await page.click('main button');
    expect(await page.textContent('#fields-problem')).toContain('broken');
    expect(await page.inputValue('#email')).toBe('not an address');
    await page.fill('#fields', 'city = Paris\norders = 3');
    await page.click('main button');
    expect(await page.textContent('#email-problem')).not.toBe('');
    await page.fill('#email', 'Hedy@People.example');
    await page.click('main button');
    expect([await heading(), await saidGood()]).toEqual(['hedy@people.example', 'Added.']);

    await page.click('text=Edit');
    await page.fill('#firstName', 'Hedy');
    await page.fill('#fields', 'city = Wien');
    await page.click('main button');
    const { body } = await api('GET', '/subscribers/hedy@people.example');
    expect(body).toMatchObject({ firstName: 'Hedy', fields: { city: 'Wien' }, status: 'subscribed' });

    await page.click('text=Unsubscribe');
    await page.click('main button');
    expect((await api('GET', '/subscribers/hedy@people.example')).body.status).toBe('unsubscribed');
  });

  it('finds an email by its day, shows its events, and offers no list that is not kept', async () => {
    await signIn({ role: 'viewer' });
    await page.goto(place('/emails'));
    await page.fill('#day', new Date().toISOString().slice(0, 10));
    await page.click('main form button');
    await page.click('main table a');
    expect(await heading()).toBe(hostile);
    expect(await page.textContent('main table')).toMatch(/Accepted by SES.*Delivered/s);
    await page.goto(place('/emails?recipient=ada%40people.example'));
    expect(await page.textContent('main table')).toContain(hostile);
    expect([await page.locator('#recipient').count(), await page.locator('#tag').count()]).toEqual([1, 0]);
    await page.goto(place('/emails?day=2001-01-01'));
    expect(await page.textContent('.empty h2')).toBe('No email found');
  });

  it('says when a scheduled email goes out, and takes it back after asking', async () => {
    const at = new Date(Date.now() + 86_400_000).toISOString();
    const later = { from: `hello@${workspace.domain}`, to: 'ada@people.example', subject: 'Later', text: 'T' };
    const { body } = await api('POST', '/emails', { ...later, scheduled_at: at });
    await signIn({ role: 'editor' });
    await page.goto(place(`/emails/${body.id}`));
    expect(await page.getAttribute('.lead time', 'datetime')).toBe(at);
    await page.click('text=Cancel email');
    expect(await page.textContent('main .card')).toContain('to 1 recipient ');
    await page.click('main form button');
    expect(await saidGood()).toBe('Cancelled. It will not be sent.');
    expect(await page.textContent('main table')).toContain('cancelled on request');
    expect((await api('GET', `/emails/${body.id}`)).body.status).toBe('canceled');
  });

  it('looks for the day of its reader’s own zone', async () => {
    const now = new Date();
    // Where it is another day than in UTC, at whatever time this runs.
    const timezoneId = now.getUTCHours() >= 10 ? 'Pacific/Kiritimati' : 'Etc/GMT+12';
    await signIn({ role: 'viewer' }, { timezoneId });
    const found = async (day: string) => {
      await page.goto(place('/emails'));
      await page.fill('#day', day);
      await page.click('main form button');
      return page.locator('main table a').count();
    };
    expect(await found(now.toLocaleDateString('sv-SE', { timeZone: timezoneId }))).toBeGreaterThan(0);
    expect(await found(now.toISOString().slice(0, 10))).toBe(0);
  });

  it('takes a complaint off the list only with the address typed and a reason, and notes both', async () => {
    await signIn({ role: 'editor', name: 'Grace' });
    await page.goto(place('/suppression'));
    await page.click('text=Remove angry@people.example');
    await page.click('main button');
    expect(await page.textContent('#why-problem')).toBe('is required');
    await page.fill('#why', 'Asked for it by telephone');
    await page.click('main button');
    expect(await page.textContent('#typed-problem')).toBe('is not that address');
    await page.fill('#typed', 'angry@people.example');
    await page.click('main button');
    expect(await saidGood()).toBe('Removed.');
    await page.goto(place('/settings/audit'));
    const line = (await page.textContent('tbody tr')) ?? '';
    expect(line).toMatch(
      /Removed an address from the suppression list.*Done.*Asked for it by telephone.*Grace.*Console/s,
    );
    expect(line).not.toContain('angry@');
  });

  it('makes a key, shows it once, and revokes it after asking', async () => {
    await signIn();
    await page.goto(place('/settings/keys'));
    await page.fill('#name', 'Shop');
    await page.click('main form button');
    expect(await page.textContent('#scopes-problem')).toBe('choose at least one');
    await page.check('input[value="emails:send"]');
    await page.click('main form button');
    const key = (await page.textContent('.copy code')) ?? '';
    const account = () => call({ ...service, apiKey: key }, 'GET', '/api/v1/me');
    expect((await account()).status).toBe(200);
    await page.click('text=I have copied it');
    expect(await page.content()).not.toContain(key);
    await page.click('text=Revoke Shop');
    await page.click('main button');
    expect([await saidGood(), (await account()).status]).toEqual(['Revoked: it no longer works.', 401]);
  });

  it('builds a segment by clicking and counts it', async () => {
    await signIn({ role: 'editor' });
    await page.goto(place('/segments/add'));
    await page.fill('#name', 'Paris or VIP');
    await page.selectOption('[name="join.0"]', 'any');
    await page.fill('[name="value.0.0"]', hostile);
    await eventually(async () => (await page.textContent('[data-count]')) === '1');
    expect(await page.textContent('[data-sample]')).toContain('ada@people.example');
    await page.click('text=Add a group');
    expect(await page.inputValue('#name')).toBe('Paris or VIP');
    await page.selectOption('[name="subject.0.1.0"]', 'created_at');
    await page.selectOption('[name="test.0.1.0"]', 'within_last_days');
    await page.fill('[name="value.0.1.0"]', 'many');
    await page.click('main button:not(.quiet):text("Save and count")');
    expect(await page.textContent('#at-0\\.1\\.0 .problem')).not.toBe('');
    await page.fill('[name="value.0.1.0"]', '1');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/segments/seg_*');
    expect(await heading()).toBe('Paris or VIP');
    expect(await page.textContent('.figures dd')).toMatch(/^[1-9]$/);
    expect(await page.textContent('.words')).toContain('any of these matches');
  });

  it('goes by keys: g c to the campaigns, / to the search, ? for help', async () => {
    await signIn();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.waitForURL('**/people');
    await page.keyboard.press('?');
    expect(await page.locator('dialog[open]').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.goto(place('/segments'));
    await page.keyboard.press('/');
    await page.waitForURL('**/people#q');
    expect(await page.evaluate('document.activeElement.id')).toBe('q');
    await page.goto(place('/suppression'));
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.id')).toBe('q');
    await page.keyboard.press('Tab');
    await page.locator('h1').click();
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.waitForURL('**/campaigns');
    expect(complaints).toEqual([]);
  });

  it('skips to its content by the first key, and shows times in the zone of the reader', async () => {
    await signIn({}, { timezoneId: 'Asia/Tokyo' });
    await page.goto(place(`/people/at/${ids.ada}`));
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('location.hash')).toBe('#main');
    const iso = (await page.getAttribute('main time', 'datetime')) ?? '';
    const expected = await page.evaluate(
      `new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date('${iso}'))`,
    );
    expect(await page.textContent('main time')).toBe(expected);
    expect(await page.getAttribute('main time', 'title')).toMatch(/at \d\d:\d\d:\d\d (GMT\+9|JST) \(.*Z\)$/);
  });

  it('offers a viewer nothing that they may not do', async () => {
    await signIn({ role: 'viewer' });
    for (const path of pages().filter((one) => !/add|edit|erase|remove|archive|resume/.test(one))) {
      await page.goto(place(path));
      const actions = await page
        .locator('main form[method=post]:not([role=search]), main a[href$="/add"], main a[href$="/edit"]')
        .count();
      expect([path, actions]).toEqual([path, 0]);
    }
    await page.goto(place(`/webhooks/${ids.webhook}`));
    expect(await page.content()).not.toContain('whsec_');
  });

  it('pauses, resumes and cancels nothing that is not on its way, and says so; copies and archives a draft', async () => {
    await signIn({ role: 'editor' });
    await page.goto(place(`/campaigns/${ids.campaign}`));
    await page.click('text=Duplicate');
    await eventually(async () => (await saidGood()) === 'This is a new draft with the same content.');
    await page.click('text=Archive');
    await page.click('main form button');
    expect(await saidGood()).toBe('Archived.');
    await page.goto(place(`/campaigns/${ids.campaign}/cancel`));
    await page.click('main form button');
    expect(await heading()).toBe('The request was refused');
  });
});
