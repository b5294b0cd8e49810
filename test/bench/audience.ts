import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import packageFile from '../../package.json' with { type: 'json' };
import { operatorContext } from '../shared/services/context.ts';
import { aroundCalls } from '../shared/store/aroundCalls.ts';
import { load } from './load.ts';
import { timeBetween } from './processorTime.ts';
import type { BenchContext, Row, Section } from './report.ts';
import { busyMilliseconds } from './sending/rounds.ts';
import { type BenchService, startBenchService } from './service.ts';

/** What `npm run mailroom` tells Node. */
const flags = packageFile.scripts.mailroom.split(' ').filter((word) => word.startsWith('--'));

const megabyte = 1024 * 1024;
const number = (value: number) => value.toLocaleString('en');

/** Many people at once: a file that is imported, and the questions whom a campaign would reach. */
export async function benchAudience({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService();
  try {
    const lines = quick ? 10_000 : 100_000;
    const imported = await importPeople(service, lines);
    const exported = await exportPeople(service);
    const everybody = await measureAudience(service, {}, lines);
    const list = await measureAudience(service, { to: listOf(quick ? 5000 : 50_000, lines) });
    const segment = await measureSegment(service);
    return {
      title: 'Audience, import and export',
      rows: [
        ...importRows(imported),
        {
          what: `export of ${number(lines)} people as CSV`,
          measured: `${exported.seconds.toFixed(1)} s, ${memory(exported)}`,
        },
        {
          what: `POST /audience without a list, ${number(lines)} subscribers`,
          measured: `${times(everybody)}, ${everybody.calls} calls, ${number(everybody.units)} read units`,
        },
        listRow(list, quick ? 5000 : 50_000),
        {
          what: `count of a segment by a field, ${number(lines)} subscribers, in the command line`,
          measured: `${times(segment)}, ${segment.used.toFixed(2)} s of processor of its own`,
        },
      ],
      figures: { imported, exported, everybody, list, segment },
    };
  } finally {
    await service.stop().catch(() => {});
  }
}

interface CommandRun {
  readonly seconds: number;
  readonly peakBytes: number;
  readonly output: { readonly lines_per_second?: number; readonly added?: number };
}

/** The operator's command line on the service's data, in a process of its own. */
async function mailroom(service: BenchService, words: readonly string[]): Promise<CommandRun> {
  const dataDir = dirname(service.runtime.environment.SERVICE_SECRET_FILE ?? '');
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [
      ...flags,
      ...['--import', './test/bench/peakMemory.ts', 'functions/cli/main.ts'],
      ...[...words, '--data', dataDir, '--json'],
    ],
    { cwd: join(import.meta.dirname, '..', '..'), stdio: ['ignore', 'pipe', 'inherit', 'pipe'] },
  );
  const [, output, , peak] = child.stdio;
  if (!output || !peak) throw new Error('The command has no output.');
  const [json, bytes] = await Promise.all([text(output as NodeJS.ReadableStream), text(peak as NodeJS.ReadableStream)]);
  return { seconds: (performance.now() - began) / 1000, peakBytes: Number(bytes), output: JSON.parse(json) };
}

const addressAt = (index: number) => `person.${index}@example${index % 10}.net`;

interface Imported extends CommandRun {
  readonly lines: number;
  /** Seconds of processor that the engine used meanwhile; undefined where that is not measured. */
  readonly engineSeconds: number | undefined;
}

async function importPeople(service: BenchService, lines: number): Promise<Imported> {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-bench-import-'));
  const file = join(folder, 'people.csv');
  const rows = Array.from({ length: lines }, (_, index) => `${addressAt(index)},Ada,Lovelace,"news, vip",London,36`);
  writeFileSync(file, `email,firstName,lastName,tags,fields.city,fields.age\n${rows.join('\n')}\n`);
  const before = service.processorTime();
  const run = await mailroom(service, ['subscriber', 'import', file, '--consent-given']);
  const engineSeconds = timeBetween(before, service.processorTime())?.['DynamoDB engine'];
  rmSync(folder, { recursive: true });
  if (run.output.added !== lines) throw new Error(`The import added ${run.output.added} of ${lines} people.`);
  return { ...run, lines, engineSeconds };
}

async function exportPeople(service: BenchService): Promise<CommandRun> {
  const folder = mkdtempSync(join(tmpdir(), 'mailroom-bench-export-'));
  const run = await mailroom(service, ['subscriber', 'export', '--out', join(folder, 'people.csv')]);
  rmSync(folder, { recursive: true });
  return run;
}

/** Nine in ten are subscribers, each of whom costs two looks; the others are strangers. */
const listOf = (length: number, people: number) =>
  Array.from({ length }, (_, index) => (index % 10 === 0 ? `stranger${index}@example.net` : addressAt(index % people)));

interface Asked {
  readonly seconds: number;
  /** Of these, how long at least one call of the engine was under way. */
  readonly engineSeconds: number;
  readonly calls: number;
  readonly units: number;
}

async function measureAudience(service: BenchService, body: object, recipients?: number): Promise<Asked> {
  const call = () => ({
    method: 'POST',
    url: `${service.dev.base_url}/api/v1/audience`,
    headers: {
      Authorization: `Bearer ${service.dev.api_key}`,
      'Content-Type': 'application/json',
      'Accept-Encoding': 'gzip',
    },
    body: JSON.stringify(body),
  });
  if (recipients !== undefined) await expectRecipients(call(), recipients);
  await service.startMeter();
  const result = await load({ clients: 1, total: 1, expect: 200 }, call);
  const { calls } = await service.readMeter();
  if (result.failures > 0) throw new Error('POST /audience failed.');
  return {
    seconds: result.milliseconds.max / 1000,
    engineSeconds: busyMilliseconds(calls) / 1000,
    calls: calls.length,
    units: Math.round(calls.reduce((total, { readUnits }) => total + readUnits, 0)),
  };
}

/** In this process, as the command line counts in its own. */
async function measureSegment(service: BenchService) {
  Object.assign(process.env, service.runtime.environment);
  const [{ documents }, { createSegment }, { countSegment }] = await Promise.all([
    import('../../shared/store/table/table.ts'),
    import('../../shared/services/segments/create.ts'),
    import('../../shared/services/segments/count.ts'),
  ]);
  const context = operatorContext(service.dev.workspace_id);
  const rule = { field: 'city', operator: 'equals', value: 'London' };
  const { id } = await createSegment(context, { name: 'London', rule });
  const calls: { startedAt: number; endedAt: number }[] = [];
  // The engine's time ends where the answer is made an output of the store.
  const release = aroundCalls(documents, (next) => (command) => {
    const startedAt = performance.now();
    const output = (answer: object) => {
      calls.push({ startedAt, endedAt: performance.now() });
      return command.output(answer);
    };
    return next(Object.assign(Object.create(Object.getPrototypeOf(command)), command, { output }));
  });
  const before = process.cpuUsage();
  const began = performance.now();
  await countSegment(context, { segment: id });
  const { user, system } = process.cpuUsage(before);
  release();
  return {
    seconds: (performance.now() - began) / 1000,
    engineSeconds: busyMilliseconds(calls) / 1000,
    used: (user + system) / 1e6,
  };
}

async function expectRecipients({ url, ...init }: { url: string }, recipients: number): Promise<void> {
  const answer = (await (await fetch(url, init)).json()) as { recipients: number };
  if (answer.recipients !== recipients) throw new Error(`${answer.recipients} recipients instead of ${recipients}.`);
}

const memory = ({ peakBytes }: CommandRun) => `${(peakBytes / megabyte).toFixed(0)} MB at most`;

/** Twice the most lines a second that an import took at first. */
const wantedLines = 800;

function importRows(run: Imported): Row[] {
  const perSecond = run.output.lines_per_second ?? 0;
  const { engineSeconds, lines } = run;
  const engine =
    engineSeconds === undefined
      ? ''
      : `; ${((engineSeconds * 1000) / lines).toFixed(2)} ms of the engine’s processor a line`;
  return [
    {
      what: `import of ${number(run.lines)} lines, all new`,
      measured: `${perSecond} lines a second, ${memory(run)}${engine}`,
      budget: `${wantedLines} lines a second, under 150 MB`,
      ok: perSecond >= wantedLines && run.peakBytes < 150 * megabyte,
    },
  ];
}

const times = ({ seconds, engineSeconds }: Pick<Asked, 'seconds' | 'engineSeconds'>) =>
  `${seconds.toFixed(2)} s, ${engineSeconds.toFixed(2)} of them while the engine worked`;

function listRow(asked: Asked, addresses: number): Row {
  const { seconds, calls, units } = asked;
  return {
    what: `POST /audience with ${number(addresses)} addresses, nine in ten subscribed`,
    measured: `${times(asked)}, ${calls} AWS calls, ${(units / addresses).toFixed(2)} read units an address`,
    budget: 'under 10 s, 1 read unit an address',
    ok: seconds < 10 && units <= addresses + 10,
  };
}
