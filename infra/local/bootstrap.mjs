// Runs on whatever Node the machine has (20 or newer), so it uses nothing but Node's own modules.
// It installs what the lock file asks for and is not there, then hands over to the project's Node 24.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
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

function install() {
  console.error('Installing dependencies from package-lock.json (once)…');
  const npm = process.env.npm_execpath;
  const [command, first] = npm ? [process.execPath, [npm]] : ['npm', []];
  const result = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

const [nodeFlags, command] = splitFlags(process.argv.slice(2));
if (!isInstalled()) install();
const child = spawn(nodeBinary(), [...nodeFlags, ...command], {
  stdio: 'inherit',
  env: {
    ...process.env,
    PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
    MAILROOM_LAUNCHER: String(process.pid),
    // Halves the time to start: what was compiled once, types stripped, is read back.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules', '.cache', 'node'),
  },
});
// This one only passes it on and waits: the child ends in its own time. A terminal sends Ctrl-C to both of them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGTERM'));
// npm may be killed without a word to its scripts: nothing is left running behind it.
if (process.env.npm_lifecycle_event) {
  const npm = process.ppid;
  setInterval(() => process.ppid === npm || child.kill('SIGTERM'), 1000).unref();
}
child.on('exit', (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1)));

/** Leading words that start with a dash are flags for Node, the rest is the program and its arguments. */
function splitFlags(words) {
  const first = words.findIndex((word) => !word.startsWith('-'));
  return first === -1 ? [words, []] : [words.slice(0, first), words.slice(first)];
}
