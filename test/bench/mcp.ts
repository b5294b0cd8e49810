import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunctions } from '../../infra/bundle.ts';
import { mcpEndpoint } from '../../shared/contract/mcp.ts';
import { type Call, load, percentiles } from './load.ts';
import type { BenchContext, Row, Section } from './report.ts';
import { type BenchService, startBenchService } from './service.ts';

/** The MCP server: what its function weighs, what a list costs, and what a tool costs beyond the call that it makes. */
export async function benchMcp({ quick }: BenchContext): Promise<Section> {
  const bundle = await weigh(quick ? 5 : 15);
  const service = await startBenchService();
  try {
    const rounds = quick ? 100 : 500;
    const tools = [];
    for (const pair of pairs(service)) tools.push(await compare(pair, rounds));
    const list = await measured(message(service, 'tools/list'), rounds);
    const reference = await measured(message(service, 'resources/read', { uri: 'mailroom://reference' }), rounds);
    const calls = await awsCalls(service);
    const figures = { bundle, list, reference, tools, calls };
    return { title: 'MCP', rows: rowsOf(figures), figures };
  } finally {
    await service.stop();
  }
}

interface Bundle {
  readonly bytes: number;
  readonly importMilliseconds: number;
}

/** The time of a process's processor until the handler stands, as Lambda would wait for it; the median of some starts. */
async function weigh(starts: number): Promise<Bundle> {
  const folder = await mkdtemp(join(tmpdir(), 'mailroom-bench-mcp-'));
  try {
    const { entry } = mcpEndpoint.function;
    const bundle = (await bundleFunctions([entry], folder)).get(entry);
    if (!bundle) throw new Error(`${entry} was not bundled.`);
    const program = `const before = process.cpuUsage();
      await import(${JSON.stringify(join(bundle.folder, 'index.mjs'))});
      const { user, system } = process.cpuUsage(before);
      console.log((user + system) / 1000);`;
    const time = () => Number(execFileSync(process.execPath, ['--input-type=module', '--eval', program]).toString());
    return { bytes: bundle.bytes, importMilliseconds: percentiles(Array.from({ length: starts }, time)).p50 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const headersOf = ({ dev }: BenchService) => ({
  Authorization: `Bearer ${dev.api_key}`,
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
});

function message(service: BenchService, method: string, params: object = {}): Call {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  return { method: 'POST', url: `${service.dev.base_url}/api/mcp`, headers: headersOf(service), body };
}

const toolCall = (service: BenchService, name: string, given: object): Call =>
  message(service, 'tools/call', { name, arguments: given });

function rest(service: BenchService, method: string, path: string, body?: object): Call {
  const url = `${service.dev.base_url}/api/v1${path}`;
  return { method, url, headers: headersOf(service), ...(body && { body: JSON.stringify(body) }) };
}

interface Pair {
  readonly tool: string;
  readonly status: number;
  readonly byTool: (index: number) => Call;
  readonly byRest: (index: number) => Call;
}

function pairs(service: BenchService): Pair[] {
  const email = (index: number, by: string) => ({
    from: 'hello@example.com',
    to: `${by}${index}@example.net`,
    subject: 'Bench',
    text: 'Bench.',
  });
  return [
    {
      tool: 'get_account',
      status: 200,
      byTool: () => toolCall(service, 'get_account', {}),
      byRest: () => rest(service, 'GET', '/me'),
    },
    {
      tool: 'list_subscribers',
      status: 200,
      byTool: () => toolCall(service, 'list_subscribers', {}),
      byRest: () => rest(service, 'GET', '/subscribers'),
    },
    {
      // Both with a key, since a tool has one in any case, and the claim of it is two writes.
      tool: 'send_email',
      status: 202,
      byTool: (index) => toolCall(service, 'send_email', email(index, 'tool')),
      byRest: (index) => {
        const call = rest(service, 'POST', '/emails', email(index, 'rest'));
        return { ...call, headers: { ...call.headers, 'Idempotency-Key': `rest-${index}` } };
      },
    },
  ];
}

interface Comparison {
  readonly tool: string;
  readonly toolMilliseconds: number;
  readonly restMilliseconds: number;
}

async function measured(call: Call, total: number): Promise<number> {
  await load({ clients: 1, total: 200, expect: 200 }, () => call);
  return (await load({ clients: 1, total, expect: 200 }, () => call)).milliseconds.p50;
}

/** In turns of a few calls, so that what else the machine does falls on both. */
async function compare({ tool, status, byTool, byRest }: Pair, rounds: number): Promise<Comparison> {
  const turn = 10;
  const [toolTimes, restTimes]: [number[], number[]] = [[], []];
  for (let index = -turn; index < rounds; index += turn) {
    const at = (next: (index: number) => Call) => (offset: number) => next(index + turn + offset);
    const one = await load({ clients: 1, total: turn, expect: 200 }, at(byTool));
    const other = await load({ clients: 1, total: turn, expect: status }, at(byRest));
    if (one.failures + other.failures > 0) throw new Error(`${tool}: ${one.failures} and ${other.failures} failures.`);
    if (index >= 0) toolTimes.push(one.milliseconds.p50);
    if (index >= 0) restTimes.push(other.milliseconds.p50);
  }
  return { tool, toolMilliseconds: percentiles(toolTimes).p50, restMilliseconds: percentiles(restTimes).p50 };
}

/** How often AWS is asked for a tool, and for the call that it makes: the fewest of some, without what runs besides. */
async function awsCalls(service: BenchService): Promise<{ tool: number; rest: number }> {
  const count = async (call: Call) => {
    const counts: number[] = [];
    while (counts.length < 20) {
      await service.startMeter();
      await load({ clients: 1, total: 1, expect: 200 }, () => call);
      counts.push((await service.readMeter()).calls.length);
    }
    return Math.min(...counts);
  };
  return { tool: await count(toolCall(service, 'get_account', {})), rest: await count(rest(service, 'GET', '/me')) };
}

interface Figures {
  readonly bundle: Bundle;
  readonly list: number;
  readonly reference: number;
  readonly tools: readonly Comparison[];
  readonly calls: { readonly tool: number; readonly rest: number };
}

function rowsOf({ bundle, list, reference, tools, calls }: Figures): Row[] {
  const beyond = tools.map(({ toolMilliseconds, restMilliseconds }) => toolMilliseconds - restMilliseconds);
  return [
    {
      what: 'bundle of the function, minified',
      measured: `${(bundle.bytes / 1000).toFixed(0)} kB`,
      budget: '700 kB',
      ok: bundle.bytes <= 700_000,
    },
    {
      what: 'its import (processor time, median of some starts)',
      measured: `${bundle.importMilliseconds.toFixed(0)} ms`,
      budget: '180 ms',
      ok: bundle.importMilliseconds <= 180,
    },
    { what: 'tools/list, warm, p50', measured: `${list.toFixed(1)} ms`, budget: 'under 10 ms', ok: list < 10 },
    { what: 'the reference, warm, p50', measured: `${reference.toFixed(1)} ms` },
    ...tools.map(({ tool, toolMilliseconds, restMilliseconds }, index) => ({
      what: `${tool}, one client, p50, and beyond its REST call`,
      measured: `${toolMilliseconds.toFixed(1)} ms, +${(beyond[index] ?? 0).toFixed(1)} ms (REST ${restMilliseconds.toFixed(1)})`,
      budget: 'at most +15 ms',
      ok: (beyond[index] ?? 0) <= 15,
    })),
    {
      what: 'calls of DynamoDB for get_account, by tool / by REST',
      measured: `${calls.tool} / ${calls.rest}`,
      budget: 'the same',
      ok: calls.tool === calls.rest,
    },
  ];
}
