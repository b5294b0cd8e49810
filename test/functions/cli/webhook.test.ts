import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { eventTypes } from '../../../shared/domain/webhook/webhook.ts';
import { call, eventually } from '../../acceptance/client.ts';
import { type Receiver, startReceiver } from '../../acceptance/receiver.ts';
import { sharedService, type TestService } from '../../acceptance/service.ts';
import { verifyWebhook } from '../../acceptance/webhooks/verifyWebhook.ts';
import { newWorkspace, type TestWorkspace } from '../../acceptance/workspace.ts';
import { mailroom, startCommands } from './mailroom.ts';

const root = join(import.meta.dirname, '..', '..', '..');
let service: TestService;
const commands = startCommands();
afterAll(() => commands.stop());
let workspace: TestWorkspace;
let receiver: Receiver;
const listeners: ChildProcess[] = [];

beforeAll(async () => {
  service = await sharedService();
  workspace = await newWorkspace(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const listener of listeners.splice(0)) listener.kill('SIGKILL');
  await receiver.stop();
});

const place = () => ['--data', service.dataDir, '--workspace', workspace.workspaceId];
const run = (...words: string[]) => mailroom(['webhook', ...words, ...place()]);
const json = (...words: string[]) => commands.json(['webhook', ...words, ...place()]);
const api = (method: string, path: string, body?: unknown) =>
  call({ ...service, apiKey: workspace.apiKey }, method, `/api/v1${path}`, { ...(body !== undefined && { body }) });

describe('webhook list, show, test, deliveries, replay', () => {
  it('show what the API returns, with exit code 1 when the receiver refuses', async () => {
    const { body: made } = await api('POST', '/webhooks', { url: receiver.url, events: ['email.delivered'] });
    expect((await json('list')).data).toEqual([expect.objectContaining({ id: made.id, url: receiver.url })]);
    const column = async () => / {2}(email\.delivered|all|\d+ types) {2}/.exec((await run('list')).stdout)?.[1];
    expect(await column()).toBe('email.delivered');
    await api('PATCH', `/webhooks/${made.id}`, { events: eventTypes.slice(0, 4) });
    expect(await column()).toBe('4 types');
    await api('PATCH', `/webhooks/${made.id}`, { events: eventTypes });
    expect(await column()).toBe('all');
    expect((await json('show', made.id)).secret).toBe(made.secret);
    receiver.answer(500);
    const tested = await run('test', made.id, '--json');
    expect([tested.code, JSON.parse(tested.stdout)]).toEqual([1, expect.objectContaining({ response_status: 500 })]);
    receiver.answer(200);
    const { delivery_id: id } = JSON.parse(tested.stdout);
    expect(await json('replay', made.id, id)).toMatchObject({ status: 'delivered', attempts: 2 });
    expect((await json('deliveries', made.id)).data).toEqual([expect.objectContaining({ id, attempts: 2 })]);
    const shown = await run('deliveries', made.id, id);
    expect(shown.stdout).toContain(receiver.requests[0]?.body);
    expect(shown.stdout).toMatch(/ 500 +\d+ +no +The receiver answered 500, not 2xx\.$/m);
    expect(shown.stdout).toMatch(/ 200 +\d+ +yes +-$/m);
  });
});

/** A listener with its output so far. */
function startListening(...words: string[]) {
  const child = spawn(
    join(root, 'node_modules', 'node', 'bin', 'node'),
    ['functions/cli/main.ts', 'webhook', 'listen', ...words, ...place()],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  listeners.push(child);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, output, ended };
}

describe('webhook listen', () => {
  it('prints events, forwards them with their signature, returns the response, and deletes its webhook in the end', async () => {
    const { child, output, ended } = startListening('--forward-to', receiver.url);
    await eventually(async () => output.stderr.includes('Stop with Ctrl-C') || null);
    const [secret = ''] = /whsec_[A-Za-z0-9+/=]+/.exec(output.stderr) ?? [];
    await api('POST', '/subscribers', { email: 'ada@example.net', double_opt_in: false });
    await eventually(async () => (output.stdout.includes('subscriber.created') ? true : null));
    const [request] = receiver.requests;
    expect(output.stdout).toBe(`subscriber.created ${request?.body} → 200\n`);
    const header = String(request?.headers['service-signature']);
    expect(
      verifyWebhook({ secret, header, body: request?.body ?? '', nowSeconds: Math.floor(Date.now() / 1000) }),
    ).toBe(true);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    const { data } = await json('list');
    expect(data.filter(({ name }: { name: string }) => name.startsWith('webhook listen'))).toEqual([]);
  });

  it('deletes the webhook of a listener that was killed', async () => {
    const first = startListening();
    await eventually(async () => first.output.stderr.includes('Stop with Ctrl-C') || null);
    first.child.kill('SIGKILL');
    await first.ended;
    const second = startListening();
    await eventually(async () => second.output.stderr.includes('Stop with Ctrl-C') || null);
    const { data } = await json('list');
    const names = data.map(({ name }: { name: string }) => name).filter((name: string) => /listen/.test(name));
    expect(names).toEqual([`webhook listen ${second.child.pid}`]);
  });

  it.each([
    [['--forward-to', 'nowhere'], '"nowhere" is not a URL'],
    [['--events', 'email.lost'], 'There is no event email.lost. Choose from email.scheduled'],
    [['--stack', 'mailroom-prod'], 'a deployment on AWS cannot reach this machine'],
  ])('%j is refused', async (words, expected) => {
    const { code, stderr } = await run('listen', ...words);
    expect([code, stderr]).toEqual([2, expect.stringContaining(expected)]);
  });

  it('fails when no service is running', async () => {
    const { code, stderr } = await mailroom(['webhook', 'listen', '--data', join(service.dataDir, 'elsewhere')]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('no service is running on this data folder')]);
  });
});
