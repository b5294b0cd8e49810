import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { signWebhook } from '../../shared/domain/webhook/signature.ts';

const folder = join(import.meta.dirname, '../../docs/receivers');
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';
const body = JSON.stringify({
  id: 'evt_1',
  type: 'email.delivered',
  created_at: '2026-11-21',
  data: { name: 'Éloïse' },
});
const now = Math.floor(Date.now() / 1000);
const header = signWebhook({ secrets: [secret], timestampSeconds: now, body });

async function start(
  command: string,
  file: string,
): Promise<{ child: ChildProcess; url: string; output: () => string }> {
  const child = spawn(command, [join(folder, file)], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  while (!/listening \d+/.test(output)) await once(child.stdout as NodeJS.ReadableStream, 'data');
  return { child, url: `http://127.0.0.1:${/listening (\d+)/.exec(output)?.[1]}/`, output: () => output };
}

const hasPython = spawnSync('python3', ['--version']).status === 0;
if (!hasPython) console.warn('python3 is not installed: the Python receiver was not run.');
const receivers: [name: string, command: string, file: string][] = [
  ['Node', process.execPath, 'node.mjs'],
  ...(hasPython ? [['Python', 'python3', 'python.py'] as [string, string, string]] : []),
];

describe.each(receivers)('the receiver in %s', (_, command, file) => {
  let receiver: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    receiver = await start(command, file);
  });
  afterAll(async () => {
    const ended = once(receiver.child, 'exit');
    receiver.child.kill();
    await ended;
  });
  const post = async (signature: string, sent = body) => {
    const headers = { 'Service-Signature': signature, 'Content-Type': 'application/json' };
    return (await fetch(receiver.url, { method: 'POST', headers, body: sent })).status;
  };

  it('takes an event, and deals with it once however often it comes', async () => {
    expect(await post(header)).toBe(204);
    expect(await post(signWebhook({ secrets: [secret], timestampSeconds: now - 10, body }))).toBe(204);
    // What a process prints arrives in order, and may arrive after its answers.
    const last = body.replace('evt_1', 'evt_last').replace('email.delivered', 'email.bounced');
    expect(await post(signWebhook({ secrets: [secret], timestampSeconds: now, body: last }), last)).toBe(204);
    while (!receiver.output().includes('email.bounced')) {
      await once(receiver.child.stdout as NodeJS.ReadableStream, 'data');
    }
    expect(receiver.output().match(/email\.delivered/g)).toHaveLength(1);
  });

  it('takes an event signed with two secrets, of which it holds either', async () => {
    const secrets = ['whsec_other', secret];
    expect(await post(signWebhook({ secrets, timestampSeconds: now, body }))).toBe(204);
    expect(await post(signWebhook({ secrets: secrets.reverse(), timestampSeconds: now, body }))).toBe(204);
  });

  it.each([
    ['another body', header, body.replace('evt_1', 'evt_2')],
    ['another time', header.replace(`t=${now}`, `t=${now - 1}`), body],
    ['another secret', signWebhook({ secrets: ['whsec_other'], timestampSeconds: now, body }), body],
    ['an old time', signWebhook({ secrets: [secret], timestampSeconds: now - 302, body }), body],
    ['no signature', '', body],
    ['a signature that is no hexadecimal', `t=${now},v1=é`, body],
    ['a signature cut short', header.slice(0, -1), body],
    ['a time that is no number', header.replace(`t=${now}`, 't=NaN'), body],
  ])('refuses %s', async (_case, signature, sent) => {
    expect(await post(encodeURI(signature), sent)).toBe(400);
  });
});
