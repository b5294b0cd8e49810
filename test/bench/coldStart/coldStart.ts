import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunctions, bundleHandler } from '../../../infra/bundle.ts';
import { sendEmailRoute } from '../../../shared/contract/routes/emails.ts';
import prices from '../prices.json' with { type: 'json' };
import type { BenchContext, Row, Section } from '../report.ts';
import { type BenchService, startBenchService } from '../service.ts';
import { eventsOf } from './events.ts';

/** Sizes of a function that are weighed, in megabytes. */
const memories = [512, 600, 768, 1024, 1769];

/** At which a send is held to its budget: its own size, and never more than the one that the budget names. */
const heldMegabytes = Math.min(1024, sendEmailRoute.function.memoryMegabytes);

const headOf = (samples: number) =>
  `Medians of ${samples} fresh processes, on this machine, by plain HTTP to loopback. A deployment is arm64, and its first calls ` +
  'shake hands for TLS and load what the runtime brings: none of that is in these times.';

interface Times {
  readonly processor: number;
  readonly clock: number;
}

interface ColdStart {
  readonly entry: string;
  readonly bytes: number;
  /** Medians of milliseconds: the import, the first call, the second. */
  readonly import: Times;
  readonly first: Times;
  readonly second: Times;
}

/** What a new container does before it answers, function by function, and what each size of it makes of that. */
export async function benchColdStarts({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService();
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-bench-bundles-'));
  try {
    const samples = quick ? 5 : 15;
    const events = eventsOf(service);
    const bundles = await bundleFunctions(Object.keys(events), folder);
    const starts: ColdStart[] = [];
    for (const [entry, event] of Object.entries(events)) {
      const bundle = bundles.get(entry);
      if (!bundle) throw new Error(`${entry} was not bundled.`);
      const file = join(bundle.folder, `${bundleHandler.split('.')[0]}.mjs`);
      starts.push({ entry, bytes: bundle.bytes, ...(await measure(service, file, event, samples)) });
    }
    return { title: 'Cold starts', head: headOf(samples), rows: starts.flatMap(rowsOf), figures: { starts } };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(service: BenchService, bundle: string, event: object, samples: number) {
  const eventFile = `${bundle}.event.json`;
  writeFileSync(eventFile, JSON.stringify(event));
  const runs: Times[][] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const env = { ...environmentOfLambda(), ...service.runtime.environment, POWERTOOLS_LOG_LEVEL: 'SILENT' };
    const child = fork(join(import.meta.dirname, 'start.mjs'), [bundle, eventFile], { env });
    const [{ status, times }] = (await once(child, 'message')) as [{ status: number | null; times: Times[] }];
    if (status !== null && status >= 300) throw new Error(`${bundle} answered ${status}.`);
    runs.push(times);
  }
  const median = (phase: number, of: keyof Times) =>
    runs.map((times) => times[phase]?.[of] ?? 0).sort((a, b) => a - b)[Math.floor(samples / 2)] ?? 0;
  const [imported, first, second] = [0, 1, 2].map((phase) => ({
    processor: median(phase, 'processor'),
    clock: median(phase, 'clock'),
  })) as [Times, Times, Times];
  return { import: imported, first, second };
}

/** This process's environment without its compile cache: Lambda has none, and an import would seem a fifth cheaper. */
function environmentOfLambda(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE: _, ...environment } = process.env;
  return environment;
}

/** What waits beside it is not counted: the engines of a laptop answer at once. */
function rowsOf({ entry, bytes, import: imported, first, second }: ColdStart): Row[] {
  const name = entry.replace(/^functions\/|\.ts$/g, '');
  const share = (memory: number) => Math.min(1, memory / prices.assumed.processorMegabytes);
  const at = (memory: number) => (imported.processor + first.processor) / share(memory);
  const sizes = memories.map((memory) => `${memory} MB ${at(memory).toFixed(0)} ms`).join(', ');
  const isSend = name === 'api/emails/send';
  return [
    {
      what: `${name}, ${Math.round(bytes / 1000)} kB: processor time of import, first call, second call`,
      measured: `${imported.processor.toFixed(0)}, ${first.processor.toFixed(0)}, ${second.processor.toFixed(0)} ms`,
    },
    {
      what: `${name}: import and first call by the processor that a size has`,
      measured: sizes,
      ...(isSend && { budget: `350 ms at ${heldMegabytes} MB`, ok: at(heldMegabytes) <= 350 }),
    },
  ];
}
