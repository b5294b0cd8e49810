import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { closeServer, listenLocally } from '../../../infra/local/engine/engine.ts';
import { ownEnvironment } from '../../acceptance/environment.ts';
import { temporaryFolder } from './processes.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const { version } = lock.packages['node_modules/@dynoxide/linux-x64'];
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let asked: string[];
let registry: Server;
let registryUrl: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  asked = [];
  registry = createServer((request, response) => {
    asked.push(`${request.method} ${decodeURIComponent(request.url ?? '')}`);
    const answer = answers(decodeURIComponent(request.url ?? ''));
    response.writeHead(answer ? 200 : 404).end(answer ?? '{}');
  });
  registryUrl = await listenLocally(registry);
});
afterEach(async () => {
  await closeServer(registry);
  await folder.remove();
});

/** A registry with the engine for one platform, in the form of npm's. */
function answers(path: string): string | Buffer | undefined {
  const tarball = engineTarball();
  const dist = {
    tarball: `${registryUrl}/engine.tgz`,
    integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
  };
  const name = '@dynoxide/freebsd-arm64';
  const manifest = { name, version, os: ['freebsd'], cpu: ['arm64'], dist };
  if (path === '/engine.tgz') return tarball;
  if (path !== `/${name}`) return undefined;
  const versions = { [version]: manifest, '99.0.0': { ...manifest, version: '99.0.0' } };
  return JSON.stringify({ name, 'dist-tags': { latest: '99.0.0' }, versions });
}

function engineTarball(): Buffer {
  const manifest = JSON.stringify({ name: '@dynoxide/freebsd-arm64', version });
  return gzipSync(
    Buffer.concat([tarEntry('package/package.json', manifest), tarEntry('package/dynoxide', '#!'), Buffer.alloc(1024)]),
  );
}

/** One file of a POSIX ustar archive. */
function tarEntry(name: string, content: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write('0000755\0', 100);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        0', 148);
  header.write('ustar\x0000', 257);
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  );
  return Buffer.concat([header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)]);
}

/** A clone with or without the installed packages; installations in it stay in it. */
function clone({ installed }: { installed: boolean }): string {
  const place = join(folder.path, 'clone');
  for (const name of ['infra/local', 'package.json', 'package-lock.json']) {
    cpSync(join(root, name), join(place, name), { recursive: true });
  }
  if (installed) {
    mkdirSync(join(place, 'node_modules'));
    for (const name of readdirSync(join(root, 'node_modules')).filter((entry) => entry !== '.cache')) {
      symlinkSync(join(root, 'node_modules', name), join(place, 'node_modules', name));
    }
  }
  return place;
}

const platform = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'platform', { value: 'freebsd' }); Object.defineProperty(process, 'arch', { value: 'arm64' });",
)}`;

/** Runs the program of npm start as on another platform, which npm must be forced to accept, with another registry. */
function bootstrap(place: string, words: readonly string[], extra: Record<string, string> = {}) {
  const settings = {
    npm_config_registry: registryUrl,
    npm_config_cache: join(folder.path, 'npm'),

    npm_config_force: 'true',
  };
  const env = ownEnvironment({ npm_execpath: '', npm_lifecycle_event: '', ...settings, ...extra });
  const child = spawn(process.execPath, ['--import', platform, join(place, 'infra/local/bootstrap.mjs'), ...words], {
    cwd: place,
    env,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout, stderr })),
  );
}

const findEngine = [
  '-p',
  "import('./infra/local/dynamodb/internal/dynamodbProcess.ts').then((m) => console.log(m.engineBinary('freebsd', 'arm64')))",
];

describe('the engine of a platform that the lock file does not name', () => {
  it('is installed in the locked version, once, and found', async () => {
    const place = clone({ installed: true });
    const first = await bootstrap(place, findEngine);
    expect(first.stderr).toContain(
      `Fetching the local DynamoDB engine for this platform, @dynoxide/freebsd-arm64 ${version} (once)…\n`,
    );
    expect(first.stdout).toContain(join('node_modules', '@dynoxide', 'freebsd-arm64', 'dynoxide'));
    expect(asked).toEqual(['GET /@dynoxide/freebsd-arm64', 'GET /engine.tgz']);
    const second = await bootstrap(place, findEngine);
    expect([second.code, second.stderr, asked.length]).toEqual([0, '', 2]);
  });

  it('is not installed when the user names an endpoint', async () => {
    const brought = { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:8000' };
    const run = await bootstrap(clone({ installed: true }), ['-p', '1'], brought);
    expect([run.stdout, run.stderr, asked]).toEqual(['1\n', '', []]);
  });

  it('is reported as missing when it cannot be installed', async () => {
    const place = clone({ installed: true });
    await closeServer(registry);
    const run = await bootstrap(place, findEngine);
    expect(run.stderr).toContain('It could not be fetched; the next start tries again.');
    expect(run.stderr).toContain('No local DynamoDB engine for freebsd-arm64');
  });
});

describe('an installation without network', () => {
  it.each(['refuses', 'is silent'])('ends with the reason when the registry %s', async (kind) => {
    const silent = createSocketServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    const nowhere = kind === 'refuses' ? 'http://127.0.0.1:1' : `http://127.0.0.1:${port}`;
    const place = clone({ installed: false });
    const { code, stdout, stderr } = await bootstrap(place, ['-p', '1'], { npm_config_registry: nowhere });
    silent.close();
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain('the npm registry does not answer. Is there a network?');
    expect(existsSync(join(place, 'node_modules', 'node'))).toBe(false);
  });
});
