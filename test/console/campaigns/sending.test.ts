import { draft, follow, send, subscribe } from '../../acceptance/campaigns/campaign.ts';
import { call, eventually } from '../../acceptance/client.ts';
import { inbox, received } from '../../acceptance/inbox.ts';
import { startService, type TestService } from '../../acceptance/service.ts';
import { operatorContext } from '../../shared/services/context.ts';
import { visitorWith } from '../visitor.ts';
import { type Desk, hostile, newDesk, people } from './desk.ts';

let service: TestService;
let desk: Desk;

beforeAll(async () => {
  service = await startService();
  Object.assign(process.env, service.environment);
});
afterAll(() => service.stop());

describe('sending a campaign from the console, without a script', () => {
  beforeEach(async () => {
    desk = await newDesk(service);
  });

  it('sends a test to each address once, however often the form is sent, marked and apart from the campaign', async () => {
    const { editor, place, post, begun, shown } = desk;
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
    const { editor, place, api, begun } = desk;
    const [ada = '', bob = ''] = people(2);
    await subscribe(api, [ada, bob]);
    await call(api, 'POST', '/api/v1/suppression', { body: { email: bob } });
    const id = await begun();
    const { text } = await editor.get(place(`/${id}/audience?count=yes`));
    expect(text).toMatch(/<dd>1<\/dd>/);
    expect(text).toMatch(new RegExp(`${ada}.*?Included`, 's'));
    expect(text).toMatch(new RegExp(`${bob}.*?Excluded.*?Unsubscribed`, 's'));
  });

  it('counts nobody before its pages are shown, and says where the number is', async () => {
    const { editor, place, api, begun } = desk;
    await subscribe(api, people(2));
    const id = await begun();
    for (const page of ['check', 'audience', 'send', 'schedule']) {
      const path = place(`/${id}/${page}`);
      const [{ text: first }, { text: counted }] = await Promise.all([
        editor.get(path),
        editor.get(`${path}?count=yes`),
      ]);
      expect([page, first]).toEqual([page, expect.stringContaining(`data-deferred="${path}?count=yes"`)]);
      expect([page, first]).toEqual([
        page,
        expect.stringContaining(`<a class="button plain" href="${path}?count=yes"`),
      ]);
      expect([page, first.includes('name="typed"'), first.includes('name="count"')]).toEqual([page, false, false]);
      expect([page, counted]).toEqual([page, expect.not.stringContaining('data-deferred')]);
      expect([page, counted]).toEqual([page, expect.stringMatching(/<dd>2<\/dd>|Recipients: 2\./)]);
    }
  });

  it('names its segment on every page on which an operator confirms the send', async () => {
    const { editor, place, api, workspace } = desk;
    const { createSegment } = await import('../../../shared/services/segments.ts');
    const segment = await createSegment(operatorContext(workspace.workspaceId), {
      name: hostile,
      rule: { tag: 'vip' },
    });
    await subscribe(api, [{ email: people(1)[0], tags: ['vip'] }, { email: people(1)[0] }]);
    const id = await draft(api, { segment_id: segment.id });
    for (const page of ['', '/send', '/send?count=yes', '/schedule']) {
      const { text } = await editor.get(place(`/${id}${page}`));
      expect([page, text]).toEqual([page, expect.stringMatching(/<bdi>&lt;img src=x[^<]+<\/bdi>/)]);
      expect(text).not.toContain(hostile);
    }
    expect((await editor.get(place(`/${id}/send?count=yes`))).text).toContain('Send now (1)');
  });

  it('says on the same pages whom its topic leaves out', async () => {
    const { editor, place, api, begun, workspace } = desk;
    const { setTopic } = await import('../../../shared/services/topics.ts');
    const tag = 'category:offers';
    await setTopic(operatorContext(workspace.workspaceId), { tag, name: hostile });
    await subscribe(api, people(1));
    const id = await draft(api, { tag });
    const said = {
      en: /without people who have left the topic “&lt;img src=x[^<]+”/,
      fr: /sans les personnes qui ont quitté le type d’e-mail «\u00a0&lt;img src=x[^<]+»/,
    };
    const form_token = await editor.formToken(place(`/${id}`));
    for (const language of ['fr', 'en'] as const) {
      const chosen = await editor.post('/console/language', { form_token, language, back: place() });
      const reader = visitorWith(service, `${editor.cookie}; ${chosen.headers.get('set-cookie')?.split(';')[0]}`);
      for (const page of ['', '/send', '/send?count=yes', '/schedule']) {
        const { text } = await reader.get(place(`/${id}${page}`));
        expect([page, text]).toEqual([page, expect.stringMatching(said[language])]);
      }
    }
    expect((await editor.get(place(`/${await begun()}/send`))).text).not.toContain('have left the topic');
  });

  it('is stopped by what only the count finds: nobody to write to is said, and neither sent nor scheduled', async () => {
    const { editor, place, post, begun, shown } = desk;
    const id = await begun();
    const check = place(`/${id}/check`);
    expect((await editor.get(`${check}?count=yes`)).text).toContain('Nobody would receive this campaign');
    expect((await editor.get(place(`/${id}/send?count=yes`))).headers.get('location')).toBe(check);
    expect((await editor.get(place(`/${id}/schedule?count=yes`))).text).toContain('Nobody would receive this campaign');
    const late = await post(place(`/${id}/schedule`), { day: '2031-03-03', time: '09:15', zone: 'UTC' });
    expect(late.headers.get('location')).toBe(check);
    expect((await shown(id)).status).toBe('draft');
  });

  it('goes out once to each, by the word and the number that were agreed to, however often it is sent', async () => {
    const { editor, place, api, post, begun, shown } = desk;
    const list = people(4);
    await subscribe(api, list.slice(0, 3));
    const id = await begun();
    const page = place(`/${id}/send?count=yes`);
    expect((await editor.get(page)).text).toContain('Send now (3)');
    expect((await post(page, { typed: 'yes' })).text).toContain('type the word as shown above');
    expect((await post(page, { typed: 'send', count: '300' })).text).toContain(
      'there are now 3 recipients instead of 300',
    );
    const unseen = await editor.post(place(`/${id}/send`), {
      form_token: await editor.formToken(page),
      revision: '0',
      typed: 'send',
    });
    expect(unseen.text).toContain('there are now 3 recipients instead of 0');
    const stale = await post(page, { typed: 'send', revision: '7' });
    expect(stale.text).toContain('This campaign was edited since you looked at it');
    expect((await shown(id)).status).toBe('draft');
    const form_token = await editor.formToken(page);
    const fields = { form_token, typed: 'Send', count: '3', revision: '0' };
    const action = place(`/${id}/send`);
    const clicks = await Promise.all([1, 2, 3].map(() => editor.post(action, fields)));
    const there = `${place(`/${id}`)}?done=sending`;
    expect(clicks.map(({ headers }) => headers.get('location'))).toEqual([there, there, there]);
    await follow(api, id, ({ status }) => status === 'sent', 60);
    expect((await editor.post(action, fields)).headers.get('location')).toBe(there);
    for (const email of list.slice(0, 3)) expect((await inbox(service, email)).length).toBe(1);
    const sent = await editor.get(place(`/${id}/people?outcome=sent`));
    for (const email of list.slice(0, 3)) expect(sent.text).toContain(email);
    expect((await editor.get(place(`/${id}/people?outcome=failed`))).text).toContain('No recipient has this outcome.');
    const csv = await post(place(`/${id}/people`), { outcome: 'sent' }, place(`/${id}/people/export`));
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="people-1.csv"');
    expect(csv.text.split('\n')[0]).toBe(
      'email,outcome,reason,delivered,bounced,complained,opened,clicked,unsubscribed',
    );
    expect(csv.text.trim().split('\n')).toHaveLength(4);
    expect((await editor.get(place(`/${id}/edit`))).headers.get('location')).toBe(place(`/${id}`));
  });

  it('never goes out as it stood before an edit that was saved meanwhile', async () => {
    const { workspace, place, api, post, formOf, begun, shown } = desk;
    await subscribe(api, people(1));
    const id = await begun();
    const [{ getCampaign, startSending, moveCampaign }] = await Promise.all([
      import('../../../shared/store/campaign/campaigns.ts'),
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
    const { editor, place, api, post, begun, shown } = desk;
    await subscribe(api, people(1));
    const id = await begun();
    const page = place(`/${id}/schedule`);
    const wanted = { day: '2031-03-30', time: '02:30', zone: 'Europe/Paris' };
    expect((await post(page, wanted)).text).toContain(
      'clocks in Europe/Paris go forward. The corresponding time is 2031-03-30 03:30',
    );
    const fold = await post(page, { ...wanted, day: '2031-10-26' });
    expect(fold.text).toContain('The second: 2031-10-26 02:30 (Europe/Paris, GMT+1)');
    expect((await post(page, { ...wanted, day: '2020-01-01' })).text).toContain('must be in the future');
    const done = await post(page, { ...wanted, day: '2031-10-26', which: 'second' });
    expect(await shown(id)).toMatchObject({ status: 'scheduled', scheduledAt: '2031-10-26T01:30:00.000Z' });
    // Whoever comes second is told that it is scheduled only for the moment that it is.
    const form_token = await editor.formToken(place(`/${id}`));
    const late = (fields: Record<string, string>, path: string) =>
      editor.post(place(`/${id}${path}`), { form_token, revision: '0', ...fields });
    const same = await late({ ...wanted, day: '2031-10-26', which: 'second' }, '/schedule');
    expect(same.headers.get('location')).toBe(done.headers.get('location'));
    const other = await late({ ...wanted, day: '2031-10-27' }, '/schedule');
    const sent = await late({ typed: 'send', count: '1' }, '/send');
    for (const { headers } of [other, sent]) expect(headers.get('location')).toBe(place(`/${id}`));
    const remembered = done.headers.get('set-cookie')?.split(';')[0] ?? '';
    const again = visitorWith(service, `${editor.cookie}; ${remembered}`);
    const another = place(`/${await begun()}/schedule`);
    expect((await editor.get(another)).text).toMatch(/<select id="zone"[^>]*><option value="UTC">/);
    expect((await again.get(another)).text).toMatch(/<select id="zone"[^>]*><option value="Europe\/Paris">/);
    const { text } = await editor.get(done.headers.get('location') ?? '');
    expect(text).toContain('2031-10-26 02:30 (Europe/Paris, GMT+1)');
    await post(place(`/${id}`), {}, place(`/${id}/unschedule`));
    expect((await shown(id)).status).toBe('draft');
  });

  it('has an A/B test of its subjects, whose sizes are shown before the send', async () => {
    const { editor, place, api, post, formOf, begun, shown } = desk;
    await subscribe(api, people(10));
    const id = await begun();
    const page = place(`/${id}/edit`);
    const added = await post(page, formOf({ do: 'variant:add' }));
    expect(added.headers.get('location')).toContain('#ab_test.variants%5B1%5D.subject');
    await post(
      page,
      formOf({ 'ab_test.variants[1].subject': 'Other', 'ab_test.test_share': '50', 'ab_test.wait_hours': '2' }),
    );
    expect((await shown(id)).kind).toBe('ab_test');
    expect((await editor.get(place(`/${id}/send?count=yes`))).text).toContain('5 of them get one of 2 variants first');
    expect((await editor.get(place(`/${id}`))).text).toContain('The test starts when the campaign is sent.');
    await post(page, formOf({ 'ab_test.variants[1].subject': 'Other', do: 'variant:remove:1' }));
    expect((await shown(id)).kind).toBe('regular');
  });

  it('updates itself while it is sent, shows each variant before the decision, and ends when its state changes', async () => {
    const { editor, place, api, post } = desk;
    await subscribe(api, people(10));
    const variants = [{ subject: 'Red' }, { subject: 'Blue' }];
    const ab_test = { test_share: 0.4, decide_by: 'clicks', wait_hours: 3, variants };
    const id = await draft(api, { ab_test });
    const page = place(`/${id}`);
    expect((await editor.get(page)).text).not.toContain('data-live');
    await send(api, id);
    await follow(api, id, ({ progress }) => progress.sent === 4, 60);
    const { getCampaign } = await import('../../../shared/store/campaign/campaigns.ts');
    const { workspaceId } = desk.workspace;
    await eventually(async () => (await getCampaign({ workspaceId, id }))?.test?.decideAt);
    const { text } = await editor.get(page);
    const [, live = ''] = /data-live="([^"]+)"/.exec(text) ?? [];
    const look = async () => JSON.parse((await editor.get(live.replaceAll('&amp;', '&'))).text);
    expect(await look()).toMatchObject({
      figures: { summary: '4 of 10', sent: '4', waiting: '6', delivered: expect.stringMatching(/^[0-4] · /) },
      bars: { progress: { value: 4, max: 10 } },
      isEnded: false,
    });
    expect(text).toMatch(/The variant with the highest click rate wins\. Decision: <time/);
    expect(text).toContain(`data-deferred="${page}?figures=yes"`);
    const figures = await editor.get(`${page}?figures=yes`);
    const rows = [...figures.text.matchAll(/<b>([AB])<\/b> <bdi>(\w+)<\/bdi>.*?<div>(\d+)<\/div>/gs)];
    expect(rows.map(([, ...cells]) => cells)).toEqual([
      ['A', 'Red', '2'],
      ['B', 'Blue', '2'],
    ]);
    await post(page, {}, `${page}/pause`);
    expect(await look()).toMatchObject({ isEnded: true });
    expect((await editor.get(page)).text).toContain('Stopped: paused by an operator.');
    await post(`${page}/cancel`, {});
    await follow(api, id, ({ status }) => status === 'sent', 60);
    expect((await editor.get(page)).text).toContain(
      'The campaign was cancelled before the decision: there is no winner.',
    );
    const list = await editor.get(`${page}/people?outcome=skip.canceled`);
    const outcomes = [...list.text.matchAll(/people\?outcome=([\w.]+)"[^>]*>[^<]+<span class="soft">(\d+)</g)];
    expect(outcomes.map(([, ...cells]) => cells)).toEqual(
      expect.arrayContaining([
        ['sent', '4'],
        ['skipped', '6'],
        ['skip.canceled', '6'],
      ]),
    );
    const [first = '', ...others] = [...list.text.matchAll(/href="([^"]+\/people\/at\/[^"]+)"/g)].map(
      ([, href]) => href,
    );
    expect([others.length, (await editor.get(first)).status]).toEqual([5, 200]);
    const csv = await post(`${page}/people`, { outcome: 'skip.canceled' }, `${page}/people/export`);
    expect(csv.text.trim().split('\n')).toHaveLength(7);
    expect((await editor.get(`${page}/people?outcome=skip.gone`)).text).toContain('No recipient has this outcome.');
  });
});
