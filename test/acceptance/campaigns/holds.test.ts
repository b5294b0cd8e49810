import { randomUUID } from 'node:crypto';
import { call, eventually } from '../client.ts';
import { countsOf, inbox, setFaults } from '../inbox.ts';
import { startService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';
import { draft, follow, importPeople, operator, send, show, subscribe, untilSent, wakeRunners } from './campaign.ts';

let service: TestService;
let workspace: TestWorkspace;

const someone = (name = 'p') => `${name}${randomUUID().slice(0, 12)}@example.net`;
const api = (own: { apiKey: string } = workspace) => ({ ...service, apiKey: own.apiKey });
const emailsOf = (count: number) => Array.from({ length: count }, () => someone());

const receivedBy = (emails: readonly string[]) => countsOf(service, emails);

/** A campaign that is being sent to this many new people. */
async function underWay(count: number, faults: Record<string, unknown>) {
  const emails = emailsOf(count);
  await importPeople(service, workspace.workspaceId, emails);
  const id = await draft(api());
  await setFaults(service, faults);
  expect((await send(api(), id)).body.queued).toBe(count);
  return { id, emails };
}

const onceEach = (emails: readonly string[]) => emails.map(() => 1);

beforeAll(async () => {
  service = await startService({ env: { CAMPAIGN_LOOK_AGAIN_SECONDS: '2' } });
});
afterAll(() => service.stop());
beforeEach(async () => {
  await setFaults(service);
  // Throttling in one test would slow down the next one.
  await forgetPace();
  workspace = await newWorkspace(service);
});

describe('the provider’s answer for single entries', () => {
  it('throttled: they are retried, and everybody gets it once', async () => {
    const { id, emails } = await underWay(120, { bulk_entry_error: { status: 'ACCOUNT_THROTTLED', next: 70 } });
    const { progress } = await untilSent(api(), id);
    expect(progress).toMatchObject({ sent: 120, failed: 0, uncertain: 0 });
    expect(await receivedBy(emails)).toEqual(onceEach(emails));
  });

  it('transient: they are retried three times, then they fail', async () => {
    const { id, emails } = await underWay(4, { bulk_entry_error: { status: 'TRANSIENT_FAILURE', next: 14 } });
    const { progress } = await untilSent(api(), id);
    expect(progress).toMatchObject({ sent: 2, failed: 2 });
    const counts = await receivedBy(emails);
    expect(counts.filter((count) => count === 1).length).toBe(2);
  });

  it('all refused: the campaign is held for an operator, and nobody fails', async () => {
    const { id, emails } = await underWay(60, { bulk_entry_error: { status: 'FAILED' } });
    const { progress } = await follow(api(), id, (campaign) => campaign.progress.paused, 60);
    expect(progress).toMatchObject({ reason: 'provider_refuses', waiting: 60, failed: 0 });
    await setFaults(service);
    await (await operator(service, workspace)).resume(id);
    expect((await untilSent(api(), id)).progress.sent).toBe(60);
    expect(await receivedBy(emails)).toEqual(onceEach(emails));
  });
});

describe('a provider with a different answer for each entry', () => {
  /** Every status of an entry: those that pass by themselves, and those that an operator must judge. */
  const statuses = [
    ...['SUCCESS', 'MESSAGE_REJECTED', 'ACCOUNT_THROTTLED', 'TRANSIENT_FAILURE', 'INVALID_PARAMETER', 'FAILED'],
    ...['ACCOUNT_SUSPENDED', 'ACCOUNT_DAILY_QUOTA_EXCEEDED', 'ACCOUNT_SENDING_PAUSED', 'SUCCESS'],
    ...['CONFIGURATION_SET_SENDING_PAUSED', 'MAIL_FROM_DOMAIN_NOT_VERIFIED', 'SUCCESS', 'CONFIGURATION_SET_NOT_FOUND'],
    ...['TEMPLATE_NOT_FOUND', 'INVALID_SENDING_POOL_NAME', 'TRANSIENT_FAILURE'],
  ];

  it('fails for the refused ones, and reaches all others once', async () => {
    const { resume } = await operator(service, workspace);
    const { id, emails } = await underWay(200, { bulk_entry_error: { status: statuses, next: 300 } });
    const reasons = new Set<string>();
    for (;;) {
      const { status, progress } = await follow(
        api(),
        id,
        (now) => now.status === 'sent' || (now.progress.reason !== null && !reasons.has(now.progress.reason)),
        90,
      );
      if (status === 'sent') break;
      reasons.add(String(progress.reason));
      if (progress.reason !== 'provider_refuses') continue;
      await setFaults(service);
      await resume(id);
    }
    const { progress } = await show(api(), id);
    const counts = await receivedBy(emails);
    expect(counts.filter((count) => count > 1)).toEqual([]);
    expect(counts.filter((count) => count === 1).length).toBe(progress.sent);
    expect(progress).toMatchObject({ queued: 200, sent: 200 - progress.failed, skipped: 0, uncertain: 0 });
    // Three of the seventeen are about the recipient; for the others the campaign is held.
    expect(progress.failed).toBeGreaterThan(0);
    expect(progress.failed).toBeLessThanOrEqual(3 * Math.ceil(300 / statuses.length));
    expect(reasons.size).toBeGreaterThan(0);
  });
});

describe('a provider whose answer was lost', () => {
  it('the campaign is sent as soon as its events have reported every outcome', async () => {
    const { id, emails } = await underWay(60, { drop_after_accept: { next: 1 } });
    expect((await untilSent(api(), id, 60)).progress).toMatchObject({ sent: 60, uncertain: 0 });
    expect(await receivedBy(emails)).toEqual(onceEach(emails));
  });
});

describe('two campaigns of two workspaces at once', () => {
  it('both are sent, and each person gets their own once', async () => {
    const other = await newWorkspace(service);
    const sides = await Promise.all(
      [workspace, other].map(async (own) => {
        const emails = emailsOf(150);
        await importPeople(service, own.workspaceId, emails);
        return { own, emails, id: await draft(api(own)) };
      }),
    );
    await setFaults(service, { latency_ms: 300 });
    const answers = await Promise.all(sides.map(({ own, id }) => send(api(own), id)));
    expect(answers.map(({ status, body }) => [status, body.queued])).toEqual([
      [202, 150],
      [202, 150],
    ]);
    await Promise.all(sides.map(({ own, id }) => follow(api(own), id, ({ progress }) => progress.sent > 0, 60)));
    for (const { own, id, emails } of sides) {
      expect((await untilSent(api(own), id)).progress).toMatchObject({ queued: 150, sent: 150 });
      const messages = await Promise.all(emails.map((email) => inbox(service, email)));
      expect(messages.map((all) => all.map(({ from }) => from.includes(own.domain)))).toEqual(emails.map(() => [true]));
      const remaining = (await call(api(own), 'GET', '/api/v1/me')).body.emails_remaining;
      expect(remaining).toBe(500_000 - 150);
    }
  });
});

describe('an obstacle to all recipients', () => {
  it.each([
    ['a paused account', { sending_paused: true }, 'provider_paused'],
    ['a suspended account', { error: 'AccountSuspendedException' }, 'provider_paused'],
    ['an unverified MAIL FROM', { error: 'MailFromDomainNotVerifiedException' }, 'domain_unverified'],
  ])('%s: the campaign waits, reports the reason, and resumes by itself', async (_name, faults, reason) => {
    const { id, emails } = await underWay(60, faults);
    const { progress } = await follow(api(), id, (campaign) => campaign.progress.paused, 60);
    expect(progress).toMatchObject({ reason, waiting: 60 });
    await new Promise((resolve) => setTimeout(resolve, 5000));
    expect((await show(api(), id)).progress).toMatchObject({ waiting: 60 });
    await setFaults(service);
    expect((await untilSent(api(), id)).progress).toMatchObject({ sent: 60, paused: false, reason: null });
    expect(await receivedBy(emails)).toEqual(onceEach(emails));
  });

  it('a used-up daily limit: the rest of the day is used, the others wait for the next', async () => {
    const account = await fetch(`${service.sesEndpoint}/v2/email/account`);
    const { SendQuota } = (await account.json()) as { SendQuota: { SentLast24Hours: number } };
    const sent = SendQuota.SentLast24Hours;
    // Campaigns may use 90 % of the day.
    const day = Math.ceil((sent + 30) / 0.9);
    const { id, emails } = await underWay(60, { max_24_hour_send: day });
    const { progress } = await follow(api(), id, (campaign) => campaign.progress.paused, 60);
    expect(progress).toMatchObject({ reason: 'provider_day_used_up', failed: 0, uncertain: 0 });
    expect(progress.sent).toBeGreaterThanOrEqual(29);
    expect(progress.sent).toBeLessThanOrEqual(31);
    await setFaults(service);
    expect((await untilSent(api(), id)).progress.sent).toBe(60);
    expect(await receivedBy(emails)).toEqual(onceEach(emails));
  });

  it('a suspended workspace: the campaign stops at once, and resumes when the suspension is lifted', async () => {
    const { suspend, liftSuspension } = await suspensions();
    const { id, emails } = await underWay(300, { latency_ms: 700 });
    await follow(api(), id, ({ progress }) => progress.sent > 0, 60);
    await suspend(workspace.workspaceId, { since: new Date().toISOString(), bounceRate: 0.2, complaintRate: 0 });
    const held = await follow(api(), id, ({ progress }) => progress.paused, 60);
    expect(held.progress.reason).toBe('workspace_suspended');
    expect(held.progress.waiting).toBeGreaterThan(0);
    await liftSuspension(workspace.workspaceId);
    expect((await untilSent(api(), id)).progress.sent).toBe(300);
    expect(await receivedBy(emails)).toEqual(onceEach(emails));
  });
});

/** Makes the next campaign read the account again. */
async function forgetPace() {
  Object.assign(process.env, service.environment);
  const [{ documents, tableName }, { DeleteCommand }, { paceKey }] = await Promise.all([
    import('../../../shared/store/table/table.ts'),
    import('@aws-sdk/lib-dynamodb'),
    import('../../../shared/store/table/keys.ts'),
  ]);
  await documents.send(new DeleteCommand({ TableName: tableName(), Key: paceKey }));
}

async function suspensions() {
  Object.assign(process.env, service.environment);
  const { suspend, resume } = await import('../../../shared/store/workspace/workspaces.ts');
  const nothing = { date: new Date().toISOString().slice(0, 10), sent: 0, delivered: 0, bounced: 0, complained: 0 };
  return { suspend, liftSuspension: (id: string) => resume(id, nothing) };
}

describe('an operator', () => {
  it('pauses within one slice and resumes; everybody gets it once', async () => {
    const { id, emails } = await underWay(400, { latency_ms: 500 });
    await follow(api(), id, ({ progress }) => progress.sent > 0, 60);
    const { pause, resume } = await operator(service, workspace);
    await pause(id);
    const [atPause] = [(await show(api(), id)).progress.waiting];
    await new Promise((resolve) => setTimeout(resolve, 4000));
    const later = (await show(api(), id)).progress;
    expect(later).toMatchObject({ paused: true, reason: 'operator' });
    expect(later.waiting).toBeGreaterThan(0);
    expect(atPause - later.waiting).toBeLessThanOrEqual(50);
    await resume(id);
    expect((await untilSent(api(), id)).progress.sent).toBe(400);
    expect(await receivedBy(emails)).toEqual(onceEach(emails));
  });

  it('whose resume crashed before it woke the runners is helped by the sweeper', async () => {
    const { id, emails } = await underWay(150, { latency_ms: 1000 });
    const { pause } = await operator(service, workspace);
    const { removeHold } = await import('../../../shared/store/campaign/campaigns.ts');
    const paused = await pause(id);
    await new Promise((resolve) => setTimeout(resolve, 4000));
    await setFaults(service);
    expect(await removeHold(paused, 0, new Date())).toBe(true);
    await wakeRunners(service, workspace.workspaceId, id);
    expect((await untilSent(api(), id)).progress.sent).toBe(150);
    expect(await receivedBy(emails)).toEqual(onceEach(emails));
  });

  it('cancels: the rest is skipped, its quota is returned, and the status becomes sent', async () => {
    const { id, emails } = await underWay(400, { latency_ms: 500 });
    await follow(api(), id, ({ progress }) => progress.sent > 0, 60);
    await (await operator(service, workspace)).cancel(id);
    const { progress } = await untilSent(api(), id);
    expect(progress.skipped).toBeGreaterThan(0);
    expect(progress.sent + progress.skipped).toBe(400);
    const counts = await receivedBy(emails);
    expect(counts.filter((count) => count === 1).length).toBe(progress.sent);
    expect(counts.some((count) => count > 1)).toBe(false);
    const remaining = (await call(api(), 'GET', '/api/v1/me')).body.emails_remaining;
    expect(remaining).toBe(500_000 - progress.sent);
  });
});

describe('people who leave while a campaign is being sent', () => {
  it('get nothing, whether they unsubscribe, bounce, complain, or are suppressed', async () => {
    Object.assign(process.env, service.environment);
    const { suppress } = await import('../../../shared/services/suppression.ts');
    const { pause, resume } = await operator(service, workspace);
    const { id, emails } = await underWay(200, { latency_ms: 1000 });
    await pause(id);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const counts = await receivedBy(emails);
    const [leaves = '', bounces = '', blocked = '', manual = '', complains = ''] = emails.filter(
      (_, index) => counts[index] === 0,
    );
    await call(api(), 'DELETE', `/api/v1/subscribers/${encodeURIComponent(leaves)}`);
    await suppress(workspace.workspaceId, bounces, 'bounce', new Date());
    await suppress(workspace.workspaceId, complains, 'complaint', new Date());
    await suppress(null, blocked, 'manual', new Date());
    await call(api(), 'POST', '/api/v1/suppression', { body: { email: manual } });
    await setFaults(service);
    await resume(id);
    const { progress } = await untilSent(api(), id);
    expect(progress).toMatchObject({ sent: 195, skipped: 5 });
    expect(await receivedBy([leaves, bounces, blocked, manual, complains])).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('a schedule', () => {
  const soon = () => new Date(Date.now() + 3000);

  it('fires at its time, once', async () => {
    const email = someone();
    await subscribe(api(), [email]);
    const id = await draft(api());
    const at = soon();
    await (await operator(service, workspace)).schedule(id, at);
    expect(await show(api(), id)).toMatchObject({ status: 'scheduled', scheduledAt: at.toISOString(), progress: null });
    expect((await send(api(), id)).status).toBe(409);
    await eventually(async () => (await show(api(), id)).status === 'sent');
    expect(await receivedBy([email])).toEqual([1]);
    expect(Date.parse((await show(api(), id)).progress.started_at)).toBeGreaterThanOrEqual(at.getTime());
  });

  it('does not fire after it was unscheduled or moved', async () => {
    const email = someone();
    await subscribe(api(), [email]);
    const id = await draft(api());
    const { schedule, unschedule } = await operator(service, workspace);
    await schedule(id, soon());
    await unschedule(id);
    await schedule(id, new Date(Date.now() + 3_600_000));
    await new Promise((resolve) => setTimeout(resolve, 6000));
    expect((await show(api(), id)).status).toBe('scheduled');
    await unschedule(id);
    expect(await show(api(), id)).toMatchObject({ status: 'draft', scheduledAt: null });
    expect(await receivedBy([email])).toEqual([0]);
  });

  it('makes the campaign a draft again when a check fails at its time', async () => {
    const email = someone();
    await subscribe(api(), [email]);
    const id = await draft(api());
    await (await operator(service, workspace)).schedule(id, soon());
    await call(api(), 'DELETE', `/api/v1/subscribers/${encodeURIComponent(email)}`);
    await eventually(async () => (await show(api(), id)).status === 'draft');
    expect(await show(api(), id)).toMatchObject({ scheduledAt: null, progress: null });
  });
});
