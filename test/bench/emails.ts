import { type Call, type LoadResult, load } from './load.ts';
import type { MeteredCall } from './meter.ts';
import type { BenchContext, Row, Section } from './report.ts';
import { type BenchService, startBenchService } from './service.ts';

const megabyte = 1024 * 1024;

/** Single email: speed, calls, units, memory, and how a send changes as emails pile up. */
export async function benchEmails({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService();
  try {
    const { apiKey, workspaceId } = await scaleWorkspace(service);
    const send = sender(service, apiKey);
    await load({ clients: 4, total: 200, expect: 202 }, send);
    const [calls, units] = await measureOne(service, send);
    const speeds: { clients: number; result: LoadResult }[] = [];
    for (const clients of [1, 10, 50]) {
      const total = quick ? 300 * Math.min(clients, 4) : 2000;
      speeds.push({ clients, result: await load({ clients, total, expect: 202 }, send) });
    }
    const growth = await measureGrowth(service, send, quick ? 3000 : 100_000);
    const seconds = await restart(service);
    return {
      title: 'Single email',
      rows: [
        ...speeds.map(speedRow),
        ...countRows(calls, units),
        ...growthRows(growth),
        {
          what: 'second start, ready after',
          measured: `${(seconds.readyMilliseconds / 1000).toFixed(2)} s`,
          budget: 'under 3 s',
          ok: seconds.readyMilliseconds < 3000,
        },
      ],
      figures: { workspaceId, speeds, units, sequence: calls, growth, restart: seconds },
    };
  } finally {
    await service.stop().catch(() => {});
  }
}

/** The seeded workspace sends 3,000 a month: the bench needs the largest plan. */
async function scaleWorkspace(service: BenchService) {
  Object.assign(process.env, service.runtime.environment);
  const { updateSettings } = await import('../../shared/store/workspace/workspaces.ts');
  await updateSettings(service.dev.workspace_id, { plan: 'scale' });
  return { apiKey: service.dev.api_key, workspaceId: service.dev.workspace_id };
}

function sender(service: BenchService, apiKey: string): (index: number) => Call {
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  let sent = 0;
  return () => ({
    method: 'POST',
    url: `${service.dev.base_url}/api/v1/emails`,
    headers,
    body: JSON.stringify({
      from: 'Acme <hello@example.com>',
      to: `bench${sent++}@example.net`,
      subject: 'Your receipt',
      html: '<h1>Thank you</h1><p>Your order is <a href="https://example.com/orders/1">on its way</a>.</p>',
      text: 'Thank you. Your order is on its way.',
    }),
  });
}

interface Units {
  readonly samples: number;
  readonly writePerEmail: number;
  readonly readPerEmail: number;
}

/** A few sends one by one for the longest chain of calls, then a burst until delivered for the units. */
async function measureOne(service: BenchService, send: (index: number) => Call): Promise<[MeteredCall[], Units]> {
  let calls: MeteredCall[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    await settle();
    await service.startMeter();
    await load({ clients: 1, total: 1, expect: 202 }, send);
    const reading = await service.readMeter();
    if (chain(reading.calls).length >= chain(calls).length) calls = [...reading.calls];
  }
  const samples = 100;
  await settle();
  await service.startMeter();
  await load({ clients: 1, total: samples, expect: 202 }, send);
  await settle();
  const reading = await service.readMeter();
  const sum = (of: (call: MeteredCall) => number) => reading.calls.reduce((total, call) => total + of(call), 0);
  return [
    calls,
    {
      samples,
      writePerEmail: sum(({ writeUnits }) => writeUnits) / samples,
      readPerEmail: sum(({ readUnits }) => readUnits) / samples,
    },
  ];
}

/** Feedback of earlier sends has come and gone. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 1500));

/** The longest chain of calls of which each began after the one before had ended. */
function chain(calls: readonly MeteredCall[]): MeteredCall[] {
  const found: MeteredCall[] = [];
  for (const call of [...calls].sort((a, b) => a.endedAt - b.endedAt)) {
    if (call.startedAt >= (found.at(-1)?.endedAt ?? 0)) found.push(call);
  }
  return found;
}

interface Growth {
  readonly emails: number;
  readonly first: LoadResult['milliseconds'];
  readonly last: LoadResult['milliseconds'];
  readonly firstHeapBytes: number;
  readonly lastHeapBytes: number;
  readonly firstResidentBytes: number;
  readonly lastResidentBytes: number;
  readonly failures: number;
}

async function measureGrowth(service: BenchService, send: (index: number) => Call, emails: number): Promise<Growth> {
  const sample = 1000;
  const options = { clients: 10, expect: 202 };
  const first = await load({ ...options, total: sample }, send);
  await settle();
  const before = await service.readMeter();
  const bulk = await load({ ...options, total: emails - 2 * sample }, send);
  await settle();
  const last = await load({ ...options, total: sample }, send);
  await settle();
  const after = await service.readMeter();
  return {
    emails,
    first: first.milliseconds,
    last: last.milliseconds,
    firstHeapBytes: before.heapBytes,
    lastHeapBytes: after.heapBytes,
    firstResidentBytes: before.residentBytes,
    lastResidentBytes: after.residentBytes,
    failures: first.failures + bulk.failures + last.failures,
  };
}

async function restart(service: BenchService) {
  const folder = service.runtime.environment.SERVICE_SECRET_FILE?.replace(/\/secret\.json$/, '') ?? '';
  await service.stop({ keep: true });
  const again = await startBenchService(folder);
  await again.stop();
  return { readyMilliseconds: again.readyMilliseconds };
}

function speedRow({ clients, result }: { clients: number; result: LoadResult }): Row {
  const { p50, p95, p99 } = result.milliseconds;
  const measured =
    `${result.perSecond.toFixed(0)} a second; p50 ${p50.toFixed(0)}, p95 ${p95.toFixed(0)}, p99 ${p99.toFixed(0)} ms` +
    (result.failures > 0 ? `; ${result.failures} failed` : '');
  if (clients !== 10) return { what: `sends, ${clients} clients`, measured };
  const ok = result.perSecond >= 150 && p99 < 200 && result.failures === 0;
  return { what: `sends, ${clients} clients`, measured, budget: '150 a second, p99 under 200 ms', ok };
}

function countRows(calls: readonly MeteredCall[], units: Units): Row[] {
  const sequence = chain(calls);
  return [
    {
      what: 'AWS calls one after another in a send, SES included',
      measured: `${sequence.length} (${sequence.map(({ command }) => command.replace('Command', '')).join(', ')}; ${calls.length} in all)`,
      budget: '5',
      ok: sequence.length <= 5,
    },
    {
      what: 'DynamoDB write units per sent and delivered email',
      measured: units.writePerEmail.toFixed(2),
      budget: '5.2',
      ok: units.writePerEmail <= 5.2,
    },
    { what: 'DynamoDB read units per sent and delivered email', measured: units.readPerEmail.toFixed(2) },
  ];
}

function growthRows(growth: Growth): Row[] {
  const ratio = growth.last.p50 / growth.first.p50;
  const heap = (growth.lastHeapBytes - growth.firstHeapBytes) / megabyte;
  const resident = (growth.lastResidentBytes - growth.firstResidentBytes) / megabyte;
  return [
    {
      what: `a send with ${growth.emails.toLocaleString('en')} emails stored against one with 1,000`,
      measured: `p50 × ${ratio.toFixed(2)} (${growth.first.p50.toFixed(0)} to ${growth.last.p50.toFixed(0)} ms)`,
    },
    {
      what: `memory of the service after ${growth.emails.toLocaleString('en')} sends`,
      measured: `heap and buffers ${heap >= 0 ? '+' : ''}${heap.toFixed(0)} MB, resident ${resident >= 0 ? '+' : ''}${resident.toFixed(0)} MB`,
      budget: 'no growth beyond 50 MB',
      ok: heap <= 50,
    },
  ];
}
