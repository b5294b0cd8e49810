import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevFile, RuntimeFile } from '../../../infra/local/files.ts';
import { ownEnvironment } from '../../acceptance/environment.ts';
import { type HostileSettings, type KillOrder, randomFrom } from './hostileSettings.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const dayMilliseconds = 86_400_000;

export interface UnsteadyOptions {
  readonly dataDir: string;
  readonly seed: number;
  readonly faults: Omit<HostileSettings, 'seed'>;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are JSON of any shape, and the storm looks into them
  readonly body: any;
}

/**
 * A service with a clock that is killed again and again, and started again each time. Calls are repeated until they are
 * answered, as patient applications do.
 */
export class UnsteadyService {
  readonly #options: UnsteadyOptions;
  readonly #random: () => number;
  #child: ChildProcess | undefined;
  #ready: Promise<void> = Promise.resolve();
  #isStopping = false;
  #isCalm = true;
  starts = 0;
  kills = 0;

  constructor(options: UnsteadyOptions) {
    this.#options = options;
    this.#random = randomFrom(options.seed);
  }

  get dev(): DevFile {
    return JSON.parse(readFileSync(join(this.#options.dataDir, 'dev.json'), 'utf8'));
  }

  get runtime(): RuntimeFile {
    return JSON.parse(readFileSync(join(this.#options.dataDir, 'runtime.json'), 'utf8'));
  }

  /** As the tools of the tests see a service. */
  get place() {
    const { dev, runtime } = this;
    return {
      baseUrl: dev.base_url,
      apiKey: dev.api_key,
      workspaceId: dev.workspace_id,
      inboxUrl: dev.inbox_url,
      sesEndpoint: runtime.environment.AWS_ENDPOINT_URL_SESV2 ?? '',
      dataDir: this.#options.dataDir,
      environment: runtime.environment,
      logLines: [] as never,
      stop: async () => {},
    };
  }

  async start(): Promise<void> {
    this.#ready = this.#startUntilReady();
    await this.#ready;
  }

  /** From now on its network is hostile; after `calm` no more. */
  async rage(): Promise<void> {
    this.#isCalm = false;
    await this.#restart('SIGTERM');
  }

  async calm(): Promise<void> {
    this.#isCalm = true;
    await this.#restart('SIGTERM');
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#ready.catch(() => {});
    await this.#end('SIGTERM');
  }

  async #restart(signal: NodeJS.Signals): Promise<void> {
    await this.#ready;
    // The watch over the process starts the next one.
    await this.#end(signal);
    await sleep(0);
    await this.#ready;
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(signal);
    await exit;
  }

  async #startUntilReady(): Promise<void> {
    for (;;) {
      const child = this.#spawn();
      if (await isReady(child)) return this.#watch(child);
      if (child.signalCode === 'SIGKILL') this.kills += 1;
      // A start may fail over a hostile network.
      else if (this.#isCalm) throw new Error(`The service ended with ${child.exitCode}.`);
    }
  }

  #watch(child: ChildProcess): void {
    const onEnd = () => {
      if (child.signalCode === 'SIGKILL') this.kills += 1;
      if (!this.#isStopping) this.#ready = this.#startUntilReady();
    };
    if (child.exitCode !== null || child.signalCode !== null) onEnd();
    else child.once('exit', onEnd);
  }

  #spawn(): ChildProcess {
    const { dataDir, seed } = this.#options;
    this.starts += 1;
    const settings: HostileSettings = this.#isCalm ? {} : { ...this.#options.faults, seed: seed + this.starts };
    this.#child = spawn(
      join(root, 'node_modules', 'node', 'bin', 'node'),
      [
        ...['--disable-warning=ExperimentalWarning', '--import', './test/bench/automations/hostileNetwork.ts'],
        ...['infra/local/main.ts', '--clock', '--port', '0', '--data', dataDir],
      ],
      {
        cwd: root,
        env: ownEnvironment({
          REQUESTS_PER_MINUTE: '100000000',
          POWERTOOLS_LOG_LEVEL: process.env.SHOW_SERVICE_LOG ? 'ERROR' : 'CRITICAL',
          HOSTILE_NETWORK: JSON.stringify(settings),
        }),
        stdio: ['ignore', 'pipe', process.env.SHOW_SERVICE_LOG ? 'inherit' : 'ignore', 'ipc'],
      },
    );
    return this.#child;
  }

  /** Kills the process at one of its next calls of AWS. */
  async killWithin(calls: number): Promise<void> {
    await this.#ready;
    this.#child?.send({ callsLeft: 1 + Math.floor(this.#random() * calls) } satisfies KillOrder, () => {});
  }

  /** Repeats a call until it is answered with something else than a refusal for the moment. */
  async api(apiKey: string, method: string, path: string, body?: unknown, key?: string): Promise<Answer> {
    for (;;) {
      await this.#ready;
      const answer = await this.#try(`${this.dev.base_url}/api/v1${path}`, method, body, {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        ...(key !== undefined && { 'Idempotency-Key': key }),
      });
      if (process.env.SHOW_SERVICE_LOG)
        console.error(method, path, answer?.status, JSON.stringify(answer?.body).slice(0, 200));
      if (answer && answer.status < 500 && answer.status !== 429 && !isBusy(answer)) return answer;
      await sleep(20 + this.#random() * 80);
    }
  }

  async #try(url: string, method: string, body?: unknown, headers = {}): Promise<Answer | null> {
    try {
      const answer = await fetch(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
      return { status: answer.status, body: JSON.parse((await answer.text()) || 'null') };
    } catch {
      return null;
    }
  }

  async now(): Promise<number> {
    for (;;) {
      await this.#ready;
      const answer = await this.#try(new URL('/clock', this.dev.inbox_url).href, 'GET');
      if (answer?.status === 200) return Date.parse(answer.body.now);
      await sleep(50);
    }
  }

  /** Moves the clock to a moment, however often the service is killed meanwhile. */
  async advanceTo(at: number): Promise<void> {
    for (;;) {
      const left = at - (await this.now());
      if (left <= 0) return;
      const seconds = Math.min(Math.ceil(left / 1000), 300 * (dayMilliseconds / 1000));
      const advance = `${seconds} seconds`;
      const answer = await this.#try(new URL('/clock', this.dev.inbox_url).href, 'POST', { advance });
      if (process.env.SHOW_SERVICE_LOG)
        console.error('clock', seconds, answer?.status, JSON.stringify(answer?.body).slice(0, 1500));
      // The clock asks the table over the same network.
      if (answer?.status === 409 && !/is being advanced/.test(JSON.stringify(answer.body)))
        throw new Error(JSON.stringify(answer.body));
      if (answer?.status !== 200) await sleep(50);
    }
  }
}

/** A claim that is being worked on, or a contention: the same call succeeds later. */
const isBusy = ({ status, body }: Answer): boolean =>
  status === 409 && (body?.error?.details?.status === 'busy' || body?.error?.details?.reason === undefined);

async function isReady(child: ChildProcess): Promise<boolean> {
  if (!child.stdout) return false;
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.startsWith('Mailroom is ready')) continue;
    if (process.env.SHOW_SERVICE_LOG) child.stdout.pipe(process.stderr);
    else child.stdout.resume();
    return true;
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return false;
}
