import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { closeServer, listenLocally } from '../../../infra/local/engine/engine.ts';
import { call } from '../../acceptance/client.ts';
import { ownEnvironment } from '../../acceptance/environment.ts';
import { startService } from '../../acceptance/service.ts';
import { temporaryFolder, until } from './processes.ts';

const root = join(import.meta.dirname, '..', '..', '..');
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs npm start's program until it has ended. */
function start(words: readonly string[]): Promise<Run> {
  const child = spawn(join(root, 'node_modules', 'node', 'bin', 'node'), ['infra/local/main.ts', ...words], {
    cwd: root,
    env: ownEnvironment({ PORT: '' }),
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

const startOn = (dataDir: string) => start(['--port', '0', '--data', dataDir]);
const refusal = (sentence: string) => `Mailroom could not start. ${sentence}\n`;

describe('npm start with wrong arguments', () => {
  it.each([
    [['--prot', '1'], "Unknown option '--prot'. See: npm start -- --help"],
    [['8787'], "Unexpected argument '8787'. See: npm start -- --help"],
    [['--port', 'http'], '"http" is not a port.'],
    [['--port', '65536'], '"65536" is not a port.'],
    [['--data', ''], '--data needs the name of a folder.'],
  ])('%j ends with 2 and one sentence', async (words, sentence) => {
    expect(await start(words)).toEqual({ code: 2, stdout: '', stderr: refusal(sentence) });
  });

  it('--help shows the usage, and starts nothing', async () => {
    const { code, stdout, stderr } = await start(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('--data FOLDER');
  });
});

describe('a data folder that cannot be created', () => {
  it.each([
    ['a file', () => join(folder.path, 'file'), 'a file is in its place or above it'],
    ['below a file', () => join(folder.path, 'file', 'data'), 'a file is in its place or above it'],
    ['where no folders are made', () => '/dev/null/data', 'a file is in its place or above it'],
  ])('%s is refused with the reason', async (_name, path, reason) => {
    writeFileSync(join(folder.path, 'file'), '');
    expect(await startOn(path())).toEqual({
      code: 1,
      stdout: '',
      stderr: refusal(`The data folder ${path()} cannot be created: ${reason}. Choose another with --data.`),
    });
  });
});

describe('a data folder that lost a file', () => {
  const whole = () => join(folder.path, 'whole');
  const files = ['secret.json', 'dynamodb.db', 'ses.db', 'scheduler.db', join('messaging', 'fauxqs.db')];
  beforeAll(async () => {
    mkdirSync(whole(), { mode: 0o755 });
    const service = await startService({ dataDir: whole() });
    await service.stop({ keep: true });
  });

  it('has files that only their owner can read', async () => {
    const entries = readdirSync(whole(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const modes = entries.map(({ parentPath, name }) => [name, statSync(join(parentPath, name)).mode & 0o777]);
    expect(modes.length).toBeGreaterThanOrEqual(files.length);
    expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
    chmodSync(join(whole(), 'ses.db'), 0o644);
    const service = await startService({ dataDir: whole() });
    await service.stop({ keep: true });
    expect(statSync(join(whole(), 'ses.db')).mode & 0o777).toBe(0o600);
  });

  it.each(files)('is refused without %s, with the file’s name', async (file) => {
    const broken = join(folder.path, 'broken');
    cpSync(whole(), broken, { recursive: true });
    rmSync(join(broken, file));
    const lost = await startOn(broken);
    writeFileSync(join(broken, file), 'x'.repeat(5000));
    const damaged = await startOn(broken);
    rmSync(broken, { recursive: true });
    expect([lost.code, lost.stderr]).toEqual([
      1,
      refusal(`The data folder ${broken} has lost ${file}: restore it, or start with another folder (--data).`),
    ]);
    expect([damaged.code, damaged.stderr]).toEqual([
      1,
      refusal(`The file ${join(broken, file)} is damaged: restore it, or start with another folder (--data).`),
    ]);
  });

  it('keeps its workspace when dev.json is lost, with a new key', async () => {
    const read = () => JSON.parse(readFileSync(join(whole(), 'dev.json'), 'utf8'));
    const before = read();
    rmSync(join(whole(), 'dev.json'));
    const service = await startService({ dataDir: whole() });
    const me = await call(service, 'GET', '/api/v1/me');
    await service.stop({ keep: true });
    expect(me.body.workspace.id).toBe(before.workspace_id);
    expect([read().workspace_id, read().api_key === before.api_key]).toEqual([before.workspace_id, false]);
  });

  it('is refused with a damaged dev.json', async () => {
    writeFileSync(join(whole(), 'dev.json'), '{"api_key":');
    const { stderr } = await startOn(whole());
    expect(stderr).toContain(`The file ${join(whole(), 'dev.json')} is damaged`);
  });
});

const email = { from: 'hello@example.com', to: 'ada@example.net', subject: 'Hello', text: 'Hello' };

describe('the port of the inbox, taken by another program', () => {
  it('gives the inbox another one, and events that were waiting are published all the same', async () => {
    const first = await startService();
    const delay = JSON.stringify({ event_delay_ms: 2000 });
    await fetch(`${first.sesEndpoint}/_control/faults`, { method: 'PUT', body: delay });
    const sent = await call(first, 'POST', '/api/v1/emails', { body: email });
    await first.kill();
    const other = createServer();
    const taken = Number(new URL(await listenLocally(other)).port);
    const again = await startService({ dataDir: first.dataDir, port: taken - 1 });
    expect(new URL(again.inboxUrl).port).not.toBe(String(taken));
    await until('the message is delivered', async () => {
      const { body } = await call(again, 'GET', `/api/v1/emails/${sent.body.id}`);
      return body.status === 'delivered';
    });
    await again.stop();
    await closeServer(other);
  });
});

interface InboxList {
  readonly data: readonly { readonly subject: string }[];
}

/** A disk for one process, if the system allows it. */
const ownDisk = (script: string) => ['-rm', 'bash', '-euc', script];
const canMakeDisks = (() => {
  try {
    execFileSync('unshare', ownDisk('mkdir -p "$0" && mount -t tmpfs none "$0"').concat('/tmp/mailroom-disk'));
    return true;
  } catch {
    return false;
  }
})();

(canMakeDisks ? describe : describe.skip)('a full disk', () => {
  it('fails calls, is reported once, loses nothing, and ends when there is free space again', async () => {
    const disk = join(folder.path, 'disk');
    mkdirSync(disk);
    // It fills the disk on a signal, and frees it on another.
    const script = `mount -t tmpfs -o size=6m none "$0"
      "$1" infra/local/main.ts --port 0 --data "$0/data" & service=$!
      while read -r word; do case $word in
        fill) dd if=/dev/zero of="$0/fill" bs=1k 2>/dev/null || true; echo filled;;
        free) rm "$0/fill"; echo freed;;
      esac; done
      kill $service; wait $service`;
    const node = join(root, 'node_modules', 'node', 'bin', 'node');
    const child = spawn('unshare', [...ownDisk(script), disk, node], {
      cwd: root,
      env: ownEnvironment({ PORT: '', REQUESTS_PER_MINUTE: '100000' }),
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const ended = new Promise((resolve) => child.once('close', resolve));
    const tell = async (word: string, answer: string) => {
      child.stdin.write(`${word}\n`);
      await until(answer, () => stdout.includes(answer));
    };
    await until('the service is ready', () => stdout.includes('Mailroom is ready'));
    const dev = /Base URL\s+(\S+)\s+API key\s+(\S+)\s+Inbox\s+(\S+)/.exec(stdout) ?? [];
    const at = { baseUrl: dev[1] ?? '', apiKey: dev[2] ?? '' };
    const send = (key: string) =>
      call(at, 'POST', '/api/v1/emails', { body: { ...email, subject: key }, headers: { 'Idempotency-Key': key } });
    const before = await send('before');
    expect(before.status).toBe(202);
    await tell('fill', 'filled');
    await until('it says so', () => stderr.includes('is full'));
    expect((await send('during')).status).toBe(503);
    await sleep(1500);
    await tell('free', 'freed');
    await until('it says so', () => stderr.includes('has free space again'));
    await until('a call is taken again', async () => (await send('during')).status === 202);
    await until('the first message is delivered', async () => {
      const { body } = await call(at, 'GET', `/api/v1/emails/${before.body.id}`);
      return body.status === 'delivered';
    });
    const answer = await fetch(new URL('/_inbox/messages', dev[3]));
    const inbox = (await answer.json()) as InboxList;
    child.stdin.end();
    await ended;
    expect(inbox.data.map(({ subject }) => subject)).toEqual(['during', 'before']);
    expect(stderr.match(/is full: calls fail, and nothing is lost/g)).toHaveLength(1);
  });
});
