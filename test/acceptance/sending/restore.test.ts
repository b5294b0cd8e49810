import { randomUUID } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DeleteCommand, DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { paceKey } from '../../../shared/store/table/keys.ts';
import { mailroom, mailroomJson } from '../../functions/cli/mailroom.ts';
import { draft, follow, importPeople, operator, send, show, startSweeper, untilSent } from '../campaigns/campaign.ts';
import { type Answer, call, eventually } from '../client.ts';
import { countsOf, setFaults } from '../inbox.ts';
import { type OwnService, startService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

/*
 * A table is restored while a campaign and scheduled emails are under way: the data file of the point in time comes back,
 * and the items of the table until then are the former table.
 */

const env = { CAMPAIGN_LOOK_AGAIN_SECONDS: '2', CAMPAIGN_LOST_SECONDS: '4', CAMPAIGN_DOUBT_SECONDS: '12' };
const formerTable = 'mailroom-former';

let service: OwnService;
let workspace: TestWorkspace;
let stopSweeper: () => Promise<void>;
const backup = mkdtempSync(join(tmpdir(), 'mailroom-point-'));

const someone = () => `p${randomUUID().slice(0, 12)}@example.net`;
const api = () => ({ ...service, apiKey: workspace.apiKey });
const ask = (method: string, path: string, options: Parameters<typeof call>[3] = {}): Promise<Answer> =>
  call(api(), method, `/api/v1${path}`, options);
const command = (...words: string[]) => mailroomJson(['--data', service.dataDir, ...words]);
const emailTo = (to: string, over: object = {}) => ({
  ...{ from: `hello@${workspace.domain}`, to, subject: 'Hello', text: 'Hi.' },
  ...over,
});
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

async function start(own: Record<string, string> = {}): Promise<void> {
  service = await startService({ ...(service && { dataDir: service.dataDir }), env: { ...env, ...own } });
  stopSweeper = startSweeper(service);
}
const kill = () => Promise.all([service.kill(), stopSweeper()]);

const tableFiles = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('dynamodb.db'));
function copyTable(from: string, to: string): void {
  for (const name of tableFiles(to)) rmSync(join(to, name));
  for (const name of tableFiles(from)) cpSync(join(from, name), join(to, name));
}

function documents() {
  const { AWS_ENDPOINT_URL_DYNAMODB: endpoint = '', TABLE_NAME = '' } = service.environment;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const plain = new DynamoDBClient({ region: 'us-east-1', endpoint, credentials });
  return { TableName: TABLE_NAME, plain, client: DynamoDBDocumentClient.from(plain) };
}

async function allItems(): Promise<Record<string, unknown>[]> {
  const { client, TableName } = documents();
  const items: Record<string, unknown>[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName, ConsistentRead: true, ExclusiveStartKey }));
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}

async function makeFormerTable(items: readonly Record<string, unknown>[]): Promise<void> {
  const { client, plain, TableName } = documents();
  const { Table } = await plain.send(new DescribeTableCommand({ TableName }));
  await plain.send(
    new CreateTableCommand({
      TableName: formerTable,
      KeySchema: Table?.KeySchema ?? [],
      AttributeDefinitions:
        Table?.AttributeDefinitions?.filter(({ AttributeName }) => /^[ps]k$/.test(AttributeName ?? '')) ?? [],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  for (let first = 0; first < items.length; first += 25) {
    const writes = items.slice(first, first + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [formerTable]: writes } }));
  }
}

/** Lets the rest of a campaign go out at once, not at the pace of the rates that held it up. */
async function forgetPace(): Promise<void> {
  const { client, TableName } = documents();
  await client.send(new DeleteCommand({ TableName, Key: paceKey }));
}

/** Starts the service on the table of the point in time, with all sending held. */
async function restore(): Promise<void> {
  await kill();
  copyTable(backup, service.dataDir);
  await start({ SENDING: 'held' });
}

beforeAll(async () => {
  await start();
  workspace = await newWorkspace(service);
});
afterAll(async () => {
  await stopSweeper();
  await service.stop();
  rmSync(backup, { recursive: true, force: true });
});

describe('a table that is restored while mail is under way', () => {
  // More than go out until the hold, at the rates below.
  const people = Array.from({ length: 900 }, someone);
  const [due, later, canceled, keyed, afterPoint] = [someone(), someone(), someone(), someone(), someone()];
  const ids: Record<string, string> = {};
  let campaign: string;
  let point: string;

  const schedule = async (to: string, seconds: number) => {
    const { body, status } = await ask('POST', '/emails', { body: emailTo(to, { scheduled_at: inSeconds(seconds) }) });
    expect(status).toBe(202);
    ids[to] = body.id;
  };
  const sendKeyed = () =>
    ask('POST', '/emails', { body: emailTo(keyed), headers: { 'Idempotency-Key': `${keyed}-once` } });

  it('writes to nobody twice, and to nobody who left after the point', async () => {
    await importPeople(service, workspace.workspaceId, people);
    campaign = await draft(api());
    const planned = await draft(api(), { name: 'Planned' });
    await (await operator(service, workspace)).schedule(planned, new Date(Date.now() + 86_400_000));
    await schedule(later, 3600);
    await schedule(canceled, 3600);
    const lost = (await command('key', 'create', 'lost', '--scopes', 'emails:send', '-w', workspace.workspaceId)) as {
      id: string;
      key: string;
    };
    await setFaults(service, { rate_per_second: 15, latency_ms: 50 });
    expect((await send(api(), campaign)).status).toBe(202);
    await follow(api(), campaign, ({ progress }) => progress.sent > 20, 90);

    // After the point: only the kill comes before it.
    await schedule(due, 20);
    await kill();
    point = new Date().toISOString();
    copyTable(service.dataDir, backup);
    await start();
    await setFaults(service, { rate_per_second: 6, latency_ms: 50 });

    const noneYet = await countsOf(service, people);
    const leavers = people.filter((_, index) => noneYet[index] === 0).slice(-3) as [string, string, string];
    const [left, suppressed, erased] = leavers;
    expect((await ask('DELETE', `/subscribers/${encodeURIComponent(left)}`)).status).toBe(200);
    const entry = { email: suppressed, reason: 'complaint' };
    expect((await ask('POST', '/suppression', { body: entry })).status).toBe(201);
    await command('person', 'erase', erased, '-w', workspace.workspaceId);
    // The campaign goes on: a call that was under way may still have reached one of them.
    await wait(5000);
    const whenLeft = await countsOf(service, leavers);
    await command('key', 'revoke', lost.id, '-w', workspace.workspaceId);
    expect((await ask('POST', `/emails/${ids[canceled]}/cancel`)).status).toBe(200);
    await command('campaign', 'unschedule', planned, '-w', workspace.workspaceId);
    const keyedBefore = await sendKeyed();
    expect(keyedBefore.status).toBe(202);
    await follow(api(), campaign, ({ progress }) => progress.sent > 120, 120);
    await eventually(async () => (await countsOf(service, [due]))[0] === 1, 300);
    const { held_within_seconds } = await command('sending', 'hold', '--all');
    await wait(held_within_seconds * 1000 + 2000);
    const former = await allItems();
    const sentBefore = await countsOf(service, people);
    expect(sentBefore.filter((count) => count > 0).length).toBeGreaterThan(120);
    expect(sentBefore.filter((count) => count === 0).length).toBeGreaterThan(100);

    await restore();
    await makeFormerTable(former);
    expect((await ask('GET', '/me')).status).toBe(200);
    const local = await mailroom(['--data', service.dataDir, 'restore', 'begin', '--to', point]);
    expect([local.code, local.stderr]).toEqual([1, expect.stringContaining('Only a deployed table has backups')]);
    const unsaid = await mailroom(['--data', service.dataDir, 'restore', 'check', '--point', point]);
    expect([unsaid.code, unsaid.stderr]).toEqual([1, expect.stringContaining('Name the table')]);
    const checked = await command('restore', 'check', '--point', point, '--from', formerTable);
    expect(checked).toMatchObject({ erased: 1, api_keys_revoked: 1 });
    expect(checked.people).toBeGreaterThanOrEqual(2);
    expect(checked.scheduled_emails).toEqual({ kept: 1, sent: 1, canceled: 1, unknown: 0 });
    expect(checked.campaigns.map((one: { id: string; state: string }) => [one.id, one.state])).toEqual([
      [campaign, 'paused'],
      [planned, 'draft'],
    ]);
    const again = await command('restore', 'check', '--from', formerTable);
    expect(again).toMatchObject({ people: 0, erased: 0, sent_records: 0, api_keys_revoked: 0 });

    expect((await command('restore', 'release')).held).toBe(false);
    await eventually(async () => (await sendKeyed()).status === 202, 60);
    expect((await sendKeyed()).body).toEqual(keyedBefore.body);
    await forgetPace();
    await command('campaign', 'resume', campaign, '-w', workspace.workspaceId);
    const { progress } = await untilSent(api(), campaign, 240);
    const counts = await countsOf(service, people);
    expect(counts.filter((count) => count > 1)).toEqual([]);
    expect(await countsOf(service, leavers)).toEqual(whenLeft);
    expect(counts.filter((count) => count === 0).length).toBeLessThanOrEqual(3 + progress.uncertain);
    expect(await countsOf(service, [due, keyed, canceled, later])).toEqual([1, 1, 0, 0]);
    expect((await ask('GET', `/emails/${ids[later]}`)).body.status).toBe('scheduled');
    expect((await ask('GET', `/emails/${ids[canceled]}`)).body.status).toBe('canceled');
    expect((await call({ ...service, apiKey: lost.key }, 'GET', '/api/v1/me')).status).toBe(401);
  }, 900_000);

  it('ends what was under way as unknown when the former table is lost', async () => {
    const before = await countsOf(service, people);
    await restore();
    expect((await ask('POST', '/emails', { body: emailTo(afterPoint) })).status).toBe(503);
    const checked = await command('restore', 'check', '--point', point, '--no-former');
    expect(checked.scheduled_emails).toEqual({ kept: 2, sent: 0, canceled: 0, unknown: 1 });
    const [closed] = checked.campaigns;
    expect(closed).toMatchObject({ id: campaign, state: 'closed' });
    expect(closed.uncertain).toBeGreaterThan(100);
    await command('restore', 'release');
    const { progress } = await untilSent(api(), campaign, 120);
    expect(progress.uncertain).toBe(closed.uncertain);
    expect(await countsOf(service, people)).toEqual(before);
    expect((await ask('GET', `/emails/${ids[due]}`)).body.status).toBe('canceled');
    expect(await countsOf(service, [due])).toEqual([1]);
    expect((await show(api(), campaign)).status).toBe('sent');
  }, 600_000);
});
