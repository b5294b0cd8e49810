import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '../../../../infra/local/dynamodb/dynamodb.ts';
import { engineBinary } from '../../../../infra/local/dynamodb/internal/dynamodbProcess.ts';
import { ensureTable } from '../../../../infra/local/dynamodb/tableResource.ts';
import { dynamoDbClient } from '../clients.ts';
import { kill, killChildren, processesWith, startChild, temporaryFolder, until } from '../processes.ts';

const key = { pk: { S: 'WS#1' }, sk: { S: 'WORKSPACE' } };
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  killChildren();
  await folder.remove();
});

async function putItem(endpoint: string): Promise<void> {
  const client = dynamoDbClient(endpoint);
  await ensureTable(client, 'mailroom');
  await client.send(new PutItemCommand({ TableName: 'mailroom', Item: { ...key, name: { S: 'kept' } } }));
  client.destroy();
}

/** Starts the engine on the folder again and reads its item. */
async function readName(): Promise<string | undefined> {
  const engine = await startDynamoDb({ dataDir: folder.path });
  const client = dynamoDbClient(engine.endpoint);
  const { Item } = await client.send(new GetItemCommand({ TableName: 'mailroom', Key: key }));
  client.destroy();
  await engine.stop();
  return Item?.name?.S;
}

const childCode = () => `
  import { startDynamoDb } from './infra/local/dynamodb/dynamodb.ts';
  const engine = await startDynamoDb({ dataDir: ${JSON.stringify(folder.path)} });
  process.on('SIGINT', () => {});
  process.on('SIGTERM', async () => { await engine.stop(); process.exit(0); });
  setInterval(() => {}, 1000);
  console.log(engine.endpoint);
`;

describe('startDynamoDb', () => {
  it('listens on the loopback address and keeps its data after a stop', async () => {
    const engine = await startDynamoDb({ dataDir: folder.path });
    expect(engine.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await putItem(engine.endpoint);
    await engine.stop();
    expect(await processesWith(folder.path)).toEqual([]);
    expect(await readName()).toBe('kept');
  });

  it('uses the given port, and reports when it is taken', async () => {
    const engine = await startDynamoDb({ dataDir: folder.path });
    const other = await temporaryFolder();
    const port = Number(new URL(engine.endpoint).port);
    await expect(startDynamoDb({ dataDir: other.path, port })).rejects.toThrow(/did not start/);
    await engine.stop();
    const again = await startDynamoDb({ dataDir: other.path, port });
    expect(again.endpoint).toBe(engine.endpoint);
    await again.stop();
    await other.remove();
  });

  it('ends when its process is killed, without losing data', async () => {
    const { child, firstLine } = await startChild(childCode());
    await putItem(firstLine);
    expect(await processesWith(folder.path)).not.toEqual([]);
    await kill(child, 'SIGKILL');
    await until('no process is left', async () => (await processesWith(folder.path)).length === 0);
    expect(await readName()).toBe('kept');
  });

  it('is restarted at its address when it is killed, until it ends too often', async () => {
    const logged: string[] = [];
    const lost: Error[] = [];
    const logger = { error: (line: string) => logged.push(line) };
    const engine = await startDynamoDb({ dataDir: folder.path, logger, onLost: (error) => lost.push(error) });
    await putItem(engine.endpoint);
    const pidFile = join(folder.path, 'dynamodb.pid');
    const client = dynamoDbClient(engine.endpoint);
    const isAnswering = async () => {
      const found = await client.send(new GetItemCommand({ TableName: 'mailroom', Key: key })).catch(() => null);
      return lost.length > 0 || found?.Item?.name?.S === 'kept';
    };
    for (let death = 1; death <= 4 && lost.length === 0; death += 1) {
      process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGKILL');
      await until('it is noticed', () => logged.length >= death || lost.length > 0);
      await until('it answers again, or is given up', isAnswering);
    }
    client.destroy();
    expect(logged).toEqual(
      Array(3).fill('The local DynamoDB engine has ended unexpectedly: it is restarted with its data.'),
    );
    expect(lost.map(({ message }) => message)).toEqual([
      `The local DynamoDB engine keeps ending: see ${join(folder.path, 'dynamodb.log')}.`,
    ]);
    await engine.stop();
    expect(await processesWith(folder.path)).toEqual([]);
  });

  it('survives a SIGINT until it is stopped', async () => {
    const { child, firstLine } = await startChild(childCode());
    // Ctrl-C in a terminal: a signal to the whole process group.
    process.kill(-Number(child.pid), 'SIGINT');
    await putItem(firstLine);
    await kill(child, 'SIGTERM');
    expect(child.exitCode).toBe(0);
    expect(await processesWith(folder.path)).toEqual([]);
  });

  it('ends a leftover engine whose supervisor was killed too', async () => {
    const { child, firstLine } = await startChild(childCode());
    await putItem(firstLine);
    const enginePid = Number(await readFile(join(folder.path, 'dynamodb.pid'), 'utf8'));
    const supervisors = (await processesWith(folder.path)).filter((pid) => pid !== enginePid && pid !== child.pid);
    // Stopped, since it would start another engine when the supervisors have ended.
    child.kill('SIGSTOP');
    // The watcher before its shell: the end of the shell closes the pipe, on which the watcher would act.
    for (const pid of supervisors.reverse()) process.kill(pid, 'SIGKILL');
    await kill(child, 'SIGKILL');
    await until('only the engine is left', async () => String(await processesWith(folder.path)) === String(enginePid));
    expect(await readName()).toBe('kept');
    expect(await processesWith(folder.path)).toEqual([]);
  });
});

describe('engineBinary', () => {
  it('names the alternative when the platform has no engine', () => {
    expect(() => engineBinary('sunos', 'sparc')).toThrow(/AWS_ENDPOINT_URL_DYNAMODB/);
  });
});
