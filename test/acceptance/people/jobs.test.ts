import { randomUUID } from 'node:crypto';
import type { Scope } from '../../../shared/contract/scopes.ts';
import { operatorContext } from '../../shared/services/context.ts';
import { scan } from '../audit.ts';
import { type Answer, call, eventually } from '../client.ts';
import { inbox } from '../inbox.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await sharedService();
  workspace = await newWorkspace(service);
});
afterAll(() => service.stop());

const someone = () => `p${randomUUID().slice(0, 12)}@example.net`;
const by = (apiKey: string) => ({
  get: (path: string) => call({ ...service, apiKey }, 'GET', `/api/v1/${path}`),
  post: (path: string, body?: unknown, headers: Record<string, string> = {}) =>
    call({ ...service, apiKey }, 'POST', `/api/v1/${path}`, { ...(body !== undefined && { body }), headers }),
});
const api = () => by(workspace.apiKey);

async function keyWith(...scopes: Scope[]) {
  const { createKey } = await import('../../../shared/services/keys.ts');
  return by((await createKey(operatorContext(workspace.workspaceId), { name: scopes.join(' '), scopes })).key);
}

const emailColumn = { header: 'Email', as: 'email' };
const columns = [
  emailColumn,
  { header: 'First name', as: 'firstName' },
  { header: 'City', as: 'field', field: 'city' },
];
const announcement = (csv: string, over: object = {}) => ({
  ...{ filename: 'people.csv', size: Buffer.byteLength(csv), kind: 'subscribers', consent_given: true, columns },
  ...over,
});
const put = ({ url, headers }: { url: string; headers: Record<string, string> }, body: string) =>
  fetch(url, { method: 'PUT', headers, body });
const ended = (id: string) =>
  eventually(async () => {
    const { body } = await api().get(`jobs/${id}`);
    return body.ended_at !== null && body;
  });
const issuesOf = ({ status, body }: Answer) => [
  status,
  body.error.details.issues?.map(({ path }: { path: string }) => path),
];
const audit = async () => {
  const { pageOfAudit } = await import('../../../shared/store/audit.ts');
  const { entries } = await pageOfAudit(workspace.workspaceId, { limit: 50, after: undefined });
  return entries;
};

/** Announced, uploaded and started. */
async function imported(csv: string, over: object = {}) {
  const created = await api().post('imports', announcement(csv, over));
  expect(created.status).toBe(201);
  expect((await put(created.body.upload, csv)).status).toBe(200);
  expect((await api().post(`imports/${created.body.id}/start`)).status).toBe(202);
  return ended(created.body.id);
}

describe('an import by REST', () => {
  it('takes the file at a signed address, imports it, and lists the lines that it refused', async () => {
    const [ada, gone] = [someone(), someone()];
    await api().post('subscribers', { email: gone, double_opt_in: false });
    await call({ ...service, apiKey: workspace.apiKey }, 'DELETE', `/api/v1/subscribers/${gone}`);
    const csv = `City,Email,First name\r\nParis,${ada},Ada\r\nLondon,${gone},Grace\r\nRome,nobody,\r\n`;
    const created = await api().post('imports', announcement(csv));
    expect(created.status).toBe(201);
    const { id, upload, ...record } = created.body;
    expect(id).toMatch(/^job_\w{26}$/);
    expect(record).toEqual({
      ...{ object: 'job', kind: 'import', status: 'preparing', failure: null, download: null, ended_at: null },
      progress: { records: 0, percent: 0, added: 0, updated: 0, suppressed: 0, refused: 0 },
      created_at: expect.any(String),
    });
    // Before the file has arrived, and with a file of another size.
    expect((await api().post(`imports/${id}/start`)).status).toBe(409);
    const larger = await put({ ...upload, headers: { 'content-type': 'text/csv' } }, `${csv}more`);
    expect(larger.status).toBe(403);
    expect((await api().post(`imports/${id}/start`)).status).toBe(409);
    expect((await put(upload, csv)).status).toBe(200);
    const started = await Promise.all([1, 2].map(() => api().post(`imports/${id}/start`)));
    expect(started.map(({ status }) => status)).toEqual([202, 202]);
    const job = await ended(id);
    expect(job).toMatchObject({
      status: 'done',
      progress: { records: 3, percent: 100, added: 1, updated: 0, suppressed: 0, refused: 2 },
    });
    const report = await (await fetch(job.download.url)).text();
    expect(report.split('\n').slice(0, 3)).toEqual([
      'line,email,reason',
      expect.stringMatching(`^3,${gone},.*unsubscribed`),
      expect.stringMatching(/^4,nobody,/),
    ]);
    const inFiveMinutes = Date.parse(job.download.expires_at) - Date.now();
    expect([inFiveMinutes > 290_000, inFiveMinutes <= 300_000]).toEqual([true, true]);
    expect((await api().get(`subscribers/${ada}`)).body).toMatchObject({
      ...{ status: 'subscribed', firstName: 'Ada', fields: { city: 'Paris' } },
    });
    expect((await api().get(`subscribers/${gone}`)).body.status).toBe('unsubscribed');
    const again = await api().post(`imports/${id}/start`);
    expect([again.status, again.body.status, again.body.download]).toEqual([202, 'done', null]);
    const entries = (await audit()).filter(({ subject }) => subject === id);
    expect(entries.map(({ action, note, role, outcome }) => [action, note, role, outcome])).toEqual(
      expect.arrayContaining([
        ['subscriber.import.plan', 'consent_given', 'key', 'done'],
        ['subscriber.import', null, 'key', 'done'],
        ['subscriber.import', null, 'key', 'conflict'],
      ]),
    );
  });

  it('tells webhooks once that an import has reached its end', async () => {
    const hook = { url: 'http://127.0.0.1:9/', events: ['import.completed'], enabled: false };
    const { body: webhook } = await api().post('webhooks', hook);
    const job = await imported(`Email\n${someone()}\nnobody\n`, { columns: [emailColumn] });
    const failed = await imported(`Email\n${someone()}\n"open`, { columns: [emailColumn] });
    expect([job.status, failed.status]).toEqual(['done', 'failed']);
    const { body: log } = await api().get(`webhooks/${webhook.id}/deliveries`);
    const { body: delivery } = await api().get(`webhooks/${webhook.id}/deliveries/${log.data[0].id}`);
    expect(log.data).toHaveLength(1);
    expect(JSON.parse(delivery.body)).toMatchObject({ type: 'import.completed', data: { ...job, download: null } });
    await call({ ...service, apiKey: workspace.apiKey }, 'DELETE', `/api/v1/webhooks/${webhook.id}`);
  });

  it('asks everybody to confirm without a consent, and suppresses the addresses of a suppression list', async () => {
    const [asked, bounced] = [someone(), someone()];
    const pending = await imported(`Email\n${asked}\n`, { consent_given: false, columns: [emailColumn] });
    expect([pending.status, pending.progress.added]).toEqual(['done', 1]);
    expect((await api().get(`subscribers/${asked}`)).body.status).toBe('pending');
    await eventually(async () => (await inbox(service, asked)).length === 1);
    const csv = `Reason,Email\nbounce,${bounced}\n`;
    const suppressed = await imported(csv, {
      ...{ kind: 'suppression', consent_given: undefined },
      columns: [emailColumn, { header: 'Reason', as: 'reason' }],
    });
    expect([suppressed.status, suppressed.progress.suppressed]).toEqual(['done', 1]);
    const refused = await api().post('subscribers', { email: bounced, double_opt_in: false });
    expect([refused.status, refused.body.error.code]).toEqual([422, 'suppressed_recipient']);
  });

  it.each<[string, string, object, string[]]>([
    ['a column that is not in it', 'Email,City\n', {}, ['columns[1].header']],
    ['a column that is not declared', 'Email,First name,City,Notes\n', {}, ['columns']],
    ['a first line that is a person', 'ada@example.net,Ada,Paris\n', {}, ['file']],
    ['a spreadsheet', 'PK\u0003\u0004 and more', {}, ['file']],
    ['only blank lines', '\n\n', {}, ['file']],
    [
      'a status that is ignored',
      'Email,Status\n',
      { columns: [emailColumn, { header: 'Status', as: 'ignored' }] },
      ['columns.Status'],
    ],
    [
      'those who left another service',
      'Email Address,UNSUB_TIME,LEID\n',
      {
        columns: [
          { header: 'Email Address', as: 'email' },
          { header: 'UNSUB_TIME', as: 'ignored' },
          { header: 'LEID', as: 'ignored' },
        ],
      },
      ['columns.UNSUB_TIME'],
    ],
  ])('refuses to start a file with %s, and takes a better one', async (_name, csv, over, paths) => {
    const created = await api().post('imports', announcement(csv, over));
    const { id, upload } = created.body;
    await put(upload, csv);
    expect(issuesOf(await api().post(`imports/${id}/start`))).toEqual([422, paths]);
    expect((await api().get(`jobs/${id}`)).body.status).toBe('preparing');
    expect((await api().post(`jobs/${id}/cancel`)).body.status).toBe('canceled');
    expect((await api().post(`jobs/${id}/cancel`)).status).toBe(200);
    expect((await api().post(`imports/${id}/start`)).status).toBe(409);
  });

  it.each<[string, object, string[]]>([
    ['no answer about consent', { consent_given: null }, ['consent_given']],
    [
      'an answer about the consent of suppressed people',
      { kind: 'suppression', columns: [emailColumn] },
      ['consent_given'],
    ],
    ['nothing in it', { size: 0 }, ['size']],
    ['more than 1 GB', { size: 1_000_000_001 }, ['size']],
    ['no columns', { columns: [] }, ['columns']],
    ['no address', { columns: [columns[1]] }, ['columns.email']],
    ['the same title twice', { columns: [emailColumn, { header: ' Email', as: 'ignored' }] }, ['columns[1].header']],
    ['two addresses', { columns: [emailColumn, { header: 'Mail', as: 'email' }] }, ['columns.email']],
    ['a meaning that there is not', { columns: [{ header: 'Email', as: 'e-mail' }] }, ['columns[0].as']],
    ['a field without a name', { columns: [emailColumn, { header: 'C', as: 'field' }] }, ['columns[1].field']],
    ['a name without a field', { columns: [{ ...emailColumn, field: 'city' }] }, ['columns[0].field']],
    [
      'a name of no field',
      { columns: [emailColumn, { header: 'C', as: 'field', field: 'a b' }] },
      ['columns[1].field'],
    ],
    ['a reason of a subscriber', { columns: [emailColumn, { header: 'R', as: 'reason' }] }, ['columns[1].as']],
    ['another name', { conscent_given: true }, ['conscent_given']],
  ])('is not announced with %s', async (_name, over, paths) => {
    expect(issuesOf(await api().post('imports', announcement('Email\n', over)))).toEqual([422, paths]);
  });

  it('is announced once under an Idempotency-Key, whose answer always has an address', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const csv = `Email\n${someone()}\n`;
    const body = announcement(csv, { columns: [emailColumn] });
    const [first, second] = [await api().post('imports', body, headers), await api().post('imports', body, headers)];
    expect([first.status, second.status, second.headers.get('idempotent-replay')]).toEqual([201, 201, 'true']);
    expect(second.body.id).toBe(first.body.id);
    expect((await put(second.body.upload, csv)).status).toBe(200);
    const reused = await api().post('imports', { ...body, size: 1 }, headers);
    expect([reused.status, reused.body.error.code]).toEqual([409, 'idempotency_key_reused']);
    const kept = (await scan(service)).filter((item) => JSON.stringify(item).includes('X-Amz-Signature'));
    expect(kept).toEqual([]);
  });
});

describe('an export by REST', () => {
  it('writes the subscribers of a status or of a segment to a file', async () => {
    const [ada, grace] = [someone(), someone()];
    const tags = [randomUUID()];
    await api().post('subscribers', { email: ada, double_opt_in: false, tags });
    await api().post('subscribers', { email: grace });
    const segment = await api().post('segments', { name: tags[0], rule: { tag: tags[0] } });
    const file = async (body: object) => {
      const begun = await api().post('exports', body);
      expect(begun.body).toMatchObject({ object: 'job', kind: 'export', status: 'running', download: null });
      const { download, progress } = await ended(begun.body.id);
      return { text: await (await fetch(download.url)).text(), progress };
    };
    const pending = await file({ format: 'jsonl', status: 'pending' });
    expect([pending.text.includes(grace), pending.text.includes(ada)]).toEqual([true, false]);
    const chosen = await file({ format: 'csv', segment_id: segment.body.id });
    expect(chosen.progress).toMatchObject({ records: 1, percent: 100, added: null });
    expect(chosen.text).toMatch(new RegExp(`^email,.*\n${ada},subscribed,`));
    expect((await api().post('exports', { format: 'csv', segment_id: tags[0] })).status).toBe(404);
    const both = await api().post('exports', { format: 'csv', status: 'pending', segment_id: segment.body.id });
    expect(issuesOf(both)).toEqual([422, ['status']]);
    expect(issuesOf(await api().post('exports', { format: 'xlsx' }))).toEqual([422, ['format']]);
  });

  it('of a person has what is stored, in the audit log without the address', async () => {
    const email = someone();
    await api().post('subscribers', { email, double_opt_in: false, firstName: 'Ada' });
    const headers = { 'Idempotency-Key': randomUUID() };
    const [begun, same] = await Promise.all(
      [1, 2].map(() => api().post(`subscribers/${email}/export`, undefined, headers)),
    );
    const ids = [begun, same].flatMap((answer) => (answer?.status === 202 ? [answer.body.id] : []));
    expect(new Set(ids).size).toBe(1);
    const job = await ended(ids[0]);
    expect(job).toMatchObject({ kind: 'person_export', status: 'done' });
    const file = await (await fetch(job.download.url)).json();
    expect(file).toMatchObject({ object: 'person_export', email, subscriber: { firstName: 'Ada' } });
    const entries = await audit();
    expect(entries.filter(({ action }) => action === 'person.export')).toEqual([
      expect.objectContaining({ role: 'key', outcome: 'done', subject: expect.stringMatching(/^person:/) }),
    ]);
    expect(JSON.stringify(entries)).not.toContain(email);
    expect((await api().post('subscribers/nobody/export')).status).toBe(404);
  });
});

describe('an erasure by REST', () => {
  it('needs the address twice, cannot be cancelled, and leaves nothing', async () => {
    const email = someone();
    await api().post('subscribers', { email, double_opt_in: false });
    const path = `subscribers/${email}/erase`;
    expect(issuesOf(await api().post(path, { confirm: someone() }))).toEqual([422, ['confirm']]);
    expect(issuesOf(await api().post(path, {}))).toEqual([422, ['confirm']]);
    expect((await api().get(`subscribers/${email}`)).status).toBe(200);
    const others = await keyWith('subscribers:read', 'subscribers:write');
    const refused = await others.post(path, { confirm: email });
    expect([refused.status, refused.body.error.details.required]).toEqual([403, 'subscribers:erase']);
    const begun = await api().post(path, { confirm: email.toUpperCase() });
    expect([begun.status, begun.body.kind]).toEqual([202, 'erasure']);
    expect((await api().post(`jobs/${begun.body.id}/cancel`)).status).toBe(409);
    expect(await ended(begun.body.id)).toMatchObject({ status: 'done', download: null });
    expect((await scan(service)).filter((item) => JSON.stringify(item).includes(email))).toEqual([]);
    const back = await api().post('subscribers', { email, double_opt_in: false });
    expect([back.status, back.body.error.code]).toEqual([422, 'suppressed_recipient']);
  });
});

describe('the rights of a person', () => {
  it('reach everybody who got a message, and no other workspace', async () => {
    const email = someone();
    const own = await newWorkspace(service);
    await by(own.apiKey).post('subscribers', { email, double_opt_in: false });
    const sent = { from: `hello@${workspace.domain}`, to: email, subject: 'For you alone', text: 'T' };
    expect((await api().post('emails', sent)).status).toBe(202);
    const { body } = await api().post(`subscribers/${email}/export`);
    const file = await (await fetch((await ended(body.id)).download.url)).json();
    expect(file).toMatchObject({ subscriber: null, records: [{ object: 'email', subject: sent.subject }] });
    const erased = await ended((await api().post(`subscribers/${email}/erase`, { confirm: email })).body.id);
    expect(erased.progress.records).toBeGreaterThan(0);
    expect((await by(own.apiKey).get(`subscribers/${email}`)).body.status).toBe('subscribed');
    expect((await api().post('emails', sent)).body.error.code).toBe('suppressed_recipient');
  });
});

describe('jobs by REST', () => {
  it('are those that a key may begin: others do not exist for it, and are not cancelled', async () => {
    const body = announcement('Email\n', { columns: [emailColumn] });
    const [writes, reads, neither] = await Promise.all([
      keyWith('subscribers:write'),
      keyWith('subscribers:read'),
      keyWith('emails:send'),
    ]);
    const importId = (await writes.post('imports', body)).body.id;
    const exportId = (await reads.post('exports', { format: 'csv' })).body.id;
    const found = async (key: typeof writes) =>
      Promise.all([importId, exportId].map(async (id) => (await key.get(`jobs/${id}`)).status));
    expect(await Promise.all([writes, reads, neither].map(found))).toEqual([
      [200, 404],
      [404, 200],
      [404, 404],
    ]);
    for (const key of [reads, neither]) expect((await key.post(`jobs/${importId}/cancel`)).status).toBe(404);
    const kindsOf = async (key: typeof writes) => {
      const { body } = await key.get('jobs?limit=100');
      return new Set(body.data.map(({ kind }: { kind: string }) => kind));
    };
    expect(await kindsOf(writes)).toEqual(new Set(['import']));
    expect([...(await kindsOf(reads))].sort()).toEqual(['export', 'person_export']);
    expect((await neither.get('jobs')).body).toEqual({ object: 'list', data: [], has_more: false, next_cursor: null });
    await ended(exportId);
    const late = await reads.post(`jobs/${exportId}/cancel`);
    expect([late.status, late.body.error.code]).toEqual([409, 'conflict']);
    const other = await newWorkspace(service);
    expect((await by(other.apiKey).get(`jobs/${importId}`)).status).toBe(404);
    expect((await by(other.apiKey).post(`imports/${importId}/start`)).status).toBe(404);
  });

  it('are listed newest first, page by page, by cursor and by id', async () => {
    const own = await newWorkspace(service);
    const client = by(own.apiKey);
    const body = announcement('Email\n', { columns: [emailColumn] });
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.unshift((await client.post('imports', body)).body.id);
    const seen: string[] = [];
    for (let query = 'limit=2'; query !== ''; ) {
      const page = (await client.get(`jobs?${query}`)).body;
      seen.push(...page.data.map(({ id }: { id: string }) => id));
      query = page.has_more ? `limit=2&cursor=${encodeURIComponent(page.next_cursor)}` : '';
    }
    expect(seen).toEqual(ids);
    const after = (await client.get(`jobs?after=${ids[1]}`)).body;
    expect(after.data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(2));
    expect(issuesOf(await client.get('jobs?after=seg_1'))).toEqual([422, ['after']]);
  });

  it('of keys are twenty at a time, those of other workspaces and ended ones aside', async () => {
    const own = await newWorkspace(service);
    const client = by(own.apiKey);
    const body = announcement('Email\n', { columns: [emailColumn] });
    const ids = (await Promise.all(Array.from({ length: 20 }, () => client.post('imports', body)))).map(
      ({ body }) => body.id,
    );
    const refused = await client.post('exports', { format: 'csv' });
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([
      429,
      'rate_limit_exceeded',
      '60',
    ]);
    await client.post(`jobs/${ids[0]}/cancel`);
    expect((await client.post('exports', { format: 'csv' })).status).toBe(202);
  });
});
