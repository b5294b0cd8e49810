import { randomUUID } from 'node:crypto';
import { call } from '../client.ts';
import { inbox } from '../inbox.ts';
import { connectAgent } from '../mcp/agents.ts';
import { startService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';
import { draft, operator, send, show, subscribe, untilSent } from './campaign.ts';

let service: TestService;
let workspace: TestWorkspace;
const person = `p${randomUUID().slice(0, 12)}@example.net`;
const api = () => ({ ...service, apiKey: workspace.apiKey });

beforeAll(async () => {
  service = await startService();
  workspace = await newWorkspace(service);
  await subscribe(api(), [person, { email: `vip${person}`, tags: ['vip'] }]);
});
afterAll(() => service.stop());

const at = '2099-12-01T09:00:00Z';
const mistaken: Record<string, unknown> = {
  scheduled_at: at,
  scheduledAt: at,
  send_at: at,
  TEST: true,
  Simulate: true,
  PREVIEW: true,
  'dry run': true,
  is_test: true,
  validate_only: true,
  recipient: [person],
  destinataire: person,
  Audience: [person],
  emails_to: [person],
  'to ': [person],
  cc: person,
  segment_id: 'seg_none',
  segment: 'Paris',
};

describe('a send that its caller did not mean', () => {
  it.each(Object.entries(mistaken))('is refused with %j, and nothing is sent', async (name, value) => {
    const id = await draft(api());
    for (const dry_run of [undefined, true]) {
      const { status, body } = await send(api(), id, { [name]: value, ...(dry_run && { dry_run }) });
      expect([status, body.error.details.issues]).toEqual([422, [{ path: name, message: expect.any(String) }]]);
    }
    expect((await show(api(), id)).status).toBe('draft');
    const agent = await connectAgent('second', api());
    for (const tool of ['send_campaign', 'preview_campaign_send']) {
      const { isError, content } = await agent.use(tool, { id, [name]: value });
      expect([isError, content.name, content.error.details.issues[0].path]).toEqual([true, 'validation_error', name]);
    }
    await agent.close();
    expect((await show(api(), id)).status).toBe('draft');
  });

  it.each(['dry_run=true', 'to=a%40example.net', 'test'])('is refused with ?%s in its address', async (query) => {
    const id = await draft(api());
    const { status } = await call(api(), 'POST', `/api/v1/campaigns/${id}/send?${query}`);
    expect([status, (await show(api(), id)).status]).toEqual([422, 'draft']);
  });

  it.each(['segmentId', 'segment', 'list_id', 'fromEmail', 'abTest', 'scheduled_at', 'reply_to', 'preHeader', 'foo'])(
    'has no draft: a draft with %s is refused',
    async (name) => {
      const body = { name: 'N', subject: 'S', text: 'T', [name]: 'x' };
      const answer = await call(api(), 'POST', '/api/v1/campaigns', { body });
      expect([answer.status, answer.body.error.details.issues.map(({ path }: { path: string }) => path)]).toEqual([
        422,
        [name],
      ]);
      const agent = await connectAgent('second', api());
      expect((await agent.use('create_campaign', body)).isError).toBe(true);
      await agent.close();
    },
  );

  it('may contain names that mean nothing, which a header lists', async () => {
    const id = await draft(api());
    const { status, headers } = await send(api(), id, { dry_run: true, note: 'x', subject: 'y', 'é,': 1 });
    expect([status, headers.get('Mailroom-Ignored')]).toEqual([200, 'note, subject, %C3%A9%2C']);
    expect((await send(api(), id, { dry_run: true })).headers.get('Mailroom-Ignored')).toBeNull();
  });
});

describe('a draft with several problems', () => {
  it('gets all of them at once, also those of the workspace', async () => {
    const bare = await newWorkspace(service, { sender: false });
    const body = { name: 'N', subject: 'S', text: 'é'.repeat(400_000), tag: 'category:none', segment_id: 'seg_none' };
    const problems = async (own: { apiKey: string }) => {
      const answer = await call({ ...service, ...own }, 'POST', '/api/v1/campaigns', { body });
      return [answer.status, answer.body.error.details.issues.map(({ path }: { path: string }) => path).sort()];
    };
    expect(await problems(workspace)).toEqual([422, ['tag', 'text']]);
    expect(await problems(bare)).toEqual([422, ['from', 'tag', 'text']]);
    const template = { ...body, text: undefined, template: { id: 'tpl_none' } };
    const { body: refusal } = await call(api(), 'POST', '/api/v1/campaigns', { body: template });
    expect(refusal.error.details.issues.map(({ path }: { path: string }) => path)).toEqual(['template.id', 'tag']);
  });
});

describe('an email', () => {
  const email = () => ({ from: `a@${workspace.domain}`, to: `later${person}`, subject: 'S', text: 'T' });
  const mail = (path: string, body: unknown) => call(api(), 'POST', `/api/v1${path}`, { body });

  it('with scheduledAt waits, alone and in a batch', async () => {
    const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
    const one = await mail('/emails', { ...email(), scheduledAt, sendAt: scheduledAt });
    expect([one.status, one.headers.get('Mailroom-Ignored')]).toEqual([202, 'sendAt']);
    const many = await mail('/emails/batch', [{ ...email(), ScheduledAt: scheduledAt }]);
    for (const { id } of [one.body, ...many.body.data]) {
      expect((await call(api(), 'GET', `/api/v1/emails/${id}`)).body.status).toBe('scheduled');
    }
    const twice = await mail('/emails', { ...email(), scheduledAt, scheduled_at: at });
    expect([twice.status, twice.body.error.details.issues[0].path]).toEqual([422, 'scheduledAt']);
    expect((await call(api(), 'POST', '/api/v1/emails?dry_run=true', { body: email() })).status).toBe(422);
    expect(await inbox(service, `later${person}`)).toEqual([]);
  });
});

describe('a dry run', () => {
  const content = [
    { type: 'image', src: 'http://example.com/a.png', alt: '' },
    { type: 'paragraph', text: 'Hi {{firstName}}, [look](https://elsewhere.example/x)' },
  ];
  const variants = [
    { subject: 'A', preheader: 'P' },
    { preheader: 'P', content: [{ type: 'paragraph', text: 'Hello' }] },
  ];

  it('shows sender, subject and what deserves a look, in the language of the call', async () => {
    const from = `News <news@${workspace.domain}>`;
    const id = await draft(api(), { from, subject: '{{firstName|Hi}}!', content });
    const { body } = await send(api(), id, { dry_run: true });
    expect(body).toMatchObject({ would_send: true, from, subject: '{{firstName|Hi}}!' });
    const codes = ['alternatives', 'foreign_links', 'insecure', 'fallbacks', 'preheader', 'postal_address'];
    expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual(codes);
    expect(body.warnings[1].message).toContain('elsewhere.example');
    const french = await send(api(), id, { dry_run: true }, { 'Accept-Language': 'fr' });
    expect(french.body.warnings[4].message).toContain('aperçu');
    const agent = await connectAgent('second', api());
    expect((await agent.use('preview_campaign_send', { id })).content).toEqual(body);
    await agent.close();
  });

  it('of an A/B test names the variant, and one that is refused is told all the same', async () => {
    const ab_test = { variants, test_share: 0.5, decide_by: 'clicks', wait_hours: 1 };
    const id = await draft(api(), { content, ab_test });
    const { body } = await send(api(), id, { dry_run: true, to: [person] });
    expect(body).toMatchObject({ would_send: false, subject: 'Hello' });
    expect(body.warnings.map(({ code }: { code: string }) => code)).toEqual([
      ...['alternatives', 'foreign_links', 'insecure', 'fallbacks', 'postal_address'],
    ]);
    expect(body.warnings[0].message).toMatch(/^Variant A: /);
  });
});

describe('the target', () => {
  it('is in the answer of create, dry run and send, with the names of the moment', async () => {
    const own = await operator(service, workspace);
    const segment = await own.segment({ tag: 'vip' });
    const [{ setTopic, deleteTopic }, { updateSettings }, { operatorContext }] = await Promise.all([
      import('../../../shared/services/topics.ts'),
      import('../../../shared/store/workspace/workspaces.ts'),
      import('../../shared/services/context.ts'),
    ]);
    const context = operatorContext(workspace.workspaceId);
    await setTopic(context, { tag: 'category:news', name: 'News' });
    const body = { name: 'N', subject: 'S', text: 'T', segment_id: segment.id, tag: 'category:news' };
    const created = await call(api(), 'POST', '/api/v1/campaigns', { body });
    const topic = { id: expect.stringMatching(/^top_[0-9a-z]{26}$/), name: 'News' };
    const target = { segment: { id: segment.id, name: segment.name }, topic };
    expect([created.status, created.body.target]).toEqual([201, target]);
    const dry = await send(api(), created.body.id, { dry_run: true });
    expect(dry.body).toMatchObject({ recipients: 1, target: created.body.target });
    await setTopic(context, { tag: 'category:news', name: 'Newsletter' });
    const sent = await send(api(), created.body.id);
    expect(sent.body.target).toEqual({ ...target, topic: { ...topic, name: 'Newsletter' } });
    expect(sent.body.target.topic.id).toBe(created.body.target.topic.id);
    await untilSent(api(), created.body.id);
    const again = await send(api(), created.body.id, { dry_run: true });
    expect(again.body).toMatchObject({ would_send: false, target: sent.body.target });
    const another = await call(api(), 'POST', '/api/v1/campaigns', { body });
    await expect(deleteTopic(context, { id: 'category:news' })).rejects.toMatchObject({
      code: 'conflict',
      details: { campaigns: [{ id: another.body.id, name: 'N', status: 'draft' }] },
    });
    // As if the topic had been deleted while the draft was written.
    await updateSettings(workspace.workspaceId, { kinds: [] });
    const aimless = await send(api(), another.body.id, { dry_run: true });
    expect(aimless.body).toMatchObject({ would_send: false, blocked_reason: expect.stringContaining('was deleted') });
    await setTopic(context, { tag: 'category:news', name: 'News' });
    await call(api(), 'DELETE', `/api/v1/campaigns/${another.body.id}`);
    await deleteTopic(context, { id: 'category:news' });
    expect((await send(api(), created.body.id, { dry_run: true })).body.target.topic).toBeNull();
  });

  it('is a segment by its id alone: a name is unknown, and a rename changes nobody', async () => {
    Object.assign(process.env, service.environment);
    const [segments, { changeDraft, getCampaign }, { operatorContext }] = await Promise.all([
      import('../../../shared/services/segments.ts'),
      import('../../../shared/store/campaign/campaigns.ts'),
      import('../../shared/services/context.ts'),
    ]);
    const context = () => operatorContext(workspace.workspaceId);
    const { id: segment_id } = await segments.createSegment(context(), { name: 'N', rule: { tag: 'vip' } });
    for (const name of ['N', 'n', ' N', 'seg_01k9zq3v5c8r2m4n6p7s9t0wxy']) {
      const body = { name: 'C', subject: 'S', text: 'T', segment_id: name };
      const answer = await call(api(), 'POST', '/api/v1/campaigns', { body });
      expect([name, answer.status, answer.body.name]).toEqual([name, 404, 'not_found']);
    }
    const id = await draft(api(), { segment_id });
    await segments.editSegment(context(), { id: segment_id, name: 'Old' });
    await segments.createSegment(context(), { name: 'N', rule: { not: { tag: 'vip' } } });
    const dry = () => send(api(), id, { dry_run: true });
    expect((await dry()).body).toMatchObject({ recipients: 1, target: { segment: { id: segment_id, name: 'Old' } } });
    // A draft of an earlier release, which kept the name.
    const campaign = await getCampaign({ workspaceId: workspace.workspaceId, id });
    if (!campaign) throw new Error('The draft is missing.');
    const variants = [{ name: null, subject: 'S', preheader: null, from: campaign.from, blocks: [] }];
    await changeDraft(campaign, { ...campaign, segmentId: 'N', revision: 1 }, { variants });
    expect((await dry()).body).toMatchObject({
      would_send: false,
      recipients: null,
      blocked_reason: expect.stringContaining('"N"'),
      target: { segment: { id: 'N', name: null } },
    });
    const { status, body } = await send(api(), id);
    expect([status, body.error.details.reason]).toEqual([422, 'segment_by_name']);
    await expect((await operator(service, workspace)).schedule(id, new Date(at))).rejects.toThrow('"N"');
    expect((await show(api(), id)).status).toBe('draft');
  });

  it('of a segment that was deleted is not the whole list', async () => {
    const { deleteSegment } = await import('../../../shared/store/workspace/segments.ts');
    const { id: segment_id } = await (await operator(service, workspace)).segment({ tag: 'vip' });
    const id = await draft(api(), { segment_id });
    const refused = await call(api(), 'DELETE', `/api/v1/segments/${segment_id}`);
    const aimed = [{ id, name: expect.any(String), status: 'draft' }];
    expect([refused.status, refused.body.error.details.campaigns]).toEqual([409, aimed]);
    // As an earlier release did.
    await deleteSegment(workspace.workspaceId, segment_id);
    const dry = await send(api(), id, { dry_run: true });
    expect(dry.body).toMatchObject({ would_send: false, target: { segment: { id: segment_id, name: null } } });
    expect((await send(api(), id)).status).toBe(404);
    expect((await show(api(), id)).status).toBe('draft');
  });
});
