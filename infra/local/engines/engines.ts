import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SESv2Client } from '@aws-sdk/client-sesv2';
import { SNSClient } from '@aws-sdk/client-sns';
import { GetQueueUrlCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { connection } from '../../../shared/platform/aws/clients.ts';
import { nowMilliseconds } from '../../../shared/platform/clock.ts';
import { answerClock, type ClockCall, type ClockReply } from '../clock/clockRoute.ts';
import type { ClockedPart } from '../clock/due.ts';
import { expiryPart } from '../clock/expiryPart.ts';
import { aheadMilliseconds, followFolderClock } from '../clock/sharedClock.ts';
import { startDynamoDb } from '../dynamodb/dynamodb.ts';
import { expireItems, sweepExpired } from '../dynamodb/expiry.ts';
import type { Engine } from '../engine/engine.ts';
import { startInThread } from '../engine/engineThread.ts';
import { secretFiles } from '../files.ts';
import { lockFolder, requireWholeFolder } from '../folder.ts';
import type { LocalFilesOptions } from '../s3/server.ts';
import { startScheduler } from '../scheduler/scheduler.ts';
import type { LocalSesThreadOptions } from '../ses/thread.ts';
import {
  credentialVariables,
  type Environment,
  engineVariables,
  givenEndpoint,
  handlerVariables,
  type Service,
  services,
} from './engineEnvironment.ts';
import { type Clients, createResources, ensureBucket, type LocalResources, region } from './resources.ts';

/** Starts the local SES; its events go to the topics at `snsEndpoint`. */
type StartSes = (
  options: LocalSesThreadOptions,
  answerClock?: EnginesOptions['answerClock'],
) => Promise<Engine & { readonly inboxUrl: string }>;

const startSesInThread: StartSes = (options, clock = (call) => answerClock(null, call)) =>
  startInThread('mailroom-ses', new URL('../ses/thread.ts', import.meta.url), options, { clock });

const startFilesInThread = ({ dataDir, credentials: { accessKeyId, secretAccessKey } }: LocalFilesOptions) =>
  startInThread<Engine>('mailroom-files', new URL('../s3/thread.ts', import.meta.url), {
    dataDir,
    credentials: { accessKeyId, secretAccessKey },
  });

export interface EnginesOptions {
  /** The folder of all state, locked for this process. */
  readonly dataDir: string;
  /** With `AWS_ENDPOINT_URL`, `AWS_ENDPOINT_URL_<SERVICE>` and credentials; usually `process.env`. */
  readonly env: Environment;
  /** Part of links in tracked messages: a fixed port keeps links of old messages working. 0 or none: a free one. */
  readonly sesPort?: number;
  readonly startSes?: StartSes;
  /** Whether the clock is to be moved: then every engine must be a local one. */
  readonly isClockMoved?: boolean;
  /** Answers calls of `/clock` beside the inbox. */
  readonly answerClock?: (call: ClockCall) => Promise<ClockReply>;
  /** Called when an engine has ended and cannot be restarted. */
  readonly onLost?: (error: Error) => void;
  readonly logger?: Pick<Console, 'error'>;
}

export interface Engines {
  /** Variables for the handlers, to be set before a handler is imported. */
  readonly environment: Readonly<Record<string, string>>;
  readonly endpoints: Readonly<Record<Service, string>>;
  readonly resources: LocalResources;
  readonly clients: Clients;
  /** The inbox of the local SES; undefined with the user's own SES. */
  readonly inboxUrl: string | undefined;
  /** What the local engines do by themselves, for the clock; the queues apart, which need their consumers beside them. */
  readonly clocked: { readonly messaging: ClockedPart | undefined; readonly others: readonly ClockedPart[] };
  stop(): Promise<void>;
}

/**
 * Starts a local engine for each AWS service without an endpoint of the user's, and creates the resources of the CDK app.
 * Stop consumers and rules before the engines. When one cannot start, the others are stopped again.
 */
export async function startEngines(options: EnginesOptions): Promise<Engines> {
  const running = new AsyncDisposableStack();
  try {
    running.defer(lockFolder(options.dataDir));
    running.defer(followFolderClock(options.dataDir));
    requireOwnEngines(options);
    requireWholeFolder(options.dataDir, (service) => givenEndpoint(options.env, service) === undefined);
    // Checked before the table is created: a folder with a table but no secret has lost its secret.
    secretFiles(options.dataDir);
    return await startAll(options, running);
  } catch (error) {
    await running.disposeAsync();
    throw error;
  }
}

/** An engine of the user's goes by the machine's time, and would do at once what is due in days. */
function requireOwnEngines({ env, dataDir, isClockMoved = false }: EnginesOptions): void {
  const given = services.find((service) => givenEndpoint(env, service) !== undefined);
  if (!given || (!isClockMoved && aheadMilliseconds() === 0)) return;
  const remedy = `remove AWS_ENDPOINT_URL and AWS_ENDPOINT_URL_${given}`;
  throw new Error(
    isClockMoved
      ? `The clock moves local engines only: ${remedy}, or start without --clock.`
      : `The clock of ${dataDir} is ahead, and an engine of your own does not follow it: ${remedy}, or choose another folder.`,
  );
}

async function startAll(options: EnginesOptions, running: AsyncDisposableStack): Promise<Engines> {
  const { dataDir, env, logger = console, startSes = startSesInThread, sesPort: port = 0 } = options;
  const credentials = clientCredentials(env);
  const clientDefaults = { region, ...(credentials && { credentials }) };
  const messaging = await messagingEndpoints(options, running);
  const sqs = new SQSClient({
    ...clientDefaults,
    ...connection(),
    endpoint: messaging.SQS,
  });
  const sns = new SNSClient({ ...clientDefaults, ...connection(), endpoint: messaging.SNS });
  running.defer(() => destroy(sqs, sns));
  let inboxUrl: string | undefined;
  const others: ClockedPart[] = [];

  const startLocal = async <Started extends Engine>(service: Service, start: () => Promise<Started>) => {
    const given = givenEndpoint(env, service);
    if (given) return given;
    const engine = await start();
    running.defer(() => engine.stop());
    if (engine.clocked) others.push(engine.clocked);
    if ('inboxUrl' in engine) inboxUrl = String(engine.inboxUrl);
    return engine.endpoint;
  };
  const [DYNAMODB, SESV2, SCHEDULER, S3] = await allSettledOrThrow([
    startLocal('DYNAMODB', () => startDynamoDb({ dataDir, logger, onLost: options.onLost })),
    startLocal('SESV2', () =>
      startSes(
        { databasePath: join(dataDir, 'ses.db'), port, snsEndpoint: messaging.SNS, region, credentials },
        options.answerClock,
      ),
    ),
    startLocal('SCHEDULER', () =>
      startScheduler({ databasePath: join(dataDir, 'scheduler.db'), sendToQueue: queueSender(sqs), logger }),
    ),
    startLocal('S3', async () => startFilesInThread({ dataDir, credentials: await sqs.config.credentials() })),
  ]);
  const endpoints = { SQS: messaging.SQS, SNS: messaging.SNS, DYNAMODB, SESV2, SCHEDULER, S3 };
  const clients: Clients = {
    sqs,
    sns,
    dynamodb: new DynamoDBClient({ ...clientDefaults, ...connection(), endpoint: DYNAMODB }),
    ses: new SESv2Client({ ...clientDefaults, ...connection(), endpoint: SESV2 }),
  };
  running.defer(() => destroy(clients.dynamodb, clients.ses));
  const resources = await createResources({ clients });
  if (givenEndpoint(env, 'S3')) await ensureBucket(S3, resources.filesBucket, sqs);
  if (!givenEndpoint(env, 'DYNAMODB')) {
    const table = { dynamodb: clients.dynamodb, tableName: resources.tableName, logger };
    const expiry = expireItems(table);
    running.defer(() => expiry.stop());
    others.push(expiryPart(() => sweepExpired({ ...table, isHurried: true }), nowMilliseconds));
  }
  return {
    environment: {
      ...credentialVariables(env),
      ...engineVariables(env),
      ...handlerVariables(endpoints, resources),
    },
    endpoints,
    resources,
    clients,
    inboxUrl,
    clocked: { messaging: messaging.clocked, others },
    stop: () => running.disposeAsync(),
  };
}

/** SQS and SNS are one engine: a topic delivers only to queues of the same engine. */
async function messagingEndpoints({ dataDir, env }: EnginesOptions, running: AsyncDisposableStack) {
  const [SQS, SNS] = [givenEndpoint(env, 'SQS'), givenEndpoint(env, 'SNS')];
  if (SQS && SNS) return { SQS, SNS, clocked: undefined };
  if (SQS || SNS) throw new Error('Give AWS_ENDPOINT_URL_SQS and AWS_ENDPOINT_URL_SNS together, or neither.');
  const file = new URL('../messaging/messagingThread.ts', import.meta.url);
  const engine = await startInThread<Engine>('mailroom-queues', file, { dataDir });
  running.defer(() => engine.stop());
  return { SQS: engine.endpoint, SNS: engine.endpoint, clocked: engine.clocked };
}

/** Like Promise.all, but waits for all before it throws, so that everything started can be stopped. */
async function allSettledOrThrow<Values extends readonly unknown[]>(
  promises: {
    [Index in keyof Values]: Promise<Values[Index]>;
  },
): Promise<Values> {
  await Promise.allSettled(promises);
  return (await Promise.all(promises)) as unknown as Values;
}

function destroy(...clients: readonly { destroy(): void }[]): void {
  for (const client of clients) client.destroy();
}

function clientCredentials(env: Environment) {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = credentialVariables(env);
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
}

function queueSender(sqs: SQSClient) {
  const urls = new Map<string, string>();
  return async (queueArn: string, MessageBody: string, MessageGroupId?: string): Promise<void> => {
    const QueueName = queueArn.split(':').at(-1) ?? '';
    const QueueUrl = urls.get(queueArn) ?? (await sqs.send(new GetQueueUrlCommand({ QueueName }))).QueueUrl ?? '';
    urls.set(queueArn, QueueUrl);
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, ...(MessageGroupId && { MessageGroupId }) }));
  };
}
