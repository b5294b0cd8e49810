// Must run on any Node from version 20 on, so it uses Node's own modules only. Installs the missing packages of the
// lock file, then starts the project with Node 24.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** True when each package of the lock file is installed in its locked version; optional ones may be absent. */
function isInstalled() {
  const installedLock = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedLock) || !existsSync(nodeBinary())) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedLock, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      path === '' || (installed[path] ? installed[path].version === entry.version : Boolean(entry.optional)),
  );
}

function nodeBinary() {
  return join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

function npm(words, options) {
  const path = process.env.npm_execpath;
  const [command, first] = path ? [process.execPath, [path]] : ['npm', []];
  return spawnSync(command, [...first, ...words], { cwd: root, encoding: 'utf8', ...options });
}

const shown = { stdio: ['ignore', process.stderr, process.stderr] };
const quietly = ['--no-audit', '--no-fund', '--loglevel=error'];

/** npm itself retries for minutes. Any response, even an error, means that the registry is reachable. */
function registryAnswers() {
  const { status, stderr } = npm(['ping', '--fetch-retries=0', '--fetch-timeout=5000'], { timeout: 7_000 });
  return status === 0 || /npm (?:error|ERR!) code E(?:\d{3}|NEEDAUTH)\b/.test(stderr ?? '');
}

function install() {
  console.error('Installing dependencies from package-lock.json (once)…');
  if (registryAnswers()) {
    const { status } = npm(['ci', ...quietly], shown);
    if (status !== 0) process.exit(status ?? 1);
  } else if (npm(['ci', '--offline', ...quietly]).status !== 0) {
    console.error('They could not be installed: the npm registry does not answer. Is there a network? Then try again.');
    process.exit(1);
  }
}

/**
 * The engine for a platform that the lock file lacks; infra/local/dynamodb/internal/dynamodbProcess.ts looks here too.
 */
const engines = join(root, 'node_modules', '.cache', 'engine');

/**
 * The local DynamoDB engine exists for more platforms than the lock file contains: installs the same version for this
 * platform, once. Without it, only what needs the engine fails, and says so.
 */
function fetchEngine() {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  const isThere = [join(root, 'node_modules'), join(engines, 'node_modules')].some((modules) =>
    existsSync(join(modules, name, 'package.json')),
  );
  const brought = process.env.AWS_ENDPOINT_URL_DYNAMODB || process.env.AWS_ENDPOINT_URL;
  if (isThere || brought || process.platform === 'win32') return;
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version } = lock.packages['node_modules/@dynoxide/linux-x64'];
  console.error(`Fetching the local DynamoDB engine for this platform, ${name} ${version} (once)…`);
  mkdirSync(engines, { recursive: true });
  const flags = ['--no-save', '--no-package-lock', '--ignore-scripts', '--fetch-retries=0', '--fetch-timeout=60000'];
  const { status } = npm(['install', '--prefix', engines, ...flags, ...quietly, `${name}@${version}`], {
    ...shown,
    cwd: engines,
  });
  if (status !== 0) console.error('It could not be fetched; the next start tries again.');
}

const [nodeFlags, command] = splitFlags(process.argv.slice(2));
if (!isInstalled()) install();
fetchEngine();
const child = spawn(nodeBinary(), [...nodeFlags, ...command], {
  stdio: 'inherit',
  env: {
    ...process.env,
    PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
    MAILROOM_LAUNCHER: String(process.pid),
    // Halves the start-up time: compiled files are cached, types already removed.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'node'),
  },
});
// This process only forwards signals and waits for the child. A terminal sends Ctrl-C to both of them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
// npm may be killed without notifying its scripts: then the child is stopped too.
if (process.env.npm_lifecycle_event) {
  const npm = process.ppid;
  setInterval(() => process.ppid === npm || child.kill('SIGTERM'), 1000).unref();
}
child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)));

/** Leading arguments with a dash are flags for Node; then come the program and its arguments. */
function splitFlags(words) {
  const first = words.findIndex((word) => !word.startsWith('-'));
  return first === -1 ? [words, []] : [words.slice(0, first), words.slice(first)];
}
