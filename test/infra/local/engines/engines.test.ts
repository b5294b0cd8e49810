import { CreateScheduleCommand } from '@aws-sdk/client-scheduler';
import { PublishCommand } from '@aws-sdk/client-sns';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { startDynamoDb } from '../../../../infra/local/dynamodb/dynamodb.ts';
import { type Engines, startEngines } from '../../../../infra/local/engines/engines.ts';
import { queues } from '../../../../infra/resources.ts';
import { schedulerClient } from '../clients.ts';
import { killChildren, processesWith, startChild, temporaryFolder, until } from '../processes.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const start = (env = {}) => startEngines({ dataDir: folder.path, env });

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  killChildren();
  await folder.remove();
});

/** The first message. A poll must end well before the client's time-out of five seconds. */
async function receiveFeedback({ clients, environment }: Engines): Promise<string | undefined> {
  const poll = new ReceiveMessageCommand({ QueueUrl: `${environment.QUEUE_URL_PREFIX}feedback`, WaitTimeSeconds: 2 });
  let body: string | undefined;
  await until('a message has come', async () => {
    body = (await clients.sqs.send(poll)).Messages?.[0]?.Body;
    return body !== undefined;
  });
  return body;
}

describe('startEngines', () => {
  it('gives the handlers every variable that they read, and leaves no process running', async () => {
    const engines = await start();
    expect(engines.environment).toMatchObject({
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      TABLE_NAME: 'mailroom',
      CONFIGURATION_SET: 'mailroom',
      SCHEDULER_ROLE_ARN: expect.stringMatching(/^arn:aws:iam::\d{12}:role\//),
    });
    for (const { name } of Object.values(queues)) {
      const url = `${engines.endpoints.SQS}/000000000000/mailroom-${name}`;
      expect(`${engines.environment.QUEUE_URL_PREFIX}${name}`).toBe(url);
      const arn = `arn:aws:sqs:us-east-1:000000000000:mailroom-${name}`;
      expect(`${engines.environment.QUEUE_ARN_PREFIX}${name}`).toBe(arn);
    }
    for (const [service, endpoint] of Object.entries(engines.endpoints)) {
      expect(engines.environment[`AWS_ENDPOINT_URL_${service}`]).toBe(endpoint);
      expect(endpoint).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    }
    expect(engines.inboxUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\//);
    await engines.stop();
    expect(await processesWith(folder.path)).toEqual([]);
  });

  it('delivers an event of the topic and the input of a schedule to the queue, also after a second start', async () => {
    await (await start()).stop();
    const engines = await start();
    const TopicArn = engines.resources.topicArns.feedback;
    await engines.clients.sns.send(new PublishCommand({ TopicArn, Message: '{"eventType":"Delivery"}' }));
    expect(await receiveFeedback(engines)).toBe('{"eventType":"Delivery"}');
    await schedulerClient(engines.endpoints.SCHEDULER).send(
      new CreateScheduleCommand({
        Name: 'now',
        ScheduleExpression: 'at(2026-01-01T00:00:00)',
        FlexibleTimeWindow: { Mode: 'OFF' },
        Target: {
          Arn: `${engines.environment.QUEUE_ARN_PREFIX}feedback`,
          RoleArn: engines.environment.SCHEDULER_ROLE_ARN,
          Input: '{"scheduled":true}',
        },
      }),
    );
    expect(await receiveFeedback(engines)).toBe('{"scheduled":true}');
    await engines.stop();
  });

  it('uses a given endpoint instead of a local engine', async () => {
    const own = await temporaryFolder();
    const dynamodb = await startDynamoDb({ dataDir: own.path });
    const engines = await start({ AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint });
    expect(engines.endpoints.DYNAMODB).toBe(dynamodb.endpoint);
    expect((await processesWith(folder.path)).length).toBe(0);
    await engines.stop();
    await dynamodb.stop();
    await own.remove();
  });

  it('needs the endpoints of both SQS and SNS, or of neither', async () => {
    await expect(start({ AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:9' })).rejects.toThrow(/AWS_ENDPOINT_URL_SNS/);
  });

  it('refuses a folder that is in use, and accepts it after a kill', async () => {
    const { child } = await startChild(`
      import { startEngines } from './infra/local/engines/engines.ts';
      await startEngines({ dataDir: ${JSON.stringify(folder.path)}, env: {} });
      console.log('started');
    `);
    await expect(start()).rejects.toThrow(/Another Mailroom is using/);
    expect(child.exitCode).toBeNull();
    child.kill('SIGKILL');
    await until('it has ended', () => child.signalCode !== null);
    const engines = await start();
    await engines.stop();
    await until('no process is left', async () => (await processesWith(folder.path)).length === 0);
  });

  it('stops what it has started when another engine cannot start', async () => {
    const failing = startEngines({
      dataDir: folder.path,
      env: {},
      startSes: async () => {
        throw new Error('no SES today');
      },
    });
    await expect(failing).rejects.toThrow('no SES today');
    expect(await processesWith(folder.path)).toEqual([]);
    await (await start()).stop();
  });
});
