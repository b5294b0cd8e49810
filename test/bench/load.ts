import { Agent, request } from 'node:http';

export interface Call {
  readonly method: string;
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

export interface LoadResult {
  readonly calls: number;
  readonly failures: number;
  readonly perSecond: number;
  readonly milliseconds: { readonly p50: number; readonly p95: number; readonly p99: number; readonly max: number };
}

/** `clients` concurrent callers, each with one call in flight, until `total` calls have been made. */
export async function load(
  options: { clients: number; total: number; expect: number },
  next: (index: number) => Call,
): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.clients });
  const times: number[] = [];
  let index = 0;
  let failures = 0;
  const began = performance.now();
  const client = async () => {
    while (index < options.total) {
      const call = next(index++);
      const started = performance.now();
      if ((await send(agent, call)) !== options.expect) failures += 1;
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: options.clients }, client));
  const seconds = (performance.now() - began) / 1000;
  agent.destroy();
  return { calls: times.length, failures, perSecond: times.length / seconds, milliseconds: percentiles(times) };
}

function send(agent: Agent, { method, url, headers = {}, body }: Call): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export function percentiles(times: readonly number[]): LoadResult['milliseconds'] {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: sorted.at(-1) ?? 0 };
}

/** `p50 6, p95 9, p99 14 ms of 2,000`; with too few times for a percentile the longest instead. */
export function spread({ p50, p95, p99, max }: LoadResult['milliseconds'], count: number): string {
  const shown = [
    ['p50', p50, 1],
    ['p95', p95, 20],
    ['p99', p99, 100],
  ] as const;
  const parts = shown.filter(([, , least]) => count >= least).map(([name, value]) => `${name} ${value.toFixed(0)}`);
  if (count < 100) parts.push(`at most ${max.toFixed(0)}`);
  return `${parts.join(', ')} ms of ${count.toLocaleString('en')}`;
}
