import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import packageFile from '../../package.json' with { type: 'json' };
import { operatorContext } from '../shared/services/context.ts';
import { scaleWorkspace } from './emails/sender.ts';
import { load, percentiles } from './load.ts';
import { timeBetween } from './processorTime.ts';
import type { BenchContext, Row, Section } from './report.ts';
import { type BenchService, startBenchService } from './service.ts';

/** Node's flags of `npm run mailroom`. */
const flags = packageFile.scripts.mailroom.split(' ').filter((word) => word.startsWith('--'));
const megabyte = 1024 * 1024;
const budgets = { linesPerSecond: 800, importBytes: 150 * megabyte, pageMilliseconds: 60 };

const number = (value: number) => value.toLocaleString('en');
const personAt = (index: number) => `person.${index}@example${index % 10}.net`;

/** A large workspace: the import that fills it by the command line, and the console's pages over it. */
export async function benchConsole({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService(undefined, { EMAIL_LIST: 'recipient-and-tag' });
  const [people, emails] = quick ? [5_000, 500] : [100_000, 10_000];
  try {
    await scaleWorkspace(service);
    const imported = await importPeople(service, people);
    await sendEmails(service, emails);
    const campaign = await createDraft(service);
    await service.quiet();
    const pages = await measurePages(service, campaign, quick ? 20 : 60);
    return {
      title: 'Import, and pages of the console',
      rows: [
        importRow(imported),
        ...pages.map(({ path, p50, p95, rounds, readUnits }) => ({
          what: `${path || '/'} with ${number(people)} people and ${number(emails)} emails`,
          measured: `p95 ${p95.toFixed(0)} ms, p50 ${p50.toFixed(0)} ms of ${rounds}; ${readUnits.toFixed(1)} read units`,
          budget: `p95 ${budgets.pageMilliseconds} ms`,
          ok: p95 <= budgets.pageMilliseconds,
        })),
      ],
      figures: { imported, pages },
    };
  } finally {
    await service.stop().catch(() => {});
  }
}

interface Imported {
  readonly lines: number;
  readonly linesPerSecond: number;
  /** The most memory that the command ever had resident. */
  readonly peakBytes: number;
  /** Processor seconds of the engine; undefined where they are not measured. */
  readonly engineSeconds: number | undefined;
}

async function importPeople(service: BenchService, lines: number): Promise<Imported> {
  const file = join(tmpdir(), `mailroom-bench-people-${process.pid}.csv`);
  const rows = Array.from({ length: lines }, (_, index) => `${personAt(index)},Ada,Lovelace,"news, vip",London,36`);
  writeFileSync(file, `email,firstName,lastName,tags,fields.city,fields.age\n${rows.join('\n')}\n`);
  const before = service.processorTime();
  const dataDir = dirname(service.runtime.environment.SERVICE_SECRET_FILE ?? '');
  const child = spawn(
    process.execPath,
    [
      ...flags,
      ...['--import', './test/bench/peakMemory.ts', 'functions/cli/main.ts'],
      ...['subscriber', 'import', file, '--consent-given', '--data', dataDir, '--json'],
    ],
    { cwd: join(import.meta.dirname, '..', '..'), stdio: ['ignore', 'pipe', 'inherit', 'pipe'] },
  );
  const [, output, , peak] = child.stdio;
  if (!output || !peak) throw new Error('The command has no output.');
  const [json, bytes] = await Promise.all([output, peak].map((stream) => text(stream as NodeJS.ReadableStream)));
  rmSync(file);
  const { added, lines_per_second = 0 } = JSON.parse(json ?? '') as { added?: number; lines_per_second?: number };
  if (added !== lines) throw new Error(`The import added ${added} of ${lines} people.`);
  const engineSeconds = timeBetween(before, service.processorTime())?.['DynamoDB engine'];
  return { lines, linesPerSecond: lines_per_second, peakBytes: Number(bytes), engineSeconds };
}

function importRow({ lines, linesPerSecond, peakBytes, engineSeconds }: Imported): Row {
  const engine =
    engineSeconds === undefined
      ? ''
      : `; ${((engineSeconds * 1000) / lines).toFixed(2)} ms of the engine’s processor a line`;
  return {
    what: `import of ${number(lines)} lines, all new`,
    measured: `${linesPerSecond} lines a second, ${(peakBytes / megabyte).toFixed(0)} MB at most${engine}`,
    budget: `${budgets.linesPerSecond} lines a second, under ${budgets.importBytes / megabyte} MB`,
    ok: linesPerSecond >= budgets.linesPerSecond && peakBytes < budgets.importBytes,
  };
}

const headersOf = ({ dev }: BenchService) => ({
  Authorization: `Bearer ${dev.api_key}`,
  'Content-Type': 'application/json',
});

async function sendEmails(service: BenchService, total: number): Promise<void> {
  const { failures } = await load({ clients: 10, total, expect: 202 }, (index) => ({
    method: 'POST',
    url: `${service.dev.base_url}/api/v1/emails`,
    headers: headersOf(service),
    body: JSON.stringify({
      from: 'Acme <hello@example.com>',
      to: personAt(index),
      subject: 'Your receipt',
      text: 'Thank you.',
    }),
  }));
  if (failures > 0) throw new Error(`${failures} emails were refused.`);
}

/** A draft to all subscribers. */
async function createDraft(service: BenchService): Promise<string> {
  const answer = await fetch(`${service.dev.base_url}/api/v1/campaigns`, {
    method: 'POST',
    headers: headersOf(service),
    body: JSON.stringify({ name: 'News', subject: 'News', text: 'Hello {{firstName|there}}.' }),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
  return ((await answer.json()) as { id: string }).id;
}

const paths = [
  ...['', '?days=90', '/emails', '/people', '/people/import', '/segments', '/suppression', '/webhooks'],
  ...['/settings/keys', '/campaigns', '/campaigns/{id}', '/campaigns/{id}/edit', '/campaigns/{id}/check'],
  ...['/campaigns/{id}/audience', '/campaigns/{id}/test', '/campaigns/{id}/send', '/campaigns/{id}/schedule'],
  '/campaigns/{id}/preview',
];

interface Page {
  readonly path: string;
  readonly p50: number;
  readonly p95: number;
  readonly rounds: number;
  readonly readUnits: number;
}

/** Warm, one request at a time; the time until the first byte, since pages are sent whole. */
async function measurePages(service: BenchService, campaign: string, rounds: number): Promise<Page[]> {
  const cookie = await signedIn(service);
  const root = `${service.dev.base_url}/console/${service.dev.workspace_id}`;
  const pages: Page[] = [];
  for (const path of paths) {
    const url = `${root}${path.replace('{id}', campaign)}`;
    const open = async () => {
      const began = performance.now();
      const answer = await fetch(url, { headers: { cookie }, redirect: 'manual' });
      const milliseconds = performance.now() - began;
      await answer.text();
      if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}.`);
      return milliseconds;
    };
    for (let round = 0; round < 3; round += 1) await open();
    await service.startMeter();
    await open();
    const { calls } = await service.readMeter();
    const readUnits = calls.reduce((total, call) => total + call.readUnits, 0);
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await open());
    const { p50, p95 } = percentiles(times);
    pages.push({ path, p50, p95, rounds, readUnits });
  }
  return pages;
}

/** The session cookie of an owner. */
async function signedIn({ dev, runtime }: BenchService): Promise<string> {
  Object.assign(process.env, runtime.environment);
  const { createSession } = await import('../../shared/services/operators/session.ts');
  const { actor } = operatorContext();
  return `mailroom-${new URL(dev.base_url).port}=${await createSession(actor, new Date())}`;
}
