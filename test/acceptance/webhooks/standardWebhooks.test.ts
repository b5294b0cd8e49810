import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { call, eventually } from '../client.ts';
import { eventOf, type ReceivedRequest, type Receiver, startReceiver } from '../receiver.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;

beforeAll(async () => {
  service = await sharedService();
  workspace = await newWorkspace(service);
});
afterAll(() => service?.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const api = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  call({ baseUrl: service.baseUrl, apiKey: workspace.apiKey }, method, `/api/v1${path}`, { body, headers });

const create = async () =>
  (await api('POST', '/webhooks', { url: receiver.url, events: ['email.delivered'] })).body as Record<string, string>;

/** The request of a test event, as it arrived. */
async function receivedTest(id = ''): Promise<ReceivedRequest> {
  await api('POST', `/webhooks/${id}/test`);
  const request = receiver.requests.at(-1);
  if (!request) throw new Error('Nothing came.');
  return request;
}

/** By the library of Standard Webhooks; throws for a request that is not genuine. */
const verify = ({ body, headers }: Pick<ReceivedRequest, 'body' | 'headers'>, secret = ''): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

/** The specification once more, by nothing but Python's own library. */
const python = `
import base64, hashlib, hmac, json, sys, time
request = json.load(sys.stdin)
headers, body = request["headers"], request["body"].encode()
assert abs(time.time() - int(headers["webhook-timestamp"])) < 300
key = base64.b64decode(request["secret"].removeprefix("whsec_"), validate=True)
signed = b".".join([headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), body])
expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
given = [part.split(",", 1) for part in headers["webhook-signature"].split(" ")]
print(any(version == "v1" and hmac.compare_digest(value, expected) for version, value in given))
`;

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('python3 is not installed: its verification was not run.');

function verifiedByPython(request: ReceivedRequest, secret: string | undefined): string {
  const input = JSON.stringify({ headers: request.headers, body: request.body, secret });
  const { stdout, stderr } = spawnSync('python3', ['-c', python], { input, encoding: 'utf8' });
  return stderr || stdout.trim();
}

describe('the headers of Standard Webhooks', () => {
  it('are verified by its library and by Python on what arrived, and fail for a changed byte', async () => {
    const { id, secret } = await create();
    const request = await receivedTest(id);
    expect(verify(request, secret)).toEqual(eventOf(request));
    expect(request.headers['webhook-id']).toBe(eventOf(request).id);
    expect(() => verify({ ...request, body: request.body.replace('true', 'false') }, secret)).toThrow(/signature/i);
    const moved = { ...request.headers, 'webhook-id': 'evt_other' };
    expect(() => verify({ ...request, headers: moved }, secret)).toThrow(/signature/i);
    const other = await create();
    expect(() => verify(request, other.secret)).toThrow(/signature/i);
    if (!hasPython) return;
    expect([verifiedByPython(request, secret), verifiedByPython(request, other.secret)]).toEqual(['True', 'False']);
  });

  it('have the same id and a new time when a delivery is replayed', async () => {
    const { id, secret } = await create();
    const sent = { from: `hello@${workspace.domain}`, to: 'ada@example.net', subject: 'Hello', text: 'Hello.' };
    await api('POST', '/emails', sent);
    const [first] = await eventually(async () => receiver.requests.length > 0 && receiver.requests);
    const { data } = (await api('GET', `/webhooks/${id}/deliveries`)).body;
    const second = await eventually(async () => {
      await api('POST', `/webhooks/${id}/deliveries/${data[0].id}/replay`);
      const last = receiver.requests.at(-1);
      return last?.headers['webhook-timestamp'] !== first?.headers['webhook-timestamp'] && last;
    });
    expect(first?.headers['webhook-id']).toBe(data[0].event_id);
    expect(second.headers['webhook-id']).toBe(data[0].event_id);
    expect(second.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
    for (const request of [first, second])
      expect(verify(request as ReceivedRequest, secret)).toMatchObject({ type: 'email.delivered' });
  });
});

describe('POST /webhooks/{id}/rotate', () => {
  it('answers with a new secret; the previous one signs beside it, in both headers', async () => {
    const { id, secret } = await create();
    const { status, body } = await api('POST', `/webhooks/${id}/rotate`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: 'webhook', id, secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/) });
    expect(body.secret).not.toBe(secret);
    expect((await api('GET', `/webhooks/${id}`)).body.secret).toBe(body.secret);
    const request = await receivedTest(id);
    expect(request.headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
    expect(request.headers['service-signature']).toMatch(/^t=\d+(,v1=[0-9a-f]{64}){2}$/);
    for (const one of [secret, body.secret]) expect(verify(request, one)).toEqual(eventOf(request));
    if (hasPython) expect(verifiedByPython(request, secret)).toBe('True');
  });

  it('rotates once under an Idempotency-Key, and keeps no secret that a reader of the table could use', async () => {
    const { id } = await create();
    const rotate = () => api('POST', `/webhooks/${id}/rotate`, undefined, { 'Idempotency-Key': key });
    const key = randomUUID();
    const [first, second] = [await rotate(), await rotate()];
    expect(second.headers.get('idempotent-replay')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect((await receivedTest(id)).headers['webhook-signature']).toMatch(/^v1,\S{44} v1,\S{44}$/);
    Object.assign(process.env, service.environment);
    const { scanWorkspace } = await import('../../../shared/store/workspaceScan.ts');
    const stored: string[] = [];
    for await (const { items } of scanWorkspace(workspace.workspaceId)) stored.push(JSON.stringify(items));
    expect(stored.join()).toMatch(/\\"object\\":\\"webhook\\"/);
    expect(stored.join()).not.toContain(first.body.secret);
    expect(stored.join()).not.toContain('whsec_');
  });

  it('is refused for another workspace, and is in the audit log', async () => {
    const { id } = await create();
    const { apiKey } = await newWorkspace(service);
    expect((await call({ ...service, apiKey }, 'POST', `/api/v1/webhooks/${id}/rotate`)).status).toBe(404);
    await api('POST', `/webhooks/${id}/rotate`);
    Object.assign(process.env, service.environment);
    const { pageOfAudit } = await import('../../../shared/store/audit.ts');
    const { entries } = await pageOfAudit(workspace.workspaceId, { limit: 20, after: undefined });
    expect(entries.filter(({ subject }) => subject === id)).toMatchObject([
      { action: 'webhook.rotate', role: 'key', outcome: 'done' },
    ]);
  });
});
