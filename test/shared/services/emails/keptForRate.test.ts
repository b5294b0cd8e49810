import type { RequestListener } from 'node:http';
import type { Input } from '../../../../shared/contract/route.ts';
import type { sendEmailRoute } from '../../../../shared/contract/routes/emails.ts';
import { logger } from '../../../../shared/platform/logger.ts';
import type { ScheduledMessage } from '../../../../shared/queue/scheduledEmail.ts';
import type { ScheduledEmail } from '../../../../shared/store/emails/scheduledEmails.ts';
import { startProvider, type TestProvider } from '../../platform/aws/provider.ts';
import { aroundCalls, type TableCall } from '../../store/aroundCalls.ts';
import { startTestBucket } from '../../store/files/testBucket.ts';
import { contextOf, operatorContext } from '../context.ts';
import { startQueuesAndTable } from '../queuesAndTable.ts';

let engines: Awaited<ReturnType<typeof startQueuesAndTable>>;
let bucket: Awaited<ReturnType<typeof startTestBucket>>;
let provider: TestProvider;
let modules: Awaited<ReturnType<typeof load>>;
/** Of what SES is asked. */
let isThrottling = false;
let sends = 0;

const respond: RequestListener = (request, response) => {
  request.resume().on('end', () => {
    const answer = (status: number, body: object, headers = {}) =>
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    if (request.url?.endsWith('/account')) return answer(200, { SendQuota: { MaxSendRate: 10, Max24HourSend: -1 } });
    sends += 1;
    const error = { message: 'Maximum sending rate exceeded.' };
    if (isThrottling) return answer(429, error, { 'x-amzn-errortype': 'TooManyRequestsException' });
    return answer(200, { MessageId: `m${sends}` });
  });
};

const load = async () => ({
  ...(await import('../../../../shared/services/emails/sendEmail.ts')),
  ...(await import('../../../../shared/services/emails/sendScheduled.ts')),
  ...(await import('../../../../shared/services/workspaces/workspaces.ts')),
  ...(await import('../../../../shared/store/emails/scheduledEmails.ts')),
  ...(await import('../../../../shared/store/emails/email.ts')),
  ...(await import('../../../../shared/store/quota/months.ts')),
  ...(await import('../../../../shared/store/table/keys.ts')),
  ...(await import('../../../../shared/store/table/table.ts')),
  ...(await import('../../../../shared/store/table/write.ts')),
  ...(await import('../../../../shared/store/workspace/workspaces.ts')),
});

beforeAll(async () => {
  [engines, bucket, provider] = await Promise.all([startQueuesAndTable(), startTestBucket(), startProvider(respond)]);
  Object.assign(process.env, { AWS_ENDPOINT_URL_SESV2: provider.endpoint, CONFIGURATION_SET: 'mail' });
  modules = await load();
  logger.setLogLevel('SILENT');
});
afterAll(() => Promise.all([engines.stop(), bucket.stop(), provider.stop()]));
beforeEach(() => {
  isThrottling = true;
});

/** A workspace of the smallest plan, with a verified domain. */
async function newWorkspace(): Promise<string> {
  const { id } = await modules.createWorkspace(operatorContext(), { name: 'Test', plan: 'free', language: 'en' });
  await modules.putDomain(id, 'example.com', new Date(), new Date());
  return id;
}

const email = (over: object = {}) =>
  ({ from: 'a@example.com', to: 'ada@example.net', subject: 'Hi', text: 'Hi.', ...over }) as Input<
    typeof sendEmailRoute
  >;
const used = async (workspaceId: string) =>
  (await modules.getMonth(workspaceId, new Date().toISOString().slice(0, 7))).used;

function messageOf(workspaceId: string, kept: ScheduledEmail | null): ScheduledMessage {
  if (!kept) throw new Error('It is not kept.');
  return { kind: 'send', workspace_id: workspaceId, email_id: kept.id, scheduled_at: kept.scheduledAt };
}

/** As the queue does when the email's turn has come. */
const turnOf = async (workspaceId: string, id: string): Promise<void> =>
  modules.handleScheduledMessage(messageOf(workspaceId, await modules.getScheduled({ workspaceId, id })), new Date());

const send = (workspaceId: string, idempotencyKey = 'key') =>
  modules.sendEmail(contextOf(workspaceId), email({ idempotencyKey }));

/** Fails the calls of the table for which this holds. */
const failing = (isAway: (operation: string, input: string) => boolean) =>
  aroundCalls(modules.documents, (next) => async (call) => {
    if (isAway(call.operation, JSON.stringify(call.input))) throw new Error('Away.');
    return next(call);
  });

describe('an email that SES defers for its rate', () => {
  it('is kept with its quota, replayed under its key, and sent once in its turn', async () => {
    const workspaceId = await newWorkspace();
    const { outcome, output } = await send(workspaceId);
    const fields = { from: 'a@example.com', to: ['ada@example.net'], subject: 'Hi', object: 'email' };
    expect([outcome, output]).toEqual(['accepted', { ...fields, id: output.id, created_at: output.created_at }]);
    const kept = await modules.getScheduled({ workspaceId, id: output.id });
    expect(kept).toMatchObject({ state: 'scheduled', createdAt: output.created_at, isDue: true, inDoubt: [] });
    expect(await used(workspaceId)).toBe(1);
    expect(await send(workspaceId)).toEqual({ outcome: 'replayed', output });
    const before = sends;
    isThrottling = false;
    await turnOf(workspaceId, output.id);
    await modules.handleScheduledMessage(messageOf(workspaceId, kept), new Date());
    expect(sends - before).toBe(1);
    expect(await modules.getScheduled({ workspaceId, id: output.id })).toBeNull();
    expect(await modules.findEmail(workspaceId, output.id)).toMatchObject({
      email: { createdAt: output.created_at },
      messageIds: [expect.any(String)],
    });
    expect(await send(workspaceId)).toEqual({ outcome: 'replayed', output });
    expect([sends - before, await used(workspaceId)]).toEqual([1, 1]);
  });

  it('waits again when its turn is throttled too, and its quota stays taken', async () => {
    const workspaceId = await newWorkspace();
    const { output } = await send(workspaceId);
    await turnOf(workspaceId, output.id);
    const waiting = await modules.getScheduled({ workspaceId, id: output.id });
    expect(waiting).toMatchObject({ state: 'scheduled', tries: 1, isDue: true });
    expect(await used(workspaceId)).toBe(1);
    isThrottling = false;
    await turnOf(workspaceId, output.id);
    expect([await modules.getScheduled({ workspaceId, id: output.id }), await used(workspaceId)]).toEqual([null, 1]);
  });

  it('goes out although the month has no quota left, since its own was taken with the answer', async () => {
    const workspaceId = await newWorkspace();
    const { output } = await send(workspaceId);
    const month = modules.monthKey(workspaceId, new Date().toISOString().slice(0, 7));
    await modules.upsertItem<{ used: number }>(month, { add: { used: 2999 } });
    isThrottling = false;
    await turnOf(workspaceId, output.id);
    expect([await modules.getScheduled({ workspaceId, id: output.id }), await used(workspaceId)]).toEqual([null, 3000]);
  });

  it('is canceled for the rule that refuses it in its turn', async () => {
    const workspaceId = await newWorkspace();
    const { output } = await send(workspaceId);
    await modules.deleteItem(modules.domainKey(workspaceId, 'example.com'));
    isThrottling = false;
    const before = sends;
    await turnOf(workspaceId, output.id);
    expect(sends).toBe(before);
    expect(await modules.getScheduled({ workspaceId, id: output.id })).toMatchObject({
      ...{ state: 'canceled', reason: 'unverified_from_domain' },
    });
    // The key still replays the answer.
    expect(await send(workspaceId)).toEqual({ outcome: 'replayed', output });
  });

  it('is refused as not sent when it cannot be kept: its quota and its key are free', async () => {
    const workspaceId = await newWorkspace();
    const restore = failing((_operation, input) => input.includes('"PACE"') && input.includes('backlog_until'));
    await expect(send(workspaceId)).rejects.toMatchObject({ code: 'send_failed', retryAfterSeconds: 5 });
    restore();
    expect(await used(workspaceId)).toBe(0);
    isThrottling = false;
    await untilNoBacklog();
    expect((await send(workspaceId)).outcome).toBe('accepted');
  });

  it('is unknown when the record has no answer: its key is kept, and finds it if it was written', async () => {
    const workspaceId = await newWorkspace();
    const lost = aroundCalls(modules.documents, (next) => async (call) => {
      const answer = await next(call);
      if (call.operation === 'PutItem' && JSON.stringify(call.input).includes('#SCHEDULED#')) throw new Error('Lost.');
      return answer;
    });
    await expect(send(workspaceId)).rejects.toMatchObject({
      ...{ code: 'send_failed', extent: 'unknown', isOpenEnded: true, details: { unknown: ['ada@example.net'] } },
    });
    lost();
    expect(await send(workspaceId)).toMatchObject({ outcome: 'replayed' });
    expect(await used(workspaceId)).toBe(1);
  });
});

describe('an email whose acceptance is recorded while a later call takes over its key', () => {
  it('is replayed, and not sent again', async () => {
    const workspaceId = await newWorkspace();
    isThrottling = false;
    await untilNoBacklog();
    const records: TableCall[] = [];
    const isUpdateOf = ({ operation, input }: TableCall, sk: string) =>
      operation === 'UpdateItem' && (input as { Key: { sk: string } }).Key.sk === sk;
    const late = aroundCalls(modules.documents, (next) => async (call) => {
      if (!isUpdateOf(call, 'EMAIL')) return next(call);
      records.push(call);
      throw new Error('Away.');
    });
    const { output } = await send(workspaceId);
    late();
    const [before, [record]] = [sends, records];
    if (!record) throw new Error('Nothing was recorded.');
    const recorded = aroundCalls(modules.documents, (next) => async (call) => {
      const answer = await next(call);
      if (isUpdateOf(call, 'CLAIM')) await next(record);
      return answer;
    });
    const later = { ...contextOf(workspaceId), now: new Date(Date.now() + 301_000) };
    const again = await modules.sendEmail(later, email({ idempotencyKey: 'key' }));
    recorded();
    expect(again).toEqual({ outcome: 'replayed', output });
    expect([sends - before, await used(workspaceId)]).toEqual([0, 1]);
  });
});

/** The backlog of these tests lasts a fraction of a second. */
async function untilNoBacklog(): Promise<void> {
  const item = await modules.getItem(modules.paceKey);
  const left = Number(item?.backlog_until ?? 0) - Date.now();
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left + 50));
}
