import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { startDynamoDb } from '../../../../infra/local/engines/dynamodb.ts';
import { engineBinary } from '../../../../infra/local/engines/engineBinary.ts';
import { ensureTable } from '../../../../infra/local/engines/tableResource.ts';
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

/** Starts the engine on the folder again and reads what is there. */
async function readName(): Promise<string | undefined> {
  const engine = await startDynamoDb({ dataDir: folder.path });
  const client = dynamoDbClient(engine.endpoint);
  const { Item } = await client.send(new GetItemCommand({ TableName: 'mailroom', Key: key }));
  client.destroy();
  await engine.stop();
  return Item?.name?.S;
}

const childCode = () => `
  import { startDynamoDb } from './infra/local/engines/dynamodb.ts';
  const engine = await startDynamoDb({ dataDir: ${JSON.stringify(folder.path)} });
  process.on('SIGINT', () => {});
  process.on('SIGTERM', async () => { await engine.stop(); process.exit(0); });
  setInterval(() => {}, 1000);
  console.log(engine.endpoint);
`;

describe('startDynamoDb', () => {
  it('listens on the loopback address and keeps its data over a stop', async () => {
    const engine = await startDynamoDb({ dataDir: folder.path });
    expect(engine.endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await putItem(engine.endpoint);
    await engine.stop();
    expect(await processesWith(folder.path)).toEqual([]);
    expect(await readName()).toBe('kept');
  });

  it('takes the port that it is given, and says so when that is taken', async () => {
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

  it('ends with a process that is killed, and loses nothing', async () => {
    const { child, firstLine } = await startChild(childCode());
    await putItem(firstLine);
    expect(await processesWith(folder.path)).not.toEqual([]);
    await kill(child, 'SIGKILL');
    await until('no process is left', async () => (await processesWith(folder.path)).length === 0);
    expect(await readName()).toBe('kept');
  });

  it('is started again where it was when it alone is killed, and stops when it will not stay', async () => {
    const said: string[] = [];
    const lost: Error[] = [];
    const logger = { error: (line: string) => said.push(line) };
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
      await until('it is noticed', () => said.length >= death || lost.length > 0);
      await until('it answers again, or is given up', isAnswering);
    }
    client.destroy();
    expect(said).toEqual(
      Array(3).fill('The local DynamoDB engine has ended by itself: it is started again, with its data.'),
    );
    expect(lost.map(({ message }) => message)).toEqual([
      `The local DynamoDB engine ends again and again: see ${join(folder.path, 'dynamodb.log')}.`,
    ]);
    await engine.stop();
    expect(await processesWith(folder.path)).toEqual([]);
  });

  it('goes on through a SIGINT until it is stopped', async () => {
    const { child, firstLine } = await startChild(childCode());
    // Ctrl-C in a terminal: a signal to the whole process group.
    process.kill(-Number(child.pid), 'SIGINT');
    await putItem(firstLine);
    await kill(child, 'SIGTERM');
    expect(child.exitCode).toBe(0);
    expect(await processesWith(folder.path)).toEqual([]);
  });

  it('ends an engine that was left over because its supervisor was killed too', async () => {
    const { child, firstLine } = await startChild(childCode());
    await putItem(firstLine);
    const enginePid = Number(await readFile(join(folder.path, 'dynamodb.pid'), 'utf8'));
    const supervisors = (await processesWith(folder.path)).filter((pid) => pid !== enginePid && pid !== child.pid);
    // Frozen, or it would start another engine as soon as the supervisors are gone.
    child.kill('SIGSTOP');
    // The watcher before the shell that started it: the shell's end closes the pipe, and the watcher would do its work.
    for (const pid of supervisors.reverse()) process.kill(pid, 'SIGKILL');
    await kill(child, 'SIGKILL');
    await until('only the engine is left', async () => String(await processesWith(folder.path)) === String(enginePid));
    expect(await readName()).toBe('kept');
    expect(await processesWith(folder.path)).toEqual([]);
  });
});

describe('engineBinary', () => {
  it('names the way out when the platform has no engine', () => {
    expect(() => engineBinary('sunos', 'sparc')).toThrow(/AWS_ENDPOINT_URL_DYNAMODB/);
  });
});
