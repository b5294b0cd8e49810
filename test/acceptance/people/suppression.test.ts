import { randomUUID } from 'node:crypto';
import { operatorContext } from '../../shared/services/context.ts';
import { auditPeople } from '../audit.ts';
import { type Answer, call } from '../client.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
const someone = () => `p${randomUUID().slice(0, 12)}@example.net`;

function api(own: { apiKey: string } = workspace) {
  const at = { ...service, apiKey: own.apiKey };
  return {
    add: (body: object, headers = {}) => call(at, 'POST', '/api/v1/suppression', { body, headers }),
    list: (query = '') => call(at, 'GET', `/api/v1/suppression${query}`),
    of: async (email: string) =>
      (await call(at, 'GET', `/api/v1/suppression?email=${encodeURIComponent(email)}`)).body.data,
    subscribe: (email: string) =>
      call(at, 'POST', '/api/v1/subscribers', { body: { email, double_opt_in: false, firstName: 'Ada' } }),
    subscriber: async (email: string) =>
      (await call(at, 'GET', `/api/v1/subscribers/${encodeURIComponent(email)}`)).body,
  };
}
const issues = ({ body }: Answer) => body.error.details.issues.map((issue: { path: string }) => issue.path);

beforeAll(async () => {
  service = await sharedService();
  workspace = await newWorkspace(service);
});
afterAll(() => service.stop());

describe('POST /suppression', () => {
  it('returns 201 with the entry; the reason is `manual` by default', async () => {
    const email = someone();
    const { status, body } = await api().add({ email: ` ${email.toUpperCase()} ` });
    expect([status, body]).toEqual([
      201,
      { object: 'suppression', email, reason: 'manual', scope: 'organization', created_at: expect.any(String) },
    ]);
    expect(await api().of(email)).toEqual([body]);
  });

  it('keeps the first date; only a higher-ranking reason replaces a reason', async () => {
    const email = someone();
    const first = (await api().add({ email, reason: 'manual' })).body;
    const steps = [
      ['unsubscribe', 'unsubscribe'],
      ['manual', 'unsubscribe'],
      ['bounce', 'bounce'],
      ['complaint', 'complaint'],
      ['bounce', 'complaint'],
    ];
    for (const [given, stands] of steps) {
      const answer = await api().add({ email, reason: given });
      expect([answer.status, answer.body]).toEqual([201, { ...first, reason: stands }]);
    }
  });

  it.each(['unsubscribe', 'bounce', 'complaint', 'manual'])(
    'for %s changes a subscriber to unsubscribed in the same operation',
    async (reason) => {
      const email = someone();
      await api().subscribe(email);
      await api().add({ email, reason });
      expect(await api().subscriber(email)).toMatchObject({ status: 'unsubscribed', firstName: 'Ada' });
      expect((await api().subscriber(email)).unsubscribed_at).toEqual(expect.any(String));
    },
  );

  it('does not create a subscriber', async () => {
    const email = someone();
    await api().add({ email });
    expect((await api().subscriber(email)).name).toBe('not_found');
  });

  it.each([
    [{}, ['email']],
    [{ email: 'nobody' }, ['email']],
    [{ email: 'a@b.io', reason: 'spite' }, ['reason']],
    [{ email: 5, reason: 5 }, ['email', 'reason']],
  ])('422 for %j', async (body, paths) => {
    const answer = await api().add(body);
    expect([answer.status, answer.body.name, issues(answer)]).toEqual([422, 'validation_error', paths]);
  });

  it('reports errors in French on request', async () => {
    const answer = await api().add({ reason: 'x' }, { 'Accept-Language': 'fr-CA' });
    expect(answer.headers.get('content-language')).toBe('fr');
    expect(answer.body.message).toMatch(/obligatoire/);
  });

  it('keeps the highest-ranking reason of concurrent requests, with a consistent subscriber', async () => {
    const email = someone();
    await api().subscribe(email);
    const reasons = ['manual', 'unsubscribe', 'bounce', 'complaint'];
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => api().add({ email, reason: reasons[n % reasons.length] })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(await api().of(email)).toMatchObject([{ reason: 'complaint' }]);
    expect((await api().subscriber(email)).status).toBe('unsubscribed');
    expect((await auditPeople(service)).problems).toEqual([]);
  });
});

describe('GET /suppression', () => {
  it('lists newest first in pages, each once, without other workspaces and the platform’s list', async () => {
    const [own, other] = [await newWorkspace(service), await newWorkspace(service)];
    const { suppress } = await import('../../../shared/services/suppression.ts');
    await suppress(null, someone(), 'manual', new Date());
    const added: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const email = someone();
      await api(own).add({ email });
      await api(other).add({ email: someone() });
      added.unshift(email);
    }
    const found: string[] = [];
    let query = '?limit=2';
    for (;;) {
      const { body } = await api(own).list(query);
      expect(body.data.length).toBeLessThanOrEqual(2);
      found.push(...body.data.map(({ email }: { email: string }) => email));
      if (!body.has_more) break;
      const cursor = encodeURIComponent(body.next_cursor);
      expect((await api(other).list(`?limit=2&cursor=${cursor}`)).status).toBe(422);
      expect((await api(own).list(`?email=a@b.io&cursor=${cursor}`)).status).toBe(422);
      query = `?limit=2&cursor=${cursor}`;
    }
    expect(found).toEqual(added);
    const after = await api(own).list(`?limit=2&after=${added[1]}`);
    expect(after.body.data.map(({ email }: { email: string }) => email)).toEqual(added.slice(2, 4));
    for (const email of [someone(), 'no address']) {
      const refused = await api(own).list(`?after=${encodeURIComponent(email)}`);
      expect([refused.status, refused.body.error.details.issues[0].path]).toEqual([422, 'after']);
    }
  });

  it('with `email` returns none, one, or one of each scope, the workspace’s first', async () => {
    const email = someone();
    const { suppress } = await import('../../../shared/services/suppression.ts');
    expect(await api().of(email)).toEqual([]);
    await suppress(null, email, 'bounce', new Date());
    expect(await api().of(` ${email.toUpperCase()}`)).toMatchObject([{ email, reason: 'bounce', scope: 'platform' }]);
    await api().add({ email });
    expect(await api().of(email)).toMatchObject([
      { reason: 'manual', scope: 'organization' },
      { reason: 'bounce', scope: 'platform' },
    ]);
    const answer = await api().list(`?email=${encodeURIComponent(email)}`);
    expect([answer.body.object, answer.body.has_more, answer.body.next_cursor]).toEqual(['list', false, null]);
  });

  it('422 for a malformed address, and for a limit out of range', async () => {
    expect(issues(await api().list('?email=nobody'))).toEqual(['email']);
    expect(issues(await api().list('?limit=1000'))).toEqual(['limit']);
  });
});

describe('an operator', () => {
  it('removes an address from the list; the subscriber stays unsubscribed, and other entries stay', async () => {
    const { removeSuppression } = await import('../../../shared/services/suppression.ts');
    const [left, blocked] = [someone(), someone()];
    await api().subscribe(left);
    for (const email of [left, blocked]) {
      await api().add({ email });
      await removeSuppression(operatorContext(workspace.workspaceId), { email });
      expect(await api().of(email)).toEqual([]);
    }
    expect((await api().subscriber(left)).status).toBe('unsubscribed');
    expect((await api().subscribe(blocked)).status).toBe(201);
    expect((await auditPeople(service)).problems).toEqual([]);
  });
});
