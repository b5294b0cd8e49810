import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CreateTableCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startTestTable, useTable } from '../../store/testTable.ts';
import { operatorContext } from '../context.ts';

/*
 * The local engine has no backups. A server in front of it makes the restored table itself, and answers the calls that only
 * AWS knows.
 */

let table: Awaited<ReturnType<typeof startTestTable>>;
let server: Server;
let engine: DynamoDBClient;
let services: typeof import('../../../../shared/services/restore/beginRestore.ts') &
  typeof import('../../../../shared/services/changeSendingHold.ts') &
  typeof import('../../../../shared/platform/config.ts');
const calls: { operation: string; body: Record<string, unknown> }[] = [];
let failing: string | null = null;

async function makeTable(name: string): Promise<void> {
  const { Table } = await engine.send(new DescribeTableCommand({ TableName: 'test' }));
  await engine.send(
    new CreateTableCommand({
      TableName: name,
      KeySchema: Table?.KeySchema ?? [],
      AttributeDefinitions:
        Table?.AttributeDefinitions?.filter(({ AttributeName }) => /^[ps]k$/.test(AttributeName ?? '')) ?? [],
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
}

const onlyOnAws = ['UpdateContinuousBackups', 'UpdateTable', 'UpdateTimeToLive'];

beforeAll(async () => {
  table = await startTestTable();
  const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '';
  engine = new DynamoDBClient({ endpoint });
  server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    const body = JSON.parse(text);
    const answer = (status: number, value: object) =>
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(value));
    if (operation === 'RestoreTableToPointInTime' || onlyOnAws.includes(operation)) {
      calls.push({ operation, body });
      if (operation === failing) return answer(400, { __type: 'ValidationException', message: 'refused' });
      if (operation === 'RestoreTableToPointInTime') await makeTable(body.TargetTableName);
      return answer(200, {});
    }
    const headers = { ...(request.headers as Record<string, string>) };
    for (const name of ['host', 'content-length', 'connection', 'accept-encoding']) delete headers[name];
    const passed = await fetch(endpoint, { method: 'POST', headers, body: text });
    response.writeHead(passed.status, { 'content-type': 'application/x-amz-json-1.0' }).end(await passed.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  useTable(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  services = {
    ...(await import('../../../../shared/services/restore/beginRestore.ts')),
    ...(await import('../../../../shared/services/changeSendingHold.ts')),
    ...(await import('../../../../shared/platform/config.ts')),
  };
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve).closeAllConnections());
  engine.destroy();
  await table.stop();
});

const restored = 'test-restored-20261121080000';
const point = new Date('2026-11-21T08:00:00Z');
const begin = () => services.beginRestoring(operatorContext(), { point });

describe('the begin of a restore', () => {
  it('refuses a time that has not come', async () => {
    await expect(
      services.beginRestoring(operatorContext(), { point: new Date('2999-01-01T00:00:00Z') }),
    ).rejects.toThrow();
    expect(calls).toEqual([]);
  });

  it('holds all sending, then has the table made', async () => {
    expect(await begin()).toEqual({
      object: 'restore',
      point: point.toISOString(),
      from: 'test',
      table: restored,
      state: 'being made',
      hold_failed: null,
    });
    expect(calls.map(({ operation }) => operation)).toEqual(['RestoreTableToPointInTime']);
    expect(calls[0]?.body).toMatchObject({ SourceTableName: 'test', TargetTableName: restored });
    expect((await services.showSending(operatorContext())).held).toBe(true);
  });

  it('goes on after a failure, and gives the table what DynamoDB does not restore', async () => {
    calls.length = 0;
    failing = 'UpdateTable';
    await expect(begin()).rejects.toThrow('refused');
    failing = null;
    expect(await begin()).toMatchObject({ table: restored, state: 'ready' });
    expect(calls.map(({ operation, body }) => [operation, body.TableName])).toEqual([
      ...['UpdateContinuousBackups', 'UpdateTable'].map((operation) => [operation, restored]),
      ...onlyOnAws.map((operation) => [operation, restored]),
    ]);
    expect(services.config('TABLE_NAME')).toBe('test');
  });

  it('leaves a table from which nothing is released before its check', async () => {
    services.takeSettings({ TABLE_NAME: restored });
    const context = operatorContext();
    expect(await services.showSending(context)).toMatchObject({ held: true, note: 'restored table' });
    await expect(services.releaseSending(context)).rejects.toMatchObject({ code: 'conflict' });
    expect((await services.showSending(context)).held).toBe(true);
    services.takeSettings({ TABLE_NAME: 'test' });
    expect((await services.releaseSending(operatorContext())).held).toBe(false);
  });
});
