import { call } from '../client.ts';
import { startService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';
import { draft, operator, show, subscribe } from './campaign.ts';

let service: TestService;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  workspace = await newWorkspace(service);
});

const api = () => ({ ...service, apiKey: workspace.apiKey });
const ask = (method: string, path: string, body?: unknown, headers = {}) =>
  call(api(), method, `/api/v1${path}`, { ...(body !== undefined && { body }), headers });
const rule = { field: 'city', operator: 'equals', value: 'Paris' };
const made = async (body: object) => (await ask('POST', '/segments', body)).body;

describe('a segment by the API', () => {
  it('is created, read, changed, listed newest first and deleted', async () => {
    const created = await ask('POST', '/segments', { name: 'Paris', rule });
    expect(created.status).toBe(201);
    const { id } = created.body;
    const record = { object: 'segment', id, name: 'Paris', rule, created_at: expect.any(String) };
    expect(created.body).toEqual({ ...record, updated_at: created.body.created_at });
    expect((await ask('GET', `/segments/${id}`)).body).toEqual(created.body);
    const changed = await ask('PATCH', `/segments/${id}`, { name: 'PARIS' });
    expect(changed.body).toEqual({ ...record, name: 'PARIS', updated_at: expect.any(String) });
    expect(changed.body.updated_at > created.body.created_at).toBe(true);
    const second = await made({ name: 'Rome', rule: { tag: 'rome' } });
    expect((await ask('GET', '/segments')).body).toEqual({
      ...{ object: 'list', data: [second, changed.body], has_more: false, next_cursor: null },
    });
    expect((await ask('DELETE', `/segments/${id}`)).body).toEqual({ object: 'segment', id, deleted: true });
    expect((await ask('GET', `/segments/${id}`)).status).toBe(404);
    expect((await ask('PATCH', `/segments/${id}`, { name: 'Paris' })).status).toBe(404);
  });

  it('is paged by a cursor or by the id of the last one, not by both', async () => {
    for (const name of ['A', 'B', 'C']) await made({ name, rule });
    const names = (answer: { body: { data: { name: string }[] } }) => answer.body.data.map(({ name }) => name);
    const first = await ask('GET', '/segments?limit=2');
    expect([names(first), first.body.has_more]).toEqual([['C', 'B'], true]);
    const { next_cursor: cursor, data } = first.body;
    expect(names(await ask('GET', `/segments?limit=2&cursor=${cursor}`))).toEqual(['A']);
    expect(names(await ask('GET', `/segments?limit=2&after=${data[1].id}`))).toEqual(['A']);
    const both = await ask('GET', `/segments?cursor=${cursor}&after=${data[1].id}`);
    expect([both.status, both.body.error.details.issues[0].path]).toEqual([422, 'after']);
  });

  it('has a name of its own in any case, which only people may use in place of the id', async () => {
    const { id } = await made({ name: 'Paris', rule });
    const twin = await ask('POST', '/segments', { name: 'paris', rule });
    expect([twin.status, twin.body.name]).toEqual([409, 'conflict']);
    const other = await made({ name: 'Rome', rule });
    expect((await ask('PATCH', `/segments/${other.id}`, { name: 'PARIS' })).status).toBe(409);
    expect((await ask('GET', '/segments/Paris')).status).toBe(404);
    expect((await ask('DELETE', '/segments/Paris')).status).toBe(404);
    expect((await ask('POST', '/segments/preview', { segment_id: 'Paris' })).status).toBe(404);
    expect((await ask('GET', `/segments/${id}`)).status).toBe(200);
  });

  it('is refused with everything that is wrong with it, and with the name of the field that was meant', async () => {
    const { status, body } = await ask('POST', '/segments', { title: 'Paris', rule: { any: [{ tag: 1 }, {}] } });
    expect(status).toBe(422);
    expect(body.error.details.issues.map(({ path }: { path: string }) => path)).toEqual([
      'title',
      'name',
      'rule.any[0].tag',
      'rule.any[1]',
    ]);
    const unkept = await ask('POST', '/segments', {
      name: 'Asleep',
      rule: { not: { mail: 'opened', operator: 'exists' } },
    });
    expect([unkept.status, unkept.body.error.details.issues]).toEqual([
      ...[422, [{ path: 'rule.not.mail', message: expect.stringContaining('mailActivity') }]],
    ]);
    const wrong = await ask('PATCH', `/segments/${(await made({ name: 'A', rule })).id}`, { Rules: rule });
    expect(wrong.body.error.details.issues).toEqual([{ path: 'Rules', message: expect.stringContaining('`rule`') }]);
    expect((await ask('GET', '/segments?name=Paris')).status).toBe(422);
    expect((await ask('GET', `/segments/${(await made({ name: 'B', rule })).id}?full=true`)).status).toBe(422);
  });

  it('has a rule of at most 100 kB', async () => {
    const texts = (length: number) =>
      Array.from({ length: 100 }, () => ({ field: 'city', operator: 'equals', value: 'é'.repeat(length) }));
    expect((await ask('POST', '/segments', { name: 'Long', rule: { any: texts(450) } })).status).toBe(201);
    const longer = await ask('POST', '/segments', { name: 'Longer', rule: { any: texts(500) } });
    expect([longer.status, longer.body.error.details.issues[0].path]).toEqual([422, 'rule']);
  });
});

describe('a preview', () => {
  it('counts those whom a campaign would reach, of a rule or of a segment, and shows ten', async () => {
    const people = Array.from({ length: 12 }, (_, index) => `p${index}@example.net`);
    await subscribe(api(), [
      ...people.map((email) => ({ email, fields: { city: 'Paris' } })),
      { email: 'left@example.net', fields: { city: 'Paris' } },
      { email: 'rome@example.net', fields: { city: 'Rome' } },
    ]);
    await ask('DELETE', '/subscribers/left@example.net');
    const { id } = await made({ name: 'Paris', rule });
    for (const body of [{ rule }, { segment_id: id }]) {
      const { status, body: preview } = await ask('POST', '/segments/preview', body);
      expect([status, preview.object, preview.recipients, preview.sample.length]).toEqual([
        200,
        'segment_preview',
        12,
        10,
      ]);
      for (const { object, email, fields } of preview.sample) {
        expect([object, people.includes(email), fields]).toEqual(['subscriber', true, { city: 'Paris' }]);
      }
    }
  });

  it('needs exactly one of both', async () => {
    const { id } = await made({ name: 'Paris', rule });
    for (const body of [{}, { rule: null }, { rule, segment_id: id }]) {
      expect((await ask('POST', '/segments/preview', body)).status).toBe(422);
    }
  });
});

describe('a segment that a campaign targets', () => {
  it('is not deleted while the campaign is a draft or scheduled', async () => {
    const { id } = await made({ name: 'Paris', rule });
    const campaign = await draft(api(), { segment_id: id, name: 'News' });
    const refused = async () => {
      const { status, body } = await ask('DELETE', `/segments/${id}`);
      return [status, body.error.details.campaigns];
    };
    expect(await refused()).toEqual([409, [{ id: campaign, name: 'News', status: 'draft' }]]);
    const { schedule, unschedule } = await operator(service, workspace);
    await subscribe(api(), [{ email: 'ada@example.net', fields: { city: 'Paris' } }]);
    await schedule(campaign, new Date(Date.now() + 3_600_000));
    expect(await refused()).toEqual([409, [{ id: campaign, name: 'News', status: 'scheduled' }]]);
    await unschedule(campaign);
    expect((await show(api(), campaign)).segment_id).toBe(id);
    expect((await ask('GET', `/segments/${id}`)).status).toBe(200);
  });

  it('stays its target after it was renamed', async () => {
    const { id } = await made({ name: 'Paris', rule });
    const campaign = await draft(api(), { segment_id: id });
    await ask('PATCH', `/segments/${id}`, { name: 'Île-de-France' });
    await made({ name: 'Paris', rule: { tag: 'other' } });
    const dry = await ask('POST', `/campaigns/${campaign}/send`, { dry_run: true });
    expect(dry.body.target.segment).toEqual({ id, name: 'Île-de-France' });
  });
});

describe('an Idempotency-Key', () => {
  const keyed = (body: object, key: string) => ask('POST', '/segments', body, { 'Idempotency-Key': key });

  it('makes one segment of two calls, and answers the second like the first', async () => {
    const first = await keyed({ name: 'Paris', rule }, 'one');
    await ask('PATCH', `/segments/${first.body.id}`, { name: 'Renamed' });
    const second = await keyed({ name: 'Paris', rule }, 'one');
    expect([first.status, first.headers.get('Idempotent-Replay')]).toEqual([201, null]);
    expect([second.status, second.headers.get('Idempotent-Replay')]).toEqual([201, 'true']);
    expect(second.body).toEqual(first.body);
    expect((await ask('GET', '/segments')).body.data).toHaveLength(1);
  });

  it('makes one of many calls at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => keyed({ name: 'Paris', rule }, 'many')));
    const ids = new Set(answers.flatMap(({ status, body }) => (status === 201 ? [body.id] : [])));
    expect(ids.size).toBe(1);
    for (const { status, body, headers } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, body.error.details.status]).toEqual([409, 'in_progress']);
      expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
    }
  });

  it('is refused for another body, for another call, and for an email', async () => {
    await keyed({ name: 'Paris', rule }, 'used');
    const email = { from: `hello@${workspace.domain}`, to: 'ada@example.net', subject: 'Hello', text: 'Hello' };
    const others = [
      await keyed({ name: 'Rome', rule }, 'used'),
      await ask('POST', '/emails', email, { 'Idempotency-Key': 'used' }),
    ];
    expect(others.map(({ body }) => body.name)).toEqual(['idempotency_key_reused', 'idempotency_key_reused']);
  });

  it('is free again after a call that was refused', async () => {
    await made({ name: 'Paris', rule });
    expect((await keyed({ name: 'Paris', rule }, 'again')).status).toBe(409);
    expect((await keyed({ name: 'Paris 2', rule }, 'again')).status).toBe(201);
  });
});

describe('the audit log', () => {
  it('names the key that changed a segment, and what became of it', async () => {
    const { id } = await made({ name: 'Paris', rule });
    await ask('PATCH', `/segments/${id}`, { name: 'Rome' });
    await ask('POST', '/segments', { name: 'rome', rule });
    await ask('DELETE', `/segments/${id}`);
    const { pageOfAudit } = await import('../../../shared/store/audit.ts');
    const { entries } = await pageOfAudit(workspace.workspaceId, { limit: 4, after: undefined });
    const by = expect.stringMatching(/^Test \(….{4}\)$/);
    const entry = { by, role: 'key', door: 'api', outcome: 'done' };
    expect(entries).toEqual([
      expect.objectContaining({ ...entry, action: 'segment.delete', subject: id }),
      expect.objectContaining({ ...entry, action: 'segment.create', subject: 'rome', outcome: 'conflict' }),
      expect.objectContaining({ ...entry, action: 'segment.edit', subject: id }),
      expect.objectContaining({ ...entry, action: 'segment.create', subject: 'Paris' }),
    ]);
  });
});
