import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { call } from '../client.ts';
import { inbox, setFaults } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

let service: TestService;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await startService({ env: { REQUESTS_PER_MINUTE: '100000' } });
  workspace = await newWorkspace(service);
});
afterEach(() => setFaults(service));
afterAll(() => service.stop());

const client = () => ({ ...service, apiKey: workspace.apiKey });
const someone = () => `p${randomUUID().slice(0, 8)}@example.net`;
const send = (to: string) =>
  call(client(), 'POST', '/api/v1/emails', {
    body: { from: `hello@${workspace.domain}`, to, subject: 'Hello', text: 'Hi.' },
  });

describe('200 concurrent calls to a provider that takes four seconds for each', () => {
  it('are all accepted', async () => {
    await setFaults(service, { latency_ms: 4000 });
    const answers = await Promise.all(Array.from({ length: 200 }, () => send(someone())));
    const refused = answers.filter(({ status }) => status !== 202).map(({ body }) => body.error ?? body);
    expect(refused).toEqual([]);
  });
});

describe('an idle service', () => {
  it('sends at once, however long the provider keeps connections open', async () => {
    // The local SES closes connections that are idle for five seconds, and announces it a second later.
    for (const rest of [0, 4950, 5050, 5950, 6050]) {
      await wait(rest);
      const to = someone();
      expect((await send(to)).status).toBe(202);
      expect(await inbox(service, to)).toHaveLength(1);
    }
  });
});

describe('a database that is frozen', () => {
  const engine = () => Number(readFileSync(join(service.dataDir, 'dynamodb.pid'), 'utf8'));

  it('makes a call fail in the shape of the contract, before API Gateway gives up', async () => {
    process.kill(engine(), 'SIGSTOP');
    try {
      const begun = Date.now();
      const answer = await call(client(), 'GET', '/api/v1/me');
      expect(Date.now() - begun).toBeLessThan(29_000);
      expect(answer).toMatchObject({ status: 503, body: { name: 'internal_error', statusCode: 503 } });
    } finally {
      process.kill(engine(), 'SIGCONT');
    }
    expect((await call(client(), 'GET', '/api/v1/me')).status).toBe(200);
  });
});
