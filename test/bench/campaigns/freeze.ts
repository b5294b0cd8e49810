import { Agent, request } from 'node:http';
import type { MeteredCall } from '../counting.ts';
import { stop } from './sending.ts';
import { draft, engineCpuSeconds, send, type World } from './world.ts';

/** What the call that sends a campaign costs, up to its answer. */
export interface FreezeFigures {
  readonly queued: number;
  readonly seconds: number;
  /** Of one core, of the process that freezes; the engine's own is another. */
  readonly cpuSeconds: number;
  readonly engineCpuSeconds: number;
  readonly memoryBytes: number;
  readonly calls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** Nobody gets it: the provider is paused, and the campaign is held before it goes on. */
export async function measureFreeze(world: World, workspaceId: string, segmentId?: string): Promise<FreezeFigures> {
  const { load, provider } = world;
  await provider.behave({ isPaused: true });
  const id = await draft(world, workspaceId, segmentId);
  const watch = watchMemory();
  const engineBefore = engineCpuSeconds(world);
  load.startCounting();
  const cpuBefore = process.cpuUsage();
  const began = performance.now();
  const queued = await send(world, workspaceId, id);
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const calls = load.endCounting();
  const memoryBytes = watch.end();
  const figures = {
    queued,
    seconds,
    cpuSeconds: (user + system) / 1_000_000,
    engineCpuSeconds: engineCpuSeconds(world) - engineBefore,
    memoryBytes,
    calls: calls.length,
    ...unitsOf(calls),
  };
  await stop(world, workspaceId, id);
  return figures;
}

export const unitsOf = (calls: readonly MeteredCall[]) => ({
  readUnits: calls.reduce((sum, { readUnits }) => sum + readUnits, 0),
  writeUnits: calls.reduce((sum, { writeUnits }) => sum + writeUnits, 0),
});

/** How much more than at its start the process ever held. */
function watchMemory(): { end(): number } {
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const look = () => {
    most = Math.max(most, process.memoryUsage().rss);
  };
  const timer = setInterval(look, 20);
  return {
    end: () => {
      look();
      clearInterval(timer);
      return most - before;
    },
  };
}

/** A list, frozen whole and by a segment of a tenth, and the engine's own time for the reads of both. */
export interface FrozenList {
  readonly workspaceId: string;
  readonly people: number;
  readonly engine: EngineFigures;
  readonly everybody: FreezeFigures;
  readonly segmentEngine: EngineFigures;
  readonly segment: FreezeFigures;
}

interface EngineFigures {
  readonly seconds: number;
  readonly engineCpuSeconds: number;
  readonly bytes: number;
}

/** The engine's own time for the reads of a freeze: asked for in the same way, and what it answers thrown away. */
export async function measureEngine(world: World, workspaceId: string, attributes: string[]): Promise<EngineFigures> {
  const { load } = world;
  const url = world.service.runtime.environment.AWS_ENDPOINT_URL_DYNAMODB ?? '';
  const agent = new Agent({ keepAlive: true });
  let bytes = 0;
  const readShard = async (shard: number) => {
    let start = '';
    do {
      const names = Object.fromEntries(attributes.map((name, index) => [`#a${index}`, name]));
      const body = {
        TableName: load.tableName(),
        IndexName: 'audience',
        KeyConditionExpression: 'audience_pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: load.audiencePartition(workspaceId, shard) } },
        ProjectionExpression: Object.keys(names).join(', '),
        ExpressionAttributeNames: names,
        ...(start && { ExclusiveStartKey: JSON.parse(start) as object }),
      };
      const page = await post(agent, url, JSON.stringify(body));
      bytes += page.length;
      start = lastKeyOf(page);
    } while (start);
  };
  const engineBefore = engineCpuSeconds(world);
  const began = performance.now();
  await Promise.all(Array.from({ length: load.audienceShards }, (_, shard) => readShard(shard)));
  const seconds = (performance.now() - began) / 1000;
  agent.destroy();
  return { seconds, engineCpuSeconds: engineCpuSeconds(world) - engineBefore, bytes };
}

function post(agent: Agent, url: string, body: string): Promise<Buffer> {
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.Query',
    authorization:
      'AWS4-HMAC-SHA256 Credential=local/20261121/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
    'x-amz-date': '20261121T000000Z',
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const page = Buffer.concat(chunks);
        if (response.statusCode === 200) resolve(page);
        else reject(new Error(`The engine answered ${response.statusCode}: ${page.toString('utf8').slice(0, 300)}`));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

/** Where the next page begins, as JSON: cut out, since parsing a page is what is not to be measured. */
function lastKeyOf(page: Buffer): string {
  const at = page.lastIndexOf('"LastEvaluatedKey":');
  if (at === -1) return '';
  const text = page.subarray(at + '"LastEvaluatedKey":'.length).toString('utf8');
  for (let end = text.indexOf('}'); end !== -1; end = text.indexOf('}', end + 1)) {
    const json = text.slice(0, end + 1);
    if (json.split('{').length === json.split('}').length) return json;
  }
  throw new Error('A page of the engine ends in the midst of a key.');
}
