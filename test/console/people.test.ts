import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { call, eventually } from '../acceptance/client.ts';
import { startService, type TestService } from '../acceptance/service.ts';
import { newWorkspace, type TestWorkspace } from '../acceptance/workspace.ts';
import { chromiumPath, describeInChromium, watch } from '../pages/browser.ts';
import { signInLink, type Visitor, visitorOf } from './visitor.ts';

const hostile = '<img src=x onerror="document.title=`ran`">';

let service: TestService;
let workspace: TestWorkspace;
let visitor: Visitor;
beforeAll(async () => {
  service = await startService();
  workspace = await newWorkspace(service);
  visitor = await visitorOf(service, { workspaceId: workspace.workspaceId, role: 'owner' });
});
afterAll(() => service?.stop());

const place = (path: string) => `/console/${workspace.workspaceId}${path}`;
const api = async (path: string) =>
  (await call({ ...service, apiKey: workspace.apiKey }, 'GET', `/api/v1${path}`, {})).body;

/** A form with a file, as a browser without a script sends it; where it leads, or what it says. */
async function upload(who: Visitor, content: string | Buffer, filename = 'people.csv', list = 'people') {
  const body = new FormData();
  body.set('form_token', await who.formToken(place('/people/import')));
  body.set('list', list);
  body.set('file', new Blob([new Uint8Array(Buffer.from(content))]), filename);
  const answer = await fetch(`${service.baseUrl}${place('/people/import')}`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { cookie: who.cookie, origin: service.baseUrl },
  });
  return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
}

async function post(path: string, fields: Record<string, string> = {}) {
  const form_token = await visitor.formToken(place('/people/import'));
  return visitor.post(path, { form_token, ...fields });
}

/** What a page says of the state of a job. */
async function ended(path: string): Promise<string> {
  let text = '';
  await eventually(async () => {
    ({ text } = await visitor.get(path));
    return !text.includes('Running');
  });
  return text;
}

/** What the button of a page says of the plan that stands on it. */
const seenOn = (text: string) => ({ seen: /name="seen" value="(\d+)"/.exec(text)?.[1] ?? '' });

const figure = (text: string, name: string): string =>
  new RegExp(`data-figure="${name}">([^<]*)<`).exec(text)?.[1] ?? '';

describe('an import without a script', () => {
  it('goes from the file by its columns and a look at the first lines to the people and the refused ones', async () => {
    const lines = [
      `E-mail;Vorname;"${hostile.replaceAll('"', '""')}"`,
      `ada@import.example;Ada;${hostile.replaceAll('"', "'")}`,
      '=1+1@nowhere;Eve;x',
      'grace@import.example;Grace;',
    ];
    const { status, location } = await upload(visitor, `\uFEFF${lines.join('\r\n')}\r\n`, `${hostile}.csv`);
    expect(status).toBe(303);
    const columns = await visitor.get(location);
    expect(columns.text).not.toContain('<img src=x');
    expect(columns.text).toContain('value="img_src_x_onerror_document_title_ran"');
    expect(columns.text).toMatch(/<option value="email" selected>/);

    const fields = { 'column-0': 'email', 'column-1': 'firstName', 'column-2': 'field', 'field-2': 'note' };
    const unasked = await post(location, fields);
    expect([unasked.status, unasked.text.includes('Choose one of the two.')]).toEqual([422, true]);
    const twice = await post(location, { ...fields, 'column-1': 'email', consent: 'given' });
    expect([twice.status, twice.text.includes('is in the header twice')]).toEqual([422, true]);

    const planned = await post(location, { ...fields, consent: 'given' });
    const check = await visitor.get(planned.headers.get('location') ?? '');
    expect(check.text).toMatch(/3 lines will be imported/);
    expect(check.text).toMatch(/Subscribed.*Refused.*Subscribed/s);
    expect((await api('/subscribers?limit=10')).data).toEqual([]);

    await post(`${location}/begin`, seenOn(check.text));
    const over = await ended(location);
    expect(['rows', 'added', 'refused'].map((name) => figure(over, name))).toEqual(['3', '2', '1']);
    const { location: report } = Object.fromEntries((await visitor.get(`${location}/refused`)).headers);
    expect(await (await fetch(report ?? '')).text()).toMatch(/^line,email,reason\n3,'=1\+1@nowhere,email /);
    expect(await api('/subscribers/ada@import.example')).toMatchObject({
      firstName: 'Ada',
      status: 'subscribed',
      fields: { note: hostile.replaceAll('"', "'") },
    });
    const audit = (await visitor.get(place('/settings/audit'))).text;
    expect(audit).toMatch(/subscriber\.import/);
  });

  it.each([
    ['UTF-16', Buffer.from('\uFEFFemail,name\nada@x.example,Ada\n', 'utf16le'), 'is in UTF-16'],
    ['a spreadsheet', Buffer.from('PK\u0003\u0004xxxxxxx'), 'is a spreadsheet, not CSV'],
    ['another encoding', Buffer.from('email,name\nada@x.example,Zo\u00eb\n', 'latin1'), 'not in UTF-8'],
    ['no header', 'ada@x.example,Ada\ngrace@x.example,Grace\n', 'its first line contains an address'],
    ['nothing but blank lines', '\n\n\n', 'has only blank lines'],
    ['one endless line', `email,"${'x'.repeat(3_000_000)}`, 'a quote is opened and never closed'],
  ])('says what is wrong with a file that is %s', async (_name, content, said) => {
    const { location } = await upload(visitor, content);
    const page = await visitor.get(location);
    expect([page.status, page.text.includes(said)]).toEqual([422, true]);
  });

  it.each([
    ['LAST_CHANGED', 'everybody:subscribed', 'All are subscribed'],
    ['UNSUB_TIME', 'everybody:unsubscribe', 'All are unsubscribed'],
    ['CLEAN_TIME', 'everybody:bounce', 'All have bounced'],
  ])('says what Mailchimp’s %s says of everybody', async (title, value, said) => {
    const { location } = await upload(visitor, `Email Address,${title},LEID,EUID\nada@x.example,2026-01-01,1,a\n`);
    expect((await visitor.get(location)).text).toContain(`<option value="${value}" selected>${said}</option>`);
  });

  it('takes an empty or a large file for what it is, and nothing of a viewer', async () => {
    expect((await upload(visitor, '')).text).toContain('is empty');
    expect((await upload(visitor, Buffer.alloc(4_000_001, 'x'))).text).toContain('larger than 4 MB');
    const viewer = await visitorOf(service, { workspaceId: workspace.workspaceId, role: 'viewer' });
    const body = new FormData();
    body.set('form_token', await viewer.formToken(place('/people')));
    body.set('file', new Blob(['email\nada@x.example\n']), 'a.csv');
    const headers = { cookie: viewer.cookie, origin: service.baseUrl };
    const refused = await fetch(`${service.baseUrl}${place('/people/import')}`, { method: 'POST', body, headers });
    expect(refused.status).toBe(403);
  });

  it('begins what was looked at, not what another has planned since, and notes who answered for the consent', async () => {
    const { location } = await upload(visitor, 'email\nmary@plan.example\n', 'plan.csv');
    const asks = await post(location, { 'column-0': 'email', consent: 'ask' });
    const looked = (await visitor.get(asks.headers.get('location') ?? '')).text;
    expect(looked).toContain('sent a message asking them to confirm');
    const colleague = await visitorOf(service, { workspaceId: workspace.workspaceId, role: 'editor' });
    const form_token = await colleague.formToken(place('/people/import'));
    await colleague.post(location, { form_token, 'column-0': 'email', consent: 'given' });

    const refused = await post(`${location}/begin`, seenOn(looked));
    expect([refused.status, refused.text.includes('was changed in the meantime')]).toEqual([409, true]);
    expect(refused.text).toContain('subscribed at once');
    expect((await post(`${location}/begin`)).status).toBe(409);
    expect((await api('/subscribers?limit=100')).data).not.toContainEqual(
      expect.objectContaining({ email: 'mary@plan.example' }),
    );
    await post(`${location}/begin`, seenOn(refused.text));
    expect(figure(await ended(location), 'added')).toBe('1');

    const id = location.split('/').at(-1) ?? '';
    const { pageOfAudit } = await import('../../shared/store/audit.ts');
    const { entries } = await pageOfAudit(workspace.workspaceId, { limit: 50, after: undefined });
    const said = entries.filter(({ subject }) => subject === id).map(({ action, note }) => [action, note]);
    expect(said.toReversed()).toEqual([
      ['subscriber.import.plan', 'double_opt_in'],
      ['subscriber.import.plan', 'consent_given'],
      ['subscriber.import', null],
      ['subscriber.import', null],
      ['subscriber.import', null],
    ]);
  });

  it('imports a list of addresses that get no mail', async () => {
    const { location } = await upload(visitor, 'address\nblocked@import.example\n', 'list.csv', 'suppression');
    const planned = await post(location, { 'column-0': 'email', reason: 'bounce' });
    const check = await visitor.get(planned.headers.get('location') ?? '');
    await post(`${location}/begin`, seenOn(check.text));
    expect(figure(await ended(location), 'suppressed')).toBe('1');
    const { data } = await api('/suppression?email=blocked@import.example');
    expect(data).toMatchObject([{ reason: 'bounce' }]);
  });
});

describe('what takes people’s data out, or away', () => {
  it('exports everybody to a file that is there for the operator alone', async () => {
    const { headers } = await post(place('/people/export'), { whom: '', format: 'csv' });
    const path = headers.get('location') ?? '';
    expect(Number(figure(await ended(path), 'records'))).toBeGreaterThanOrEqual(2);
    const address = (await visitor.get(`${path}/file`)).headers.get('location') ?? '';
    const file = await fetch(address);
    expect(file.headers.get('content-disposition')).toContain('attachment; filename="people-job_');
    expect(await file.text()).toContain('ada@import.example');
    expect((await fetch(`${service.baseUrl}${path}/file`)).status).toBe(401);
    const forged = address.replace(/Signature=(\w)/, (_, digit) => `Signature=${digit === '0' ? '1' : '0'}`);
    expect((await fetch(forged)).status).toBe(403);
  });

  it('looks people up and shows them without their address in any address', async () => {
    const found = await post(place('/people'), { q: 'ada@import' });
    const location = found.headers.get('location') ?? '';
    expect(location).not.toMatch(/ada|%40|@/);
    const { text } = await visitor.get(location);
    const links = [...text.matchAll(/(?:href|action)="([^"]+)"/g)].map(([, href = '']) => href);
    expect(links.filter((href) => /@|%40|ada/.test(href))).toEqual([]);
    expect(text).toContain('value="ada@import"');
    const person = links.find((href) => href.includes('/people/at/')) ?? '';
    const page = await visitor.get(person);
    expect(page.text).toMatch(/ada@import\.example.*Mail and activity/s);
    // Nobody has confirmed an imported consent: it was recorded.
    const [, proof = ''] = page.text.split('Consent and its proof');
    expect(proof).toMatch(/^<\/h2>.*?Imported from a file<\/dd>\s*<dt>Recorded<\/dt>/s);
    // Of another workspace it opens nothing.
    const other = await newWorkspace(service);
    const elsewhere = person.replace(workspace.workspaceId, other.workspaceId);
    const everywhere = await visitorOf(service);
    expect((await everywhere.get(elsewhere)).status).toBe(404);
  });

  it('erases a person in the background, and keeps their address nowhere', async () => {
    const { pathSealerOf } = await import('../../shared/services/operators/sealedPaths.ts');
    const person = place(`/people/at/${(await pathSealerOf(workspace.workspaceId)).seal('grace@import.example')}`);
    const held = await post(`${person}/export`);
    const heldPath = held.headers.get('location') ?? '';
    await ended(heldPath);
    const file = (await visitor.get(`${heldPath}/file`)).headers.get('location') ?? '';
    expect(await (await fetch(file)).json()).toMatchObject({ email: 'grace@import.example' });

    const { headers } = await post(`${person}/erase`, { typed: 'grace@import.example' });
    const text = await ended(headers.get('location') ?? '');
    expect(text).toMatch(/Erased\. Records that had to stay/);
    expect((await visitor.get(person)).text).not.toContain('Grace');
    const { listJobs } = await import('../../shared/store/jobs.ts');
    expect(JSON.stringify(await listJobs(workspace.workspaceId, 50))).not.toContain('grace@');
    expect((await visitor.get(place('/settings/audit'))).text).toMatch(/person\.erase/);
  });
});

describe('an erasure that failed', () => {
  it('is seen by owners, and is begun again with the address, which is kept nowhere', async () => {
    const email = 'hidden@erase.example';
    const [{ pathSealerOf }, store, { endedWork }] = await Promise.all([
      import('../../shared/services/operators/sealedPaths.ts'),
      import('../../shared/store/jobs.ts'),
      import('../../shared/domain/job.ts'),
    ]);
    await call({ ...service, apiKey: workspace.apiKey }, 'POST', '/api/v1/subscribers', {
      body: { email, double_opt_in: false },
    });
    const person = place(`/people/at/${(await pathSealerOf(workspace.workspaceId)).seal(email)}`);
    const path = (await post(`${person}/erase`, { typed: email })).headers.get('location') ?? '';
    await ended(path);
    const job = await store.getJob(workspace.workspaceId, path.split('/').at(-1) ?? '');
    if (!job) throw new Error('The job is gone.');
    await store.changeJob(job, { state: 'failed', failure: 'Given up.', work: endedWork(job.work) });

    const list = await visitor.get(place('/people/export'));
    expect(list.text).toMatch(new RegExp(`Erasures of the last 30 days.*${path}.*Failed`, 's'));
    const editor = await visitorOf(service, { workspaceId: workspace.workspaceId, role: 'editor' });
    expect((await editor.get(place('/people/export'))).text).not.toContain('Erasures');

    expect((await visitor.get(path)).text).toMatch(/Given up\..*their address is not stored here/s);
    const wrong = await post(`${path}/erase`, { typed: 'somebody@else.example' });
    expect([wrong.status, wrong.text.includes('is not the address of this person')]).toEqual([422, true]);
    const form_token = await editor.formToken(path);
    expect((await editor.post(`${path}/erase`, { form_token, typed: email })).status).toBe(403);
    const again = (await post(`${path}/erase`, { typed: ' Hidden@erase.example ' })).headers.get('location') ?? '';
    expect(again).not.toBe(path);
    expect(await ended(again)).toMatch(/Erased\. Records that had to stay/);
  });
});

describe('live figures', () => {
  it('tell of a webhook what came since the last look, and nothing twice', async () => {
    const key = { ...service, apiKey: workspace.apiKey };
    const body = { name: hostile, url: `${service.baseUrl}/health`, events: ['email.delivered'] };
    const { body: webhook } = await call(key, 'POST', '/api/v1/webhooks', { body });
    const page = (await visitor.get(place(`/webhooks/${webhook.id}`))).text;
    const [, first = ''] = /data-live="([^"]+)"/.exec(page) ?? [];
    expect(JSON.parse((await visitor.get(first)).text).rows).toEqual([]);
    await call(key, 'POST', `/api/v1/webhooks/${webhook.id}/test`, {});
    const { rows, next } = JSON.parse((await visitor.get(first)).text);
    expect(rows).toMatchObject([{ cells: [{ text: 'webhook.test' }, {}, {}, {}, {}] }]);
    expect(JSON.parse((await visitor.get(next)).text).rows).toEqual([]);
  });

  it('of the overview are over when other campaigns are on their way, and are nobody else’s', async () => {
    expect(JSON.parse((await visitor.get(place('/live?of='))).text)).toEqual({ figures: {}, bars: {}, isEnded: false });
    expect(JSON.parse((await visitor.get(place('/live?of=camp_1'))).text)).toMatchObject({ isEnded: true });
    expect((await fetch(`${service.baseUrl}${place('/live')}`)).status).toBe(401);
  });
});

describeInChromium('an import in Chromium', () => {
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: ['--no-sandbox'] });
    context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' });
    page = await context.newPage();
    page.setDefaultTimeout(10_000);
  });
  afterAll(() => browser?.close());

  it('sends a large file in pieces, by clicks alone, and shows how far it is until it is done', async () => {
    const complaints = await watch(page, service.baseUrl);
    await page.goto(await signInLink(service, { workspaceId: workspace.workspaceId, role: 'editor' }));
    await page.click('button');
    await page.goto(`${service.baseUrl}${place('/people')}`);
    await page.click('main >> text=Import');
    // A few people, and enough beside them to make the file three pieces long.
    const filling = 'x'.repeat(900_000);
    const lines = Array.from({ length: 10 }, (_, index) => `p${index}@large.example,P${index},${filling}`);
    const buffer = Buffer.from(`email,first name,${hostile.replaceAll('"', "'")}\n${lines.join('\n')}\n`);
    await page.setInputFiles('#file', { name: 'large.csv', mimeType: 'text/csv', buffer });
    await page.click('text=Upload');
    await page.waitForSelector('select[name="column-2"]');
    await page.selectOption('select[name="column-2"]', 'ignored');
    await page.click('text=Yes, I have their consent');
    await page.click('text=Preview result');
    expect(await page.textContent('main')).toContain('About');
    await page.click('main button');
    await page.waitForSelector('text=Done', { timeout: 30_000 });
    expect(await page.textContent('[data-figure=added]')).toBe('10');
    expect(complaints).toEqual([]);
  });
});
