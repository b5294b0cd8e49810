import { join } from 'node:path';
import {
  ConflictException,
  CreateScheduleCommand,
  type CreateScheduleCommandInput,
  DeleteScheduleCommand,
  GetScheduleCommand,
  ListSchedulesCommand,
  ResourceNotFoundException,
  type SchedulerClient,
  UpdateScheduleCommand,
  ValidationException,
} from '@aws-sdk/client-scheduler';
import { startScheduler } from '../../../../infra/local/scheduler/scheduler.ts';
import { schedulerClient } from '../clients.ts';
import { kill, killChildren, startChild, temporaryFolder, until } from '../processes.ts';

const queueArn = 'arn:aws:sqs:us-east-1:000000000000:webhook-delivery';
const silent = { error: () => {} };
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let delivered: { arn: string; body: string; group: string | undefined }[];
let failures: number;
let engine: Awaited<ReturnType<typeof startScheduler>>;
let client: SchedulerClient;

async function start(): Promise<void> {
  engine = await startScheduler({
    databasePath: join(folder.path, 'scheduler.db'),
    logger: silent,
    sendToQueue: async (arn, body, group) => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('The queue is away.');
      }
      delivered.push({ arn, body, group });
    },
  });
  client = schedulerClient(engine.endpoint);
}

async function stop(): Promise<void> {
  client.destroy();
  await engine.stop();
}

beforeEach(async () => {
  folder = await temporaryFolder();
  delivered = [];
  failures = 0;
  await start();
});
afterEach(async () => {
  killChildren();
  await stop();
  await folder.remove();
});

const at = (millisecondsFromNow: number) =>
  `at(${new Date(Date.now() + millisecondsFromNow).toISOString().slice(0, 19)})`;
const hour = 3_600_000;

function schedule(name: string, changes: Partial<CreateScheduleCommandInput> = {}): CreateScheduleCommandInput {
  return {
    Name: name,
    ScheduleExpression: at(hour),
    FlexibleTimeWindow: { Mode: 'OFF' },
    ActionAfterCompletion: 'DELETE',
    Target: {
      Arn: queueArn,
      RoleArn: 'arn:aws:iam::000000000000:role/scheduler',
      Input: `{"name":"${name}"}`,
      SqsParameters: { MessageGroupId: 'webhook-1' },
    },
    ...changes,
  };
}

async function setClock(offsetSeconds: number): Promise<Response> {
  return fetch(`${engine.endpoint}/_control/clock`, {
    method: 'PUT',
    body: JSON.stringify({ offset_seconds: offsetSeconds }),
  });
}

async function names(): Promise<(string | undefined)[]> {
  return (await client.send(new ListSchedulesCommand({}))).Schedules?.map(({ Name }) => Name) ?? [];
}

describe('firing', () => {
  it('sends the input to the queue at the time, and deletes the schedule', async () => {
    await client.send(new CreateScheduleCommand(schedule('soon', { ScheduleExpression: at(1000) })));
    await until('it is delivered', () => delivered.length === 1);
    expect(delivered).toEqual([{ arn: queueArn, body: '{"name":"soon"}', group: 'webhook-1' }]);
    await until('it is deleted', async () => (await names()).length === 0);
  });

  it('keeps a schedule whose action is NONE, and fires it once', async () => {
    await client.send(new CreateScheduleCommand(schedule('kept', { ActionAfterCompletion: 'NONE' })));
    await setClock(3601);
    await until('it is delivered', () => delivered.length === 1);
    await setClock(7200);
    expect(await names()).toEqual(['kept']);
    expect(delivered).toHaveLength(1);
  });

  it('fires when its clock is moved ahead', async () => {
    await client.send(new CreateScheduleCommand(schedule('retry')));
    const early = await setClock(3500);
    expect(await early.json()).toMatchObject({ offset_seconds: 3500 });
    expect(delivered).toEqual([]);
    await setClock(3601);
    await until('it is delivered', () => delivered.length === 1);
  });

  it('retries until the queue has accepted it', async () => {
    failures = 1;
    await client.send(new CreateScheduleCommand(schedule('stubborn', { ScheduleExpression: at(-1000) })));
    await until('it is delivered', () => delivered.length === 1);
    expect(failures).toBe(0);
  });

  it('reads the time in the given time zone', async () => {
    const inParis = new Date(Date.now() + 1000).toLocaleString('sv', { timeZone: 'Europe/Paris' }).replace(' ', 'T');
    await client.send(
      new CreateScheduleCommand(
        schedule('paris', { ScheduleExpression: `at(${inParis})`, ScheduleExpressionTimezone: 'Europe/Paris' }),
      ),
    );
    await until('it is delivered', () => delivered.length === 1);
  });

  it('does not fire a disabled schedule until it is enabled', async () => {
    await client.send(new CreateScheduleCommand(schedule('off', { ScheduleExpression: at(-1000), State: 'DISABLED' })));
    await setClock(60);
    expect(delivered).toEqual([]);
    await client.send(new UpdateScheduleCommand(schedule('off', { ScheduleExpression: at(-1000) })));
    await until('it is delivered', () => delivered.length === 1);
  });
});

describe('persistence', () => {
  it('fires after a restart what was due meanwhile', async () => {
    await client.send(new CreateScheduleCommand(schedule('later', { ScheduleExpression: at(1000) })));
    await stop();
    await start();
    await until('it is delivered', () => delivered.length === 1);
  });

  it('loses no schedule in a kill', async () => {
    const databasePath = join(folder.path, 'killed.db');
    const { child, firstLine } = await startChild(`
      import { startScheduler } from './infra/local/scheduler/scheduler.ts';
      const sendToQueue = async () => {};
      const engine = await startScheduler({ databasePath: ${JSON.stringify(databasePath)}, sendToQueue });
      console.log(engine.endpoint);
    `);
    await schedulerClient(firstLine).send(new CreateScheduleCommand(schedule('survivor')));
    await kill(child, 'SIGKILL');
    const again = await startScheduler({ databasePath, sendToQueue: async () => {} });
    const found = await schedulerClient(again.endpoint).send(new GetScheduleCommand({ Name: 'survivor' }));
    expect(found.Target?.Input).toBe('{"name":"survivor"}');
    await again.stop();
  });
});

describe('protocol', () => {
  it('describes a schedule as it was created', async () => {
    const input = schedule('described', { Description: 'third attempt' });
    const created = await client.send(new CreateScheduleCommand(input));
    expect(created.ScheduleArn).toBe('arn:aws:scheduler:us-east-1:000000000000:schedule/default/described');
    const found = await client.send(new GetScheduleCommand({ Name: 'described' }));
    expect(found).toMatchObject({ ...input, GroupName: 'default', State: 'ENABLED', Arn: created.ScheduleArn });
    expect(found.CreationDate).toBeInstanceOf(Date);
  });

  it('answers a repeated call with the same token, and refuses another with the same name', async () => {
    const input = schedule('unique', { ClientToken: 'token-1' });
    const first = await client.send(new CreateScheduleCommand(input));
    const repeated = await client.send(new CreateScheduleCommand(input));
    expect(repeated.ScheduleArn).toBe(first.ScheduleArn);
    const other = client.send(new CreateScheduleCommand({ ...input, ClientToken: 'token-2' }));
    await expect(other).rejects.toThrow(ConflictException);
  });

  it('does not find deleted and unknown schedules', async () => {
    await client.send(new CreateScheduleCommand(schedule('gone')));
    await client.send(new DeleteScheduleCommand({ Name: 'gone' }));
    await expect(client.send(new GetScheduleCommand({ Name: 'gone' }))).rejects.toThrow(ResourceNotFoundException);
    await expect(client.send(new DeleteScheduleCommand({ Name: 'gone' }))).rejects.toThrow(ResourceNotFoundException);
    await expect(client.send(new UpdateScheduleCommand(schedule('gone')))).rejects.toThrow(ResourceNotFoundException);
  });

  it('lists by prefix, page after page', async () => {
    for (const name of ['a-1', 'b-1', 'b-2', 'b-3']) await client.send(new CreateScheduleCommand(schedule(name)));
    const first = await client.send(new ListSchedulesCommand({ NamePrefix: 'b-', MaxResults: 2 }));
    expect(first.Schedules?.map(({ Name }) => Name)).toEqual(['b-1', 'b-2']);
    const second = await client.send(
      new ListSchedulesCommand({ NamePrefix: 'b-', MaxResults: 2, NextToken: first.NextToken }),
    );
    expect(second.Schedules?.map(({ Name }) => Name)).toEqual(['b-3']);
    expect(second.NextToken).toBeUndefined();
  });

  it.each<[string, Partial<CreateScheduleCommandInput>]>([
    ['a recurring expression', { ScheduleExpression: 'rate(5 minutes)' }],
    ['an impossible name', { Name: 'no spaces' }],
    ['a target that is not a queue', { Target: { Arn: 'arn:aws:lambda:x', RoleArn: 'arn:aws:iam::0:role/x' } }],
  ])('refuses %s', async (_, changes) => {
    await expect(client.send(new CreateScheduleCommand(schedule('bad', changes)))).rejects.toThrow(ValidationException);
  });

  it('refuses an unsigned call, which a web page could send', async () => {
    const answer = await fetch(`${engine.endpoint}/schedules/bad`, {
      method: 'POST',
      body: JSON.stringify(schedule('bad')),
    });
    expect(answer.status).toBe(403);
    expect(await names()).toEqual([]);
  });
});
