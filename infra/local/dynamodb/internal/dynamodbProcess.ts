import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const startTimeoutMilliseconds = 10_000;
const stopTimeoutMilliseconds = 3_000;

export interface EngineFiles {
  readonly database: string;
  readonly log: string;
  readonly pid: string;
}

/**
 * Starts the engine and watches a pipe that this process holds open. A line on it ends the engine gracefully; the end of
 * the pipe, for instance after a kill -9, kills it, which its SQLite file survives.
 */
const supervisor = `
pid_file=$1; shift
exec 3<&0 </dev/null
"$@" 3<&- &
engine=$!
echo "$engine" >"$pid_file"
(if read -r _ <&3; then kill "$engine"; read -r _ <&3; fi; kill -9 "$engine") 2>/dev/null &
watcher=$!
exec 3<&-
wait "$engine"
status=$?
kill "$watcher" 2>/dev/null
rm -f "$pid_file"
exit "$status"
`;

/** Detached, so that Ctrl-C in the terminal reaches only this process, which ends the engine last. */
export function spawnSupervised(binary: string, port: number, files: EngineFiles) {
  const log = openSync(files.log, 'w');
  const engine = [binary, 'serve', '--host', '127.0.0.1', '--port', String(port), '--db-path', files.database];
  const child = spawn('/bin/sh', ['-c', supervisor, 'mailroom-dynamodb', files.pid, ...engine], {
    stdio: ['pipe', log, log],
    detached: true,
  });
  closeSync(log);
  child.on('error', () => {});
  child.stdin?.on('error', () => {});
  return child;
}

/** The log is checked first: another server may have the port and answer. */
export async function isAnswering(endpoint: string, log: string, child: ChildProcess): Promise<boolean> {
  const endsAt = performance.now() + startTimeoutMilliseconds;
  while (hasNotEnded(child) && performance.now() < endsAt) {
    if (readFileSync(log, 'utf8').includes('listening on') && (await answers(endpoint))) return true;
    await sleep(5);
  }
  return false;
}

async function answers(endpoint: string): Promise<boolean> {
  const headers = { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.ListTables' };
  const signal = AbortSignal.timeout(1000);
  const answer = await fetch(endpoint, { method: 'POST', headers, body: '{}', signal }).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer !== undefined;
}

function hasNotEnded(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (hasNotEnded(child)) {
    const ended = once(child, 'exit');
    child.stdin?.write('\n');
    const timer = setTimeout(() => child.stdin?.destroy(), stopTimeoutMilliseconds);
    await ended;
    clearTimeout(timer);
  }
  child.stdin?.destroy();
}

/** Ends the engine of an earlier run whose supervisor was killed too; a reused pid of another program is left alone. */
export async function endLeftover(pidFile: string, database: string): Promise<void> {
  const pid = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8')) : Number.NaN;
  for (let round = 0; Number.isInteger(pid) && pid > 1 && isEngine(pid, database); round += 1) {
    process.kill(pid, round === 0 ? 'SIGTERM' : 'SIGKILL');
    for (let wait = 0; wait < 40 && isEngine(pid, database); wait += 1) await sleep(25);
  }
  rmSync(pidFile, { force: true });
}

function isEngine(pid: number, database: string): boolean {
  const command = commandLine(pid);
  return command.includes('dynoxide') && command.includes(database);
}

function commandLine(pid: number): string {
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** Path of the engine for this platform, from the package `@dynoxide/<os>-<cpu>`. Without one the error names an alternative. */
export function engineBinary(platform: string = process.platform, cpu: string = process.arch): string {
  const packageName = `@dynoxide/${platform}-${cpu}`;
  const binary = installedBinary(packageName);
  if (binary === undefined || platform === 'win32') {
    throw new Error(
      `No local DynamoDB engine for ${platform}-${cpu} (package ${packageName} is not installed). ` +
        'Start any DynamoDB-compatible server and name its address in AWS_ENDPOINT_URL_DYNAMODB, ' +
        'for example AWS_ENDPOINT_URL_DYNAMODB=http://127.0.0.1:8000.',
    );
  }
  return binary;
}

/** infra/local/bootstrap.mjs installs the engine here for a platform that the lock file does not have. */
const fetched = join(import.meta.dirname, '..', '..', '..', '..', 'node_modules', '.cache', 'engine', 'index.js');

function installedBinary(packageName: string): string | undefined {
  for (const origin of [import.meta.filename, fetched]) {
    try {
      const manifest = createRequire(origin).resolve(`${packageName}/package.json`);
      const binary = join(dirname(manifest), 'dynoxide');
      if (existsSync(binary)) return binary;
    } catch {
      // Not installed here.
    }
  }
  return undefined;
}
