import { subscribe } from '../../acceptance/campaigns/campaign.ts';
import { call } from '../../acceptance/client.ts';
import { startService, type TestService } from '../../acceptance/service.ts';
import { operatorContext } from '../../shared/services/context.ts';
import { visitorOf } from '../visitor.ts';
import { type Desk, hostile, newDesk, people } from './desk.ts';

let service: TestService;
let desk: Desk;

beforeAll(async () => {
  service = await startService();
  Object.assign(process.env, service.environment);
});
afterAll(() => service.stop());

describe('writing a campaign in the console, without a script', () => {
  beforeEach(async () => {
    desk = await newDesk(service);
  });

  it('is begun, written block by block, and saved with what each button does', async () => {
    const { editor, place, post, formOf, begun } = desk;
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

  it('is previewed for a person, whose address is in no URL', async () => {
    const { editor, place, api, post, formOf, begun } = desk;
    const [ada = ''] = people(1);
    await subscribe(api, [{ email: ada, firstName: 'Ada' }]);
    const id = await begun();
    const page = place(`/${id}/edit`);
    const shown = await post(page, formOf({ as: ada, do: 'view:phone' }));
    const back = shown.headers.get('location') ?? '';
    expect(back).toMatch(/view=phone&as=[\w-]{40,}/);
    const { text } = await editor.get(back);
    expect(text).toContain(`value="${ada}"`);
    const [, frame = ''] = /<iframe[^>]+src="([^"]+)"/.exec(text) ?? [];
    expect(frame).not.toContain('people.example');
    expect((await editor.get(frame.replaceAll('&amp;', '&'))).text).toContain('News of Ada.');
    const preview = place(`/${id}/preview`);
    const found = await post(preview, { as: ada.toUpperCase() });
    expect(found.headers.get('location')).toMatch(/preview\?as=[\w-]{40,}$/);
    expect((await editor.get(found.headers.get('location') ?? '')).text).toContain('News of Ada.');
    expect((await post(preview, { as: 'Ada' })).text).toContain('is not an address');
    expect((await editor.get(`${place(`/${id}/message`)}?as=${ada}`)).text).toContain('News of you.');
  });

  it('written as HTML through the API is shown as that, and stays as it is when the rest is edited', async () => {
    const { editor, place, api, post, formOf, shown } = desk;
    const html = '<h1>Hello {{firstName|you}}</h1>\r\n<p class="x">a &amp; b</p></textarea><!-- c -->\n';
    const body = {
      name: 'Letter',
      subject: 'Hi',
      html,
      plain_text: 'Hello\r\n',
      reply_to: ['Help <help@example.org>'],
    };
    const { id } = (await call(api, 'POST', '/api/v1/campaigns', { body })).body;
    const page = place(`/${id}/edit`);
    const { text } = await editor.get(page);
    expect(text).toContain('was written as HTML');
    expect(text).toContain('&lt;p class=&quot;x&quot;&gt;');
    expect(text).not.toMatch(/name="content\[0\]|name="html"/);
    const written = { html, plain_text: body.plain_text, text: null, content: null };
    const fields = { subject: 'Other', 'content[0].text': 'No', reply_to: 'Help <help@example.org>\r\n' };
    expect((await post(page, formOf({ ...fields, do: 'save' }))).status).toBe(303);
    expect(await shown(id)).toMatchObject({ ...written, subject: 'Other', reply_to: body.reply_to, revision: 1 });
    await post(page, formOf({ ...fields, do: 'add:image:content' }));
    await post(page, formOf({ ...fields, do: 'variant:add' }));
    const tested = { ...fields, 'ab_test.variants[1].subject': 'Third', do: 'save' };
    expect((await post(page, formOf(tested))).status).toBe(303);
    const after = await shown(id);
    expect(after).toMatchObject({ ...written, kind: 'ab_test' });
    expect(after.ab_test.variants.map(({ subject }: { subject: string }) => subject)).toEqual(['Other', 'Third']);
    const saved = await post(page, formOf(tested), `${page}/save`);
    expect(JSON.parse(saved.text)).toMatchObject({ outcome: 'saved', issues: [] });
    expect(await shown(id)).toMatchObject(written);
    const frame = await editor.get(place(`/${id}/message?variant=1`));
    expect(frame.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none';/);
    expect(frame.text).toContain('<h1>Hello you</h1>');
    expect((await editor.get(place(`/${id}/preview`))).text).toContain('help@example.org');
    expect((await editor.get(place(`/${id}/check`))).text).toContain('OK</span><span>Sender and content');
  });

  it('offers the fields of its people, of the rules of segments and of the form beside those that everybody has', async () => {
    const { editor, place, api, workspace, begun } = desk;
    const operator = operatorContext(workspace.workspaceId);
    const [{ setForm }, { createSegment }] = await Promise.all([
      import('../../../shared/services/signUpForm.ts'),
      import('../../../shared/services/segments.ts'),
    ]);
    await setForm(operator, { changes: { fields: [{ name: 'town', label: 'Where do you live?' }] } });
    const rule = { not: { any: [{ field: 'orders', operator: 'greater_than', value: 3 }, { tag: 'vip' }] } } as const;
    await createSegment(operator, { name: 'Few orders', rule });
    await subscribe(api, [{ email: people(1)[0], fields: { plant: 'fern', town: 'Paris' } }]);
    const { text } = await editor.get(place(`/${await begun()}/edit`));
    const [, menu = ''] = /<select id="merge-which"[^>]*>(.*?)<\/select>/s.exec(text) ?? [];
    expect([...menu.matchAll(/value="([^"]+)">([^<]+)</g)].map(([, ...field]) => field)).toEqual([
      ['firstName', 'First name'],
      ['lastName', 'Last name'],
      ['email', 'Address'],
      ['fields.town', 'Where do you live? (town)'],
      ['fields.orders', 'orders'],
      ['fields.plant', 'plant'],
      ['fields', 'Another custom field'],
    ]);
  });

  it('begins with a template', async () => {
    const { editor, place, api, post } = desk;
    const content = [{ type: 'heading', level: 1, text: 'From the template' }];
    const template = await call(api, 'POST', '/api/v1/templates', {
      body: { name: 'Base', subject: 'Its subject', content },
    });
    const { headers } = await post(place('/add'), { name: 'News', subject: '', template: template.body.id });
    expect((await editor.get(headers.get('location') ?? '')).text).toContain('From the template');
  });

  it('is overwritten by no other tab, and what could not be saved stays in the form', async () => {
    const { formOf, editor, place, begun, shown } = desk;
    const id = await begun();
    const page = place(`/${id}/edit`);
    const token = await editor.formToken(page);
    const first = await editor.post(page, { form_token: token, revision: '0', ...formOf({ subject: 'First' }) });
    const second = await editor.post(page, { form_token: token, revision: '0', ...formOf({ subject: 'Second <b>' }) });
    expect([first.status, second.status]).toEqual([303, 409]);
    expect(second.text).toContain('Second &lt;b&gt;');
    expect((await shown(id)).subject).toBe('First');
  });

  it('is saved while it is written, with a list of what is missing, and once after a lost answer', async () => {
    const { editor, place, formOf, begun } = desk;
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

  it('cannot be sent in any way while something is missing, and each page says what', async () => {
    const { editor, place, api, post, formOf, begun } = desk;
    const id = await begun();
    await post(place(`/${id}/edit`), formOf({ 'content[0].text': '{{nobody}}', preheader: 'x' }));
    const refused = await call(api, 'POST', `/api/v1/campaigns/${id}/send`);
    expect([refused.status, refused.body.error.code]).toEqual([422, 'validation_error']);
    expect(refused.body.error.details.issues[0].path).toBe('content[0].text');
    const dry = await call(api, 'POST', `/api/v1/campaigns/${id}/send`, { body: { dry_run: true } });
    expect(dry.body).toMatchObject({ would_send: false, blocked_reason: expect.stringContaining('{{nobody}}') });
    const { text } = await editor.get(place(`/${id}/check`));
    expect(text).toContain('It cannot be sent yet.');
    expect(text).toContain('First text block: line 1, column 1: ');
    expect(text).not.toContain('content[0].text:');
    expect(dry.body.blocked_reason).toMatch(/^First text block: line 1/);
    expect(text).toContain(`${place(`/${id}/edit`)}?check=yes#content%5B0%5D.text`);
    expect((await editor.get(`${place(`/${id}/edit`)}?check=yes`)).text).toContain('id="content[0].text-problem"');
    expect((await editor.get(place(`/${id}/send`))).headers.get('location')).toBe(place(`/${id}/check`));
  });

  it('may be looked at by a viewer, who changes, tests and sends nothing', async () => {
    const { place, formOf, begun, shown } = desk;
    const id = await begun();
    const viewer = await visitorOf(service, { role: 'viewer' });
    expect((await viewer.get(place(`/${id}/edit`))).headers.get('location')).toBe(place(`/${id}`));
    expect((await viewer.get(place(`/${id}/check`))).text).not.toMatch(/\/(edit|test|send|schedule)"/);
    const form_token = await viewer.formToken(place(`/${id}`));
    const fields = { form_token, revision: '0', to: 'ada@people.example', typed: 'send', count: '0' };
    for (const path of ['edit', 'edit/save', 'test']) {
      const { text } = await viewer.post(place(`/${id}/${path}`), { ...formOf(), ...fields });
      expect([path, text]).toEqual([path, expect.stringContaining('only an editor or an owner may change this')]);
    }
    expect((await shown(id)).subject).toBe('Hello');
  });

  it('is one entry of the audit log for what is written in one go', async () => {
    const { workspace, place, post, formOf, begun } = desk;
    const id = await begun();
    for (const subject of ['One', 'Two', 'Three']) await post(place(`/${id}/edit`), formOf({ subject }));
    const { listAudit } = await import('../../../shared/services/operators/operators.ts');
    const { entries } = await listAudit(operatorContext(), { workspaceId: workspace.workspaceId, limit: 20 });
    expect(entries.filter(({ action }) => action === 'campaign.edit')).toMatchObject([
      { by: 'Grace', subject: id, outcome: 'done' },
    ]);
  });
});
