import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { call } from '../client.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
const someone = (name = 'p') => `${name}${randomUUID().slice(0, 12)}@example.net`;

const api = (own: { apiKey: string }) => ({ ...service, apiKey: own.apiKey });
const ask = (body?: object, own: { apiKey: string } = workspace, headers = {}) =>
  call(api(own), 'POST', '/api/v1/audience', { ...(body && { body }), headers });

async function subscribe(own: { apiKey: string }, email = someone(), over: object = { double_opt_in: false }) {
  const { status } = await call(api(own), 'POST', '/api/v1/subscribers', { body: { email, ...over } });
  expect(status).toBe(201);
  return email;
}

/** Functions that only feedback or an operator calls. */
async function suppress(workspaceId: string | null, email: string, reason: 'bounce' | 'complaint' | 'manual') {
  Object.assign(process.env, service.environment);
  const services = await import('../../../shared/services/suppression.ts');
  await services.suppress(workspaceId, email, reason, new Date());
}

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  workspace = await newWorkspace(service);
});

describe('POST /audience without to', () => {
  it('counts exactly the people whom a campaign to the whole list would reach', async () => {
    const [stays, leaves, bounces, complains, blocked, pending, manual] = [
      await subscribe(workspace),
      await subscribe(workspace),
      await subscribe(workspace),
      await subscribe(workspace),
      await subscribe(workspace),
      await subscribe(workspace, someone(), {}),
      someone(),
    ];
    expect((await ask()).body).toEqual({ object: 'audience', recipients: 5, audience: null });
    await call(api(workspace), 'DELETE', `/api/v1/subscribers/${encodeURIComponent(leaves)}`);
    await suppress(workspace.workspaceId, bounces, 'bounce');
    await suppress(workspace.workspaceId, complains, 'complaint');
    await suppress(null, blocked, 'manual');
    await suppress(null, pending, 'manual');
    await suppress(null, manual, 'manual');
    for (const body of [undefined, {}, { to: null }]) {
      expect((await ask(body)).body).toEqual({ object: 'audience', recipients: 1, audience: null });
    }
    expect((await ask({ to: [stays] })).body.recipients).toBe(1);
  });

  it('counts each person once after every change of status', async () => {
    const email = await subscribe(workspace);
    await subscribe(workspace);
    await call(api(workspace), 'POST', '/api/v1/subscribers', { body: { email, firstName: 'Ada', tags: ['x'] } });
    expect((await ask()).body.recipients).toBe(2);
  });
});

describe('POST /audience with to', () => {
  it('gives each address the first reason that applies, with consistent totals', async () => {
    const people = {
      retained: await subscribe(workspace),
      pending: await subscribe(workspace, someone(), {}),
      unsubscribed: await subscribe(workspace),
      bounced: await subscribe(workspace),
      complained: await subscribe(workspace),
      suppressed: await subscribe(workspace),
      not_in_list: someone(),
      onlySuppressed: someone(),
    };
    await call(api(workspace), 'DELETE', `/api/v1/subscribers/${encodeURIComponent(people.unsubscribed)}`);
    await suppress(workspace.workspaceId, people.bounced, 'bounce');
    await suppress(workspace.workspaceId, people.complained, 'complaint');
    await suppress(workspace.workspaceId, people.onlySuppressed, 'manual');
    for (const email of [people.suppressed, people.pending, people.bounced]) await suppress(null, email, 'manual');
    const to = [...Object.values(people), ` ${people.retained.toUpperCase()}\u00a0`, 'nobody', 'Nobody ', ''];
    const { status, body } = await ask({ to });
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'audience',
      recipients: 1,
      audience: {
        requested: 12,
        duplicates: 2,
        retained: 1,
        excluded: 9,
        reasons: {
          invalid: 2,
          not_in_list: 2,
          pending: 1,
          unsubscribed: 1,
          bounced: 1,
          complained: 1,
          suppressed: 1,
          outside_segment: 0,
        },
        excluded_addresses: [
          { email: people.pending, reason: 'pending' },
          { email: people.unsubscribed, reason: 'unsubscribed' },
          { email: people.bounced, reason: 'bounced' },
          { email: people.complained, reason: 'complained' },
          { email: people.suppressed, reason: 'suppressed' },
          { email: people.not_in_list, reason: 'not_in_list' },
          { email: people.onlySuppressed, reason: 'not_in_list' },
          { email: 'nobody', reason: 'invalid' },
          { email: '', reason: 'invalid' },
        ],
      },
    });
  });

  it('reads an empty list as no recipients', async () => {
    await subscribe(workspace);
    const { status, body } = await ask({ to: [] });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      recipients: 0,
      audience: { requested: 0, duplicates: 0, retained: 0, excluded: 0, excluded_addresses: [] },
    });
  });

  it('ignores the people of another workspace', async () => {
    const other = await newWorkspace(service);
    const [shared, theirs] = [await subscribe(workspace), await subscribe(other)];
    await subscribe(other, shared);
    await call(api(other), 'DELETE', `/api/v1/subscribers/${encodeURIComponent(shared)}`);
    const { body } = await ask({ to: [shared, theirs] });
    expect(body.audience.excluded_addresses).toEqual([{ email: theirs, reason: 'not_in_list' }]);
    expect([(await ask()).body.recipients, (await ask(undefined, other)).body.recipients]).toEqual([1, 1]);
  });

  it('reads more addresses than one batch holds', async () => {
    const people = await Promise.all(Array.from({ length: 60 }, () => subscribe(workspace)));
    const to = [...people, ...Array.from({ length: 300 }, (_, index) => `stranger${index}@example.net`)];
    const { body } = await ask({ to });
    expect(body).toMatchObject({
      recipients: 60,
      audience: { requested: 360, retained: 60, excluded: 300, reasons: { not_in_list: 300 } },
    });
  });

  it('creates nothing', async () => {
    await ask({ to: [someone()] });
    const { body } = await call(api(workspace), 'GET', '/api/v1/subscribers');
    expect(body.data).toEqual([]);
  });
});

describe('422 validation_error', () => {
  const issues = async (body: object, language = 'en') => {
    const answer = await ask(body, workspace, { 'Accept-Language': language });
    expect([answer.status, answer.body.name]).toEqual([422, 'validation_error']);
    return answer.body.error.details.issues;
  };

  it.each(['To', 'TO', 'recipients', 'emails', 'to_emails', 'destinataires', 'adresses', 'audience'])(
    'names the right field for %s',
    async (name) => {
      expect(await issues({ [name]: ['ada@example.net'] })).toEqual([
        { path: name, message: 'is not a field of this request; use `to`, a list of addresses' },
      ]);
    },
  );

  it('reports all unknown fields at once, in the language of the request', async () => {
    expect(await issues({ to: [], dry_run: true, segment_id: 'x', emails: null }, 'fr')).toEqual(
      expect.arrayContaining([
        { path: 'dry_run', message: 'n’est pas un champ de cette requête ; elle accepte : to' },
        { path: 'segment_id', message: 'n’est pas un champ de cette requête ; utilisez `to`, une liste d’adresses' },
        { path: 'emails', message: 'n’est pas un champ de cette requête ; utilisez `to`, une liste d’adresses' },
      ]),
    );
  });

  it.each([
    [{ to: 'ada@example.net' }, 'to', 'must be an array'],
    [{ to: ['ada@example.net', 3] }, 'to[1]', 'must be a string'],
    [{ to: ['ada@example.net\n'] }, 'to[0]', 'holds a line break or another control character'],
    [{ to: ['a@example.net', 'b@x.net\r\nBcc: c@x.net'] }, 'to[1]', 'holds a line break or another control character'],
    [{ to: ['\0'] }, 'to[0]', 'holds a line break or another control character'],
    [{ to: Array(50_001).fill('a') }, 'to', 'must have at most 50000 addresses: split the list'],
    [{ to: Array(200_000).fill(1) }, 'to', 'must have at most 50000 addresses: split the list'],
  ])(
    'refuses a value that is not a list, a list that is too long, and header injection',
    async (body, path, message) => {
      expect(await issues(body)).toEqual([{ path, message }]);
    },
  );
});

describe('a response larger than the limit of Lambda', () => {
  const to = Array.from({ length: 50_000 }, (_, index) => `${`${index}`.padEnd(308, 'x')}@example.net`);

  it('is compressed for a client that accepts gzip, and contains every address', async () => {
    const { status, headers, body } = await ask({ to }, workspace, { 'Accept-Encoding': 'gzip' });
    expect(status).toBe(200);
    expect([headers.get('content-encoding'), headers.get('vary')]).toEqual(['gzip', 'Accept-Encoding']);
    expect(Number(headers.get('content-length'))).toBeLessThan(4_700_000);
    expect(body.audience).toMatchObject({ requested: 50_000, excluded: 50_000, reasons: { invalid: 50_000 } });
    expect(body.audience.excluded_addresses).toHaveLength(50_000);
  });

  it('is refused for a client that does not, with a message that names the solution', async () => {
    const { status, body } = await plain(JSON.stringify({ to }));
    expect([status, body.name]).toEqual([413, 'validation_error']);
    expect(body.message).toContain('Accept-Encoding: gzip');
  });

  /** fetch always accepts gzip. */
  function plain(text: string): Promise<{ status: number; body: { name: string; message: string } }> {
    return new Promise((resolve, reject) => {
      const headers = { Authorization: `Bearer ${workspace.apiKey}`, 'Content-Type': 'application/json' };
      const outgoing = request(`${service.baseUrl}/api/v1/audience`, { method: 'POST', headers }, async (response) => {
        const chunks = await response.toArray();
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
      });
      outgoing.once('error', reject);
      outgoing.end(text);
    });
  }
});
