import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { ageClaims } from '../claims.ts';
import { type Answer, call, eventually } from '../client.ts';
import { inbox } from '../inbox.ts';
import { type OwnService, startService } from '../service.ts';
import { type HeldDatabase, startHeldDatabase } from './heldDatabase.ts';

let database: HeldDatabase;
let service: OwnService;
beforeAll(async () => {
  database = await startHeldDatabase();
  service = await startService({ env: { AWS_ENDPOINT_URL_DYNAMODB: database.endpoint } });
});
afterEach(() => database.letGo());
afterAll(async () => {
  await service?.stop();
  await database?.stop();
});

const someone = () => `p${randomUUID().slice(0, 8)}@example.net`;
const send = (to: string, key: string): Promise<Answer> =>
  call(service, 'POST', '/api/v1/emails', {
    body: { from: 'hello@example.com', to, subject: 'Once', text: 'Hi.' },
    headers: { 'Idempotency-Key': key },
  });
const received = async (to: string) => (await inbox(service, to)).length;
const remaining = async () => (await call(service, 'GET', '/api/v1/me')).body.emails_remaining;
const settle = async () => {
  Object.assign(process.env, service.environment);
  const { sweepOpenSends } = await import('../../../shared/services/sweep/settleSends.ts');
  await sweepOpenSends(new Date(Date.now() + 30 * 60_000));
};
const isWrite = (operation: string) => ['PutItem', 'UpdateItem', 'TransactWriteItems'].includes(operation);

/** API Gateway gives up after 29 seconds. */
const timely = async (answer: Promise<Answer>): Promise<Answer> => {
  const begun = Date.now();
  const found = await answer;
  expect(Date.now() - begun).toBeLessThan(29_000);
  return found;
};

describe('a write that the database answers a minute late', () => {
  it.each([1, 2, 3, 4, 5])('results in one message: write %i', async (which) => {
    const [to, key, before] = [someone(), randomUUID(), await remaining()];
    let seen = 0;
    database.hold((operation) => {
      if (isWrite(operation)) seen += 1;
      return seen === which && isWrite(operation) && database.held() === 0;
    });
    const first = await timely(send(to, key));
    expect(first.status).toBe(202);
    expect(database.held()).toBe(1);
    database.letGo();
    await wait(300);
    const again = await eventually(async () => {
      const answer = await send(to, key);
      return answer.status === 202 && answer;
    });
    expect(again.body).toEqual(first.body);
    expect(await received(to)).toBe(1);
    // A reservation that was made twice is corrected when its minute is settled.
    await settle();
    expect(await remaining()).toBe(before - 1);
  });
});

describe('a database that stops answering in the middle of a call', () => {
  it('before the message is sent: 503 in time, nothing is sent then or later, and a retry sends it once', async () => {
    const [to, key] = [someone(), randomUUID()];
    let isClaimed = false;
    database.hold((operation, body) => {
      const isHeld = isClaimed;
      isClaimed ||= operation === 'PutItem' && body.includes('#CLAIM#');
      return isHeld;
    });
    const failed = await timely(send(to, key));
    expect([failed.status, failed.body.name]).toEqual([503, 'internal_error']);
    expect(failed.headers.get('retry-after')).toBe('10');
    expect(database.held()).toBeGreaterThan(0);
    database.letGo();
    await wait(3000);
    expect(await received(to)).toBe(0);
    await ageClaims(service, service.workspaceId, [key]);
    expect((await send(to, key)).status).toBe(202);
    expect(await received(to)).toBe(1);
  });

  it('afterwards: 202, since the provider has accepted it, and a retry gets the same', async () => {
    const [to, key] = [someone(), randomUUID()];
    let isMarking = false;
    database.hold((_operation, body) => {
      isMarking ||= body.includes('message_id_0');
      return isMarking;
    });
    const first = await timely(send(to, key));
    expect(first.status).toBe(202);
    database.letGo();
    const again = await eventually(async () => {
      const answer = await send(to, key);
      return answer.status === 202 && answer;
    }, 60);
    expect(again.headers.get('idempotent-replay')).toBe('true');
    expect(again.body.id).toBe(first.body.id);
    expect(await received(to)).toBe(1);
  });
});

describe('a process that is frozen in the middle of a call', () => {
  it('sends nothing when it continues after the deadline of the call', async () => {
    const [to, key] = [someone(), randomUUID()];
    database.hold((_operation, body) => body.includes('#SENDS#'));
    const frozen = send(to, key);
    await eventually(async () => database.held() > 0);
    service.process.kill('SIGSTOP');
    await wait(28_000);
    database.letGo();
    service.process.kill('SIGCONT');
    expect((await frozen).status).toBe(503);
    await wait(1000);
    expect(await received(to)).toBe(0);
    expect((await send(to, key)).status).toBe(409);
    await ageClaims(service, service.workspaceId, [key]);
    expect((await send(to, key)).status).toBe(202);
    expect(await received(to)).toBe(1);
  });
});
