import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunctions, bundleHandler } from '../../../infra/bundle.ts';
import { sendEmailRoute } from '../../../shared/contract/routes/emails.ts';
import { apiEvent } from '../coldStart/events.ts';
import type { BenchContext, Row, Section } from '../report.ts';
import { type BenchService, startBenchService } from '../service.ts';
import { scaleWorkspace } from './sender.ts';

/** How a process of the function is started. */
interface Way {
  readonly name: string;
  readonly flags: readonly string[];
}

interface Measured {
  /** Bytes resident after the first call. */
  readonly first: number;
  /** At the most in each tenth of the others. */
  readonly highest: readonly number[];
  /** Milliseconds of a call. */
  readonly processor: number;
}

const { entry, memoryMegabytes = 0 } = sendEmailRoute.function;
const megabyte = 1024 * 1024;

/** A tenth of a function's memory for new objects, the rest for old ones: the bootstrap of AWS's images of Node says so. */
const ofLambda = [
  `--max-semi-space-size=${Math.floor(memoryMegabytes / 10 / 2)}`,
  `--max-old-space-size=${memoryMegabytes - Math.floor(memoryMegabytes / 10)}`,
];
const ways: readonly Way[] = [
  { name: 'as Lambda starts Node', flags: ofLambda },
  { name: 'with 1 MB for new objects', flags: ['--max-semi-space-size=1', `--max-old-space-size=${memoryMegabytes}`] },
];

/** What a process of `emails.send` has in memory when it lives long: one call after another, each to a new person. */
export async function benchLongLived({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService();
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-bench-bundles-'));
  const calls = quick ? 4000 : 20_000;
  try {
    await scaleWorkspace(service);
    // Nothing of what it measures is done by workers.
    await service.setFaults({ event_delay_ms: 86_400_000 });
    const bundle = (await bundleFunctions([entry], folder)).get(entry);
    const file = join(bundle?.folder ?? '', `${bundleHandler.split('.')[0]}.mjs`);
    const measured: (Way & Measured)[] = [];
    for (const way of ways) measured.push({ ...way, ...(await measure(service, file, way, calls)) });
    return {
      title: 'A process that sends for long',
      rows: measured.map((one) => rowOf(one, calls)),
      figures: { calls, measured },
    };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(service: BenchService, bundle: string, { flags }: Way, calls: number): Promise<Measured> {
  const eventFile = `${bundle}.event.json`;
  const email = {
    from: 'Acme <hello@example.com>',
    subject: 'Your receipt',
    html: '<h1>Thank you</h1><p>Your order is <a href="https://example.com/orders/1">on its way</a>.</p>',
    text: 'Thank you. Your order is on its way.',
  };
  writeFileSync(eventFile, JSON.stringify(apiEvent(service, 'POST', '/api/v1/emails', email)));
  const child = fork(join(import.meta.dirname, 'manyCalls.mjs'), [bundle, eventFile, String(calls)], {
    env: {
      ...process.env,
      ...service.runtime.environment,
      POWERTOOLS_LOG_LEVEL: 'SILENT',
      REQUESTS_PER_MINUTE: '100000000',
    },
    execArgv: [...flags],
  });
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`The process ended with ${code}.`)));
  const [told] = (await Promise.race([once(child, 'message'), ended])) as [Measured];
  return told;
}

function rowOf({ name, first, highest, processor }: Way & Measured, calls: number): Row {
  const inMegabytes = (bytes: number) => (bytes / megabyte).toFixed(0);
  const [half = 0, end = 0] = [highest[4], highest.at(-1)];
  return {
    what: `a process of emails.send, ${name}: resident after a call, and at the most in each tenth of ${calls.toLocaleString('en')} more`,
    measured: `${inMegabytes(first)}; ${highest.map(inMegabytes).join(', ')} MB; ${processor.toFixed(1)} ms of processor a call`,
    budget: `half of its ${memoryMegabytes} MB, and no growth beyond 20 MB in the second half`,
    ok: Math.max(first, ...highest) <= (memoryMegabytes / 2) * megabyte && end - half <= 20 * megabyte,
  };
}
