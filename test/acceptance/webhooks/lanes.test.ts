import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { operatorContext } from '../../shared/services/context.ts';
import { call, eventually } from '../client.ts';
import { eventOf, type Receiver, startReceiver } from '../receiver.ts';
import { sharedService, type TestService } from '../service.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

const people = 400;
/** With five concurrent attempts at an endpoint: 25 a second during the import and 80 afterwards. */
let answerMilliseconds = 200;

let service: TestService;
let workspace: TestWorkspace;
let receiver: Receiver;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mailroom-lanes-'));
  service = await sharedService();
  workspace = await newWorkspace(service);
  receiver = await startReceiver(async (_, response) => {
    await wait(answerMilliseconds);
    response.writeHead(200).end();
  });
});
afterAll(async () => {
  await receiver.stop();
  await service.stop();
  rmSync(folder, { recursive: true });
});

const api = (method: string, path: string, body: object) =>
  call({ baseUrl: service.baseUrl, apiKey: workspace.apiKey }, method, `/api/v1${path}`, { body });

/** As `mailroom subscriber import` does, on the service's own table and queues. */
async function importPeople(): Promise<void> {
  const file = join(folder, 'people.csv');
  const lines = Array.from({ length: people }, (_, index) => `imported${index}@example.net`);
  writeFileSync(file, ['email', ...lines].join('\n'));
  const { importSubscribers } = await import('../../../shared/services/imports/importFile.ts');
  const wanted = { file, consentGiven: true, ignoreUnknown: false, restart: false };
  const { added } = await importSubscribers(operatorContext(workspace.workspaceId), wanted, () => {});
  expect(added).toBe(people);
}

const subjects = () => receiver.requests.map((request) => String(eventOf(request).data.email));
const arrived = () => subjects().filter((email) => email.startsWith('imported')).length;

describe('the events of an import', () => {
  it('do not delay live events at the same endpoint, and all arrive once', async () => {
    const webhook = await api('POST', '/webhooks', { url: receiver.url, events: ['subscriber.created'] });
    expect(webhook.status).toBe(201);
    await importPeople();
    answerMilliseconds = 60;
    const before = arrived();
    expect(before).toBeLessThan(people / 2);
    const live = await api('POST', '/subscribers', { email: 'live@example.net', double_opt_in: false });
    expect(live.status).toBe(201);
    await eventually(async () => subjects().includes('live@example.net'));
    expect(arrived()).toBeLessThan(before + (people - before) / 2);
    await eventually(async () => arrived() >= people, 120);
    expect(new Set(subjects()).size).toBe(people + 1);
  });
});
