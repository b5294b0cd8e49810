import { type Call, load, percentiles } from './load.ts';
import type { BenchContext, Row, Section } from './report.ts';
import { type BenchService, startBenchService } from './service.ts';

/** The MCP server: the time of its list of tools, and what a tool takes beyond the REST call that it makes. */
export async function benchMcp({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService();
  try {
    const rounds = quick ? 100 : 500;
    const tools: Comparison[] = [];
    for (const pair of pairs(service)) tools.push(await compare(pair, rounds));
    const list = await measured(message(service, 'tools/list'), rounds);
    return { title: 'MCP', rows: rowsOf(list, tools), figures: { list, tools } };
  } finally {
    await service.stop();
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
      // Both with an idempotency key: a tool call always has one, and its claim is two writes.
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

/** In alternating groups of calls, so that other work of the machine affects both alike. */
async function compare({ tool, status, byTool, byRest }: Pair, rounds: number): Promise<Comparison> {
  const group = 10;
  const [toolTimes, restTimes]: [number[], number[]] = [[], []];
  for (let index = -group; index < rounds; index += group) {
    const at = (next: (index: number) => Call) => (offset: number) => next(index + group + offset);
    const one = await load({ clients: 1, total: group, expect: 200 }, at(byTool));
    const other = await load({ clients: 1, total: group, expect: status }, at(byRest));
    if (one.failures + other.failures > 0) throw new Error(`${tool}: ${one.failures} and ${other.failures} failures.`);
    if (index >= 0) toolTimes.push(one.milliseconds.p50);
    if (index >= 0) restTimes.push(other.milliseconds.p50);
  }
  return { tool, toolMilliseconds: percentiles(toolTimes).p50, restMilliseconds: percentiles(restTimes).p50 };
}

const rowsOf = (list: number, tools: readonly Comparison[]): Row[] => [
  { what: 'tools/list, warm, p50', measured: `${list.toFixed(1)} ms`, budget: 'under 10 ms', ok: list < 10 },
  ...tools.map(({ tool, toolMilliseconds, restMilliseconds }) => {
    const beyond = toolMilliseconds - restMilliseconds;
    return {
      what: `${tool}, one client, p50, and beyond its REST call`,
      measured: `${toolMilliseconds.toFixed(1)} ms, +${beyond.toFixed(1)} ms (REST ${restMilliseconds.toFixed(1)})`,
      budget: 'at most +15 ms',
      ok: beyond <= 15,
    };
  }),
];
