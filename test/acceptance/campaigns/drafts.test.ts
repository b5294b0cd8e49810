import { call } from '../client.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';
import { draft, show, subscribe } from './campaign.ts';

let service: TestService;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  workspace = await newWorkspace(service);
});

const api = () => ({ ...service, apiKey: workspace.apiKey });
const ask = (method: string, path: string, body?: unknown, headers = {}) =>
  call(api(), method, `/api/v1${path}`, { ...(body !== undefined && { body }), headers });
const change = (id: string, body: unknown) => ask('PATCH', `/campaigns/${id}`, body);
const dryRun = async (id: string) => (await ask('POST', `/campaigns/${id}/send`, { dry_run: true })).body;
const pathsOf = ({ body }: Awaited<ReturnType<typeof ask>>) =>
  body.error.details.issues.map(({ path }: { path: string }) => path);

/** The draft as its editor would open it. */
async function written(id: string) {
  Object.assign(process.env, service.environment);
  const [{ readDraft }, { operatorContext }] = await Promise.all([
    import('../../../shared/services/campaigns/drafts.ts'),
    import('../../shared/services/context.ts'),
  ]);
  return (await readDraft(operatorContext(workspace.workspaceId), { id })).draft;
}

describe('a change of a draft', () => {
  it('changes what is given and nothing else, and answers the record', async () => {
    const id = await draft(api(), { preheader: 'What is new', track: { opens: false } });
    const before = await show(api(), id);
    expect([before.revision, before.target, before.track]).toEqual([
      0,
      { segment: null, topic: null },
      { opens: false },
    ]);
    const { status, body } = await change(id, { name: 'Autumn', subject: 'Hello {{firstName|you}}' });
    expect(status).toBe(200);
    const changed = { name: 'Autumn', subject: 'Hello {{firstName|you}}', revision: 1, updatedAt: expect.any(String) };
    expect(body).toEqual({ ...before, ...changed });
    expect(await show(api(), id)).toEqual(body);
    const body2 = await change(id, { text: '# Title\n\nBody' });
    expect([body2.status, body2.body.revision]).toEqual([200, 2]);
    expect((await written(id)).variants).toEqual([
      expect.objectContaining({
        subject: 'Hello {{firstName|you}}',
        preheader: 'What is new',
        blocks: [
          { type: 'heading', level: 1, text: 'Title' },
          { type: 'paragraph', text: 'Body' },
        ],
      }),
    ]);
  });

  it('clears by null what may be empty, and refuses it for the rest', async () => {
    const segment = (await ask('POST', '/segments', { name: 'Paris', rule: { tag: 'paris' } })).body;
    const from = `Other <other@${workspace.domain}>`;
    const id = await draft(api(), { preheader: 'P', from, segment_id: segment.id, track: { clicks: false } });
    expect((await show(api(), id)).target.segment).toEqual({ id: segment.id, name: 'Paris' });
    const cleared = await change(id, { preheader: null, from: null, segment_id: null, tag: null, track: null });
    expect(cleared.body).toMatchObject({
      ...{ preheader: null, from: `Test <hello@${workspace.domain}>`, track: {}, segment_id: null },
      target: { segment: null, topic: null },
    });
    for (const field of ['name', 'subject', 'text', 'content', 'template', 'revision']) {
      const answer = await change(id, { [field]: null });
      expect([field, answer.status, pathsOf(answer)]).toEqual([field, 422, [field]]);
    }
  });

  it('is refused with everything that is wrong with it, and changes nothing', async () => {
    const id = await draft(api());
    const before = await show(api(), id);
    const wrong = await change(id, { subject: 'Hi {{', text: 'a', content: [{ type: 'divider' }], tag: 'no:topic' });
    expect([wrong.status, pathsOf(wrong)]).toEqual([422, expect.arrayContaining(['subject', 'text', 'content'])]);
    const refusals: [object, number, string][] = [
      [{ subject: '' }, 422, 'validation_error'],
      [{ tag: 'no:topic' }, 422, 'validation_error'],
      [{ title: 'Autumn' }, 422, 'validation_error'],
      [{ scheduled_at: '2030-01-01T09:00:00Z' }, 422, 'validation_error'],
      [{ to: ['ada@example.net'] }, 422, 'validation_error'],
      [{ dry_run: true }, 422, 'validation_error'],
      [{ revision: -1 }, 422, 'validation_error'],
      [{ template: { id: 'tpl_01k9zq3v5c8r2m4n6p7s9t0wxy' } }, 422, 'validation_error'],
      [{ segment_id: 'Paris' }, 404, 'not_found'],
      [{ segment_id: 'seg_01k9zq3v5c8r2m4n6p7s9t0wxy' }, 404, 'not_found'],
      [{ from: 'a@unknown.example' }, 422, 'unverified_from_domain'],
    ];
    for (const [body, status, name] of refusals) {
      const answer = await change(id, body);
      expect([body, answer.status, answer.body.name]).toEqual([body, status, name]);
    }
    expect(await show(api(), id)).toEqual(before);
  });

  it('is refused with another revision than that of the draft, and a repeated one succeeds', async () => {
    const id = await draft(api());
    expect((await change(id, { name: 'One', revision: 0 })).body.revision).toBe(1);
    const late = await change(id, { name: 'Two', revision: 0 });
    expect([late.status, late.body.name]).toEqual([409, 'conflict']);
    // The answer to the first call may have been lost.
    const again = await change(id, { name: 'One', revision: 0 });
    expect([again.status, again.body.revision]).toEqual([200, 1]);
    expect((await show(api(), id)).name).toBe('One');
  });

  it('of many at the same revision is made once', async () => {
    const id = await draft(api());
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => change(id, { name: `Name ${index}`, revision: 0 })),
    );
    const made = answers.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
    expect(await show(api(), id)).toMatchObject({ name: made[0]?.body.name, revision: 1 });
  });

  it('takes a template, and is its copy no longer when the body is replaced', async () => {
    const template = await ask('POST', '/templates', {
      name: 'News',
      subject: 'From the template',
      preheader: 'Preview',
      content: [{ type: 'paragraph', text: 'Copied' }],
    });
    const id = await draft(api());
    const { body } = await change(id, { template: { id: template.body.id } });
    expect(body).toMatchObject({
      ...{ subject: 'From the template', preheader: 'Preview', template: { id: template.body.id, version: 1 } },
    });
    expect((await written(id)).variants[0]?.blocks).toEqual([{ type: 'paragraph', text: 'Copied' }]);
    expect((await change(id, { text: 'Own' })).body.template).toBeUndefined();
  });
});

describe('the topic of a draft', () => {
  let news: { id: string; tag: string };
  let jobs: { id: string; tag: string };
  beforeEach(async () => {
    [news, jobs] = await Promise.all(
      ['News', 'Jobs'].map(async (name) => (await ask('POST', '/topics', { name })).body),
    );
  });
  const body = { name: 'N', subject: 'S', text: 'T' };

  it('is named by its tag, by its id, or by both, and shown by both', async () => {
    for (const named of [{ tag: news.tag }, { topic_id: news.id }, { tag: news.tag, topic_id: news.id }]) {
      const created = await ask('POST', '/campaigns', { ...body, ...named });
      expect([created.status, created.body.target.topic]).toEqual([201, { id: news.id, name: 'News' }]);
      expect(await show(api(), created.body.id)).toMatchObject({ tag: news.tag, topic_id: news.id });
    }
    const [listed] = (await ask('GET', '/campaigns')).body.data;
    expect(listed).toMatchObject({ tag: news.tag, topic_id: news.id });
  });

  it('is changed and cleared by either', async () => {
    const id = await draft(api(), { topic_id: news.id });
    expect((await change(id, { topic_id: jobs.id })).body).toMatchObject({ tag: jobs.tag, topic_id: jobs.id });
    expect((await change(id, { topic_id: null })).body).toMatchObject({ tag: null, topic_id: null });
    expect((await change(id, { tag: news.tag })).body).toMatchObject({ topic_id: news.id });
    expect((await change(id, { tag: null, topic_id: null })).body).toMatchObject({ tag: null, topic_id: null });
  });

  it('is refused if the two differ, and not found by another id', async () => {
    const id = await draft(api(), { topic_id: news.id });
    const other = await newWorkspace(service);
    const theirs = (await call(api(), 'POST', '/api/v1/topics', { key: other.apiKey, body: { name: 'News' } })).body;
    expect(theirs.tag).toBe(news.tag);
    const refusals: [object, number, string[] | undefined][] = [
      [{ tag: news.tag, topic_id: jobs.id }, 422, ['topic_id']],
      [{ tag: 'no:topic', topic_id: jobs.id }, 422, ['tag']],
      [{ topic_id: theirs.id }, 404, undefined],
      [{ topic_id: news.tag }, 404, undefined],
      [{ topic_id: 'top_x', subject: '{{x}}' }, 422, ['subject']],
    ];
    for (const [named, status, paths] of refusals) {
      for (const answer of [await ask('POST', '/campaigns', { ...body, ...named }), await change(id, named)]) {
        expect([named, answer.status, paths && pathsOf(answer)]).toEqual([named, status, paths]);
      }
    }
    const cleared = await change(id, { tag: news.tag, topic_id: null });
    expect([cleared.status, pathsOf(cleared)]).toEqual([422, ['topic_id']]);
    expect(await show(api(), id)).toMatchObject({ topic_id: news.id, revision: 0 });
  });
});

describe('the addresses for answers', () => {
  it('are one or 1 to 25, kept as written, and cleared by null', async () => {
    const many = Array.from({ length: 25 }, (_, index) => `Team ${index} <team${index}@example.net>`);
    const id = await draft(api(), { reply_to: 'Help <help@example.net>' });
    expect((await show(api(), id)).reply_to).toEqual(['Help <help@example.net>']);
    expect((await change(id, { reply_to: many })).body.reply_to).toEqual(many);
    expect((await change(id, { name: 'Other' })).body.reply_to).toEqual(many);
    const copy = (await ask('POST', `/campaigns/${id}/duplicate`)).body;
    expect(copy.reply_to).toEqual(many);
    for (const [reply_to, path] of [
      [[...many, 'one@example.net'], 'reply_to'],
      [[], 'reply_to'],
      ['nobody', 'reply_to'],
      [['help@example.net', 'nobody'], 'reply_to[1]'],
      ['a@example.net\r\nBcc: b@example.net', 'reply_to'],
    ] as const) {
      const answer = await change(id, { reply_to });
      expect([reply_to, answer.status, pathsOf(answer)]).toEqual([reply_to, 422, [path]]);
    }
    expect((await change(id, { reply_to: null })).body.reply_to).toBeNull();
  });
});

describe('a change of an A/B test', () => {
  const test = (variants: object[]) => ({ variants, test_share: 0.2, decide_by: 'clicks', wait_hours: 4 });

  it('begins it, changes what all variants share, and ends it', async () => {
    const id = await draft(api());
    const begun = await change(id, { ab_test: test([{}, { subject: 'B' }]) });
    expect([begun.status, begun.body.kind]).toEqual([200, 'ab_test']);
    expect((await change(id, { preheader: 'Both' })).status).toBe(200);
    const { variants } = await written(id);
    expect(variants.map(({ subject, preheader }) => [subject, preheader])).toEqual([
      ['Hello', 'Both'],
      ['B', 'Both'],
    ]);
    const ended = await change(id, { ab_test: null });
    expect([ended.body.kind, ended.body.subject]).toEqual(['regular', 'Hello']);
    expect((await written(id)).variants).toHaveLength(1);
  });

  it('never overwrites what was written to differ', async () => {
    const id = await draft(api(), { ab_test: test([{ text: 'A' }, { text: 'B', subject: 'B' }]) });
    const before = await written(id);
    for (const body of [{ subject: 'All' }, { text: 'All' }]) {
      const answer = await change(id, body);
      expect([answer.status, pathsOf(answer)]).toEqual([422, Object.keys(body)]);
    }
    expect((await change(id, { ab_test: null })).status).toBe(422);
    expect((await change(id, { ab_test: test([{}, { text: 'C' }]) })).status).toBe(422);
    expect(await written(id)).toEqual(before);
    expect((await change(id, { ab_test: null, text: 'One' })).status).toBe(200);
    expect((await written(id)).variants[0]?.blocks).toEqual([{ type: 'paragraph', text: 'One' }]);
  });

  it('is refused when the tracking that decides it is off', async () => {
    const id = await draft(api(), { track: { clicks: false } });
    const answer = await change(id, { ab_test: test([{}, { subject: 'B' }]) });
    expect([answer.status, pathsOf(answer)]).toEqual([422, ['ab_test.decide_by']]);
  });
});

describe('a draft', () => {
  it('is deleted, with its content', async () => {
    const id = await draft(api(), { name: 'Gone' });
    expect((await ask('DELETE', `/campaigns/${id}`)).body).toEqual({ object: 'campaign', id, deleted: true });
    for (const [method, path, body] of [
      ['GET', ''],
      ['PATCH', '', { name: 'Back' }],
      ['DELETE', ''],
      ['POST', '/duplicate'],
      ['POST', '/archive'],
      ['POST', '/send', { dry_run: true }],
    ] as const) {
      expect([method, path, (await ask(method, `/campaigns/${id}${path}`, body)).status]).toEqual([method, path, 404]);
    }
    expect((await ask('GET', '/campaigns')).body.data).toEqual([]);
    Object.assign(process.env, service.environment);
    const [{ queryAll }, { campaignKey }] = await Promise.all([
      import('../../../shared/store/table/table.ts'),
      import('../../../shared/store/table/keys.ts'),
    ]);
    const { pk: partition } = campaignKey(workspace.workspaceId, id);
    expect(await queryAll({ partition, consistency: 'strong' })).toEqual([]);
  });

  it('is duplicated, whatever became of the original', async () => {
    const id = await draft(api(), { preheader: 'P' });
    await change(id, { name: 'Renamed' });
    expect((await ask('POST', `/campaigns/${id}/archive`)).body.status).toBe('archived');
    const { status, body } = await ask('POST', `/campaigns/${id}/duplicate`);
    expect([status, body.status, body.name, body.preheader]).toEqual([201, 'draft', 'Renamed', 'P']);
    expect(body.id).not.toBe(id);
    expect((await change(body.id, { name: 'Copy' })).status).toBe(200);
    expect((await show(api(), id)).name).toBe('Renamed');
    await subscribe(api(), ['ada@example.net']);
    expect(await dryRun(body.id)).toMatchObject({ would_send: true, recipients: 1 });
  });
});

describe('a campaign that is archived', () => {
  it('stays so, and is changed and deleted no more', async () => {
    const id = await draft(api());
    const { updatedAt } = (await ask('POST', `/campaigns/${id}/archive`)).body;
    const again = await ask('POST', `/campaigns/${id}/archive`);
    expect([again.status, again.body.updatedAt]).toEqual([200, updatedAt]);
    for (const answer of [await change(id, { name: 'No' }), await ask('DELETE', `/campaigns/${id}`)]) {
      expect([answer.status, answer.body.error.details.status]).toEqual([409, 'archived']);
    }
    expect((await dryRun(id)).would_send).toBe(false);
  });
});

describe('an Idempotency-Key', () => {
  const keyed = (path: string, key: string, body?: object) =>
    ask('POST', `/campaigns${path}`, body, { 'Idempotency-Key': key });
  const count = async () => (await ask('GET', '/campaigns')).body.data.length;
  const news = { name: 'News', subject: 'News', text: 'News.' };

  it('makes one draft of two calls', async () => {
    const [first, second] = [await keyed('', 'one', news), await keyed('', 'one', news)];
    expect([first.status, first.headers.get('Idempotent-Replay')]).toEqual([201, null]);
    expect([second.status, second.headers.get('Idempotent-Replay')]).toEqual([201, 'true']);
    expect(second.body).toEqual(first.body);
    const path = `/${first.body.id}/duplicate`;
    const copies = [await keyed(path, 'two'), await keyed(path, 'two')];
    expect(copies[1]?.body).toEqual(copies[0]?.body);
    expect(await count()).toBe(2);
  });

  it('makes one copy of many calls at the same time', async () => {
    const id = await draft(api());
    const answers = await Promise.all(Array.from({ length: 5 }, () => keyed(`/${id}/duplicate`, 'many')));
    expect(new Set(answers.flatMap(({ status, body }) => (status === 201 ? [body.id] : []))).size).toBe(1);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await count()).toBe(2);
  });

  it('is refused for another campaign and for another call', async () => {
    const [one, other] = [await draft(api()), await draft(api())];
    expect((await keyed(`/${one}/duplicate`, 'used')).status).toBe(201);
    for (const path of [`/${other}/duplicate`, `/${one}/archive`]) {
      expect((await keyed(path, 'used')).body.name).toBe('idempotency_key_reused');
    }
    expect((await show(api(), one)).status).toBe('draft');
  });
});

it('a field for a call that reads none is refused', async () => {
  const id = await draft(api());
  for (const verb of ['archive', 'duplicate']) {
    const answer = await ask('POST', `/campaigns/${id}/${verb}`, { dry_run: true });
    expect([verb, answer.status, pathsOf(answer)]).toEqual([verb, 422, ['dry_run']]);
    expect((await ask('POST', `/campaigns/${id}/${verb}?dry_run=true`)).status).toBe(422);
  }
  expect((await show(api(), id)).status).toBe('draft');
});

it('the audit log names the key that changed a campaign, and what became of it', async () => {
  const id = await draft(api());
  await change(id, { name: 'Renamed' });
  await change(id, { name: 'Late', revision: 0 });
  await ask('POST', `/campaigns/${id}/duplicate`);
  await ask('DELETE', `/campaigns/${id}`);
  const { pageOfAudit } = await import('../../../shared/store/audit.ts');
  const { entries } = await pageOfAudit(workspace.workspaceId, { limit: 4, after: undefined });
  const entry = { by: expect.stringMatching(/^Test \(….{4}\)$/), role: 'key', door: 'api', subject: id };
  expect(entries).toEqual([
    expect.objectContaining({ ...entry, action: 'campaign.delete', outcome: 'done' }),
    expect.objectContaining({ ...entry, action: 'campaign.duplicate', outcome: 'done' }),
    expect.objectContaining({ ...entry, action: 'campaign.edit', outcome: 'conflict' }),
    expect.objectContaining({ ...entry, action: 'campaign.edit', outcome: 'done' }),
  ]);
});

it('another workspace and a key without the scope change nothing', async () => {
  const id = await draft(api());
  const before = await show(api(), id);
  const other = await newWorkspace(service);
  const reader = await newWorkspace(service, { scopes: ['campaigns:read'] });
  for (const [method, path, body] of [
    ['PATCH', '', { name: 'Theirs' }],
    ['DELETE', ''],
    ['POST', '/archive'],
    ['POST', '/duplicate'],
  ] as const) {
    const at = `/api/v1/campaigns/${id}${path}`;
    const theirs = await call(api(), method, at, { key: other.apiKey, ...(body && { body }) });
    expect([method, path, theirs.status]).toEqual([method, path, 404]);
    const lacking = await call(api(), method, at, { key: reader.apiKey, ...(body && { body }) });
    expect([lacking.status, lacking.body.error.details.required]).toEqual([403, 'campaigns:write']);
  }
  expect(await show(api(), id)).toEqual(before);
});
