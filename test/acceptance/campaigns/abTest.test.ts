import { randomUUID } from 'node:crypto';
import { operatorContext } from '../../shared/services/context.ts';
import { call, eventually } from '../client.ts';
import { inbox } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';
import { draft, operator, report, send, show, subscribe, untilSent, wakeRunners } from './campaign.ts';

const people = 40;
const variants = [{ subject: 'A' }, { subject: 'B' }];
const testOf = (decide_by: 'opens' | 'clicks') => ({ variants, test_share: 0.5, decide_by, wait_hours: 1 });

let service: TestService;
let workspace: TestWorkspace;
const api = () => ({ ...service, apiKey: workspace.apiKey });

beforeAll(async () => {
  service = await startService({ env: { CAMPAIGN_LOOK_AGAIN_SECONDS: '2' } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  workspace = await newWorkspace(service);
});

/** A test whose test messages are out and counted: who got which subject, and when it is decided. */
async function tested(decideBy: 'opens' | 'clicks') {
  const emails = Array.from({ length: people }, () => `p${randomUUID().slice(0, 12)}@example.net`);
  await subscribe(api(), emails);
  const id = await draft(api(), { text: '[Look](https://example.com/look)', ab_test: testOf(decideBy) });
  expect((await send(api(), id)).body.queued).toBe(people);
  const decideAt = await eventually(async () => (await report(api(), id)).ab_test.decide_at as string | null);
  await eventually(async () => (await report(api(), id)).counts.delivered === people / 2);
  const messages = (await Promise.all(emails.map((email) => inbox(service, email)))).flat();
  return { id, emails, decideAt, of: (subject: string) => messages.filter((message) => message.subject === subject) };
}

/** Ends the wait before the decision. */
async function waitIsOver(id: string): Promise<void> {
  Object.assign(process.env, service.environment);
  const [{ documents, tableName }, { UpdateCommand }, { campaignKey }] = await Promise.all([
    import('../../../shared/store/table/table.ts'),
    import('@aws-sdk/lib-dynamodb'),
    import('../../../shared/store/table/keys.ts'),
  ]);
  await documents.send(
    new UpdateCommand({
      TableName: tableName(),
      Key: campaignKey(workspace.workspaceId, id),
      UpdateExpression: 'SET test.decide_at = :now',
      ExpressionAttributeValues: { ':now': new Date().toISOString() },
    }),
  );
  await wakeRunners(service, workspace.workspaceId, id);
}

async function happens(type: 'Open' | 'Click', messageId: string): Promise<void> {
  const user_agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36';
  const body = JSON.stringify({ type, message_id: messageId, user_agent, link: 'https://example.com/look' });
  const answer = await fetch(`${service.sesEndpoint}/_control/events`, { method: 'POST', body });
  expect(answer.status).toBe(202);
}

const subjectsOf = async (emails: readonly string[]): Promise<string[]> =>
  (await Promise.all(emails.map((email) => inbox(service, email)))).map((messages) =>
    messages.map(({ subject }) => subject).join(),
  );

describe('an A/B test', () => {
  it('sends to exact groups, waits from the last outcome on, and sends the winner to the rest', async () => {
    const before = Date.now();
    const { id, emails, decideAt, of } = await tested('opens');
    expect([of('A').length, of('B').length]).toEqual([10, 10]);
    expect(Date.parse(decideAt) - 3_600_000).toBeGreaterThanOrEqual(before);
    expect(Date.parse(decideAt) - 3_600_000).toBeLessThanOrEqual(Date.now());
    expect((await show(api(), id)).progress).toMatchObject({ queued: people, sent: 20, waiting: 20 });
    for (const { message_id } of of('B').slice(0, 2)) await happens('Open', message_id);
    await happens('Open', of('A')[0]?.message_id ?? '');
    await eventually(async () => (await report(api(), id)).counts.opened === 3);
    await waitIsOver(id);
    const { progress } = await untilSent(api(), id);
    expect(progress).toMatchObject({ sent: people, waiting: 0 });
    expect((await report(api(), id)).ab_test.winner).toBe(1);
    const { readTestResults } = await import('../../../shared/services/campaigns/abTest.ts');
    const results = await readTestResults(operatorContext(workspace.workspaceId), { id });
    expect(results?.variants).toEqual([
      { name: null, subject: 'A', result: { delivered: 10, votes: 1 } },
      { name: null, subject: 'B', result: { delivered: 10, votes: 2 } },
    ]);
    const subjects = await subjectsOf(emails);
    expect([subjects.filter((one) => one === 'A').length, subjects.filter((one) => one === 'B').length]).toEqual([
      10, 30,
    ]);
  });

  it('without opens or clicks sends the first variant to the rest', async () => {
    const { id, emails } = await tested('clicks');
    await waitIsOver(id);
    await untilSent(api(), id);
    expect((await report(api(), id)).ab_test.winner).toBe(0);
    expect((await subjectsOf(emails)).filter((one) => one === 'A').length).toBe(30);
  });

  it('that is cancelled during the wait skips the rest', async () => {
    const { id } = await tested('opens');
    await (await operator(service, workspace)).cancel(id);
    expect((await untilSent(api(), id)).progress).toMatchObject({ sent: 20, skipped: 20, waiting: 0 });
    expect((await call(api(), 'GET', '/api/v1/me')).body.emails_remaining).toBe(500_000 - 20);
  });
});
