import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  AlreadyExistsException,
  CreateConfigurationSetCommand,
  CreateConfigurationSetEventDestinationCommand,
  type SESv2Client,
  UpdateConfigurationSetEventDestinationCommand,
} from '@aws-sdk/client-sesv2';
import {
  CreateTopicCommand,
  ListSubscriptionsByTopicCommand,
  SetSubscriptionAttributesCommand,
  type SNSClient,
  SubscribeCommand,
} from '@aws-sdk/client-sns';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { SignatureV4 } from '@smithy/signature-v4';
import { feedbackEventTypes, feedbackLanes } from '../../resources.ts';
import { ensureTable } from '../dynamodb/tableResource.ts';
import { ensureQueues, type LocalQueue } from '../messaging/queueResources.ts';

/** Fixed, since it is part of the local engines' ARNs. */
export const region = 'us-east-1';

export interface Clients {
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly sns: SNSClient;
  readonly ses: SESv2Client;
}

export interface LocalResources {
  readonly tableName: string;
  readonly filesBucket: string;
  /** By the key in infra/resources.ts. */
  readonly queues: Readonly<Record<string, LocalQueue>>;
  readonly topicArns: Readonly<Record<string, string>>;
  /** Names of configuration sets, by the functions' variable. */
  readonly configurationSets: Readonly<Record<string, string>>;
}

/**
 * Creates the resources of infra/resources.ts that do not exist yet; idempotent. The table is named `prefix`, queues and
 * topics `<prefix>-<name>`.
 */
export async function createResources(options: { clients: Clients; prefix?: string }): Promise<LocalResources> {
  const { clients, prefix = 'mailroom' } = options;
  const [queues] = await Promise.all([ensureQueues(clients.sqs, prefix), ensureTable(clients.dynamodb, prefix)]);
  const lanes = await Promise.all(feedbackLanes.map((lane) => ensureLane(clients, prefix, lane, queues)));
  return {
    tableName: prefix,
    filesBucket: `${prefix}-files`,
    queues,
    topicArns: Object.fromEntries(lanes.map(({ name, topicArn }) => [name, topicArn])),
    configurationSets: Object.fromEntries(lanes.map(({ variable, set }) => [variable, set])),
  };
}

/** Configuration set, topic and subscription of a lane; the set of the first lane has the name of the table. */
async function ensureLane(
  { sns, ses }: Clients,
  prefix: string,
  { name, queue, variable }: (typeof feedbackLanes)[number],
  queues: Readonly<Record<string, LocalQueue>>,
): Promise<{ name: string; variable: string; set: string; topicArn: string }> {
  const set = name === 'feedback' ? prefix : `${prefix}-${name}`;
  const feedbackQueue = queues[queue];
  if (!feedbackQueue) throw new Error(`infra/resources.ts has no queue named ${queue}.`);
  const [topicArn] = await Promise.all([
    ensureTopic(sns, `${prefix}-${name}`),
    ignoreExisting(() => ses.send(new CreateConfigurationSetCommand({ ConfigurationSetName: set }))),
  ]);
  await Promise.all([subscribe(sns, topicArn, feedbackQueue), ensureEventDestination(ses, set, topicArn)]);
  return { name, variable, set, topicArn };
}

async function ensureTopic(sns: SNSClient, Name: string): Promise<string> {
  const { TopicArn } = await sns.send(new CreateTopicCommand({ Name }));
  if (!TopicArn) throw new Error(`The topic ${Name} has no ARN.`);
  return TopicArn;
}

/** Raw delivery: the message body is the SES event itself, without SNS's envelope. */
async function subscribe(sns: SNSClient, TopicArn: string, { arn: Endpoint, undelivered }: LocalQueue): Promise<void> {
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn: undelivered?.arn });
  // SNS refuses to repeat a subscription with other attributes, as one of an earlier version has.
  const { Subscriptions = [] } = await sns.send(new ListSubscriptionsByTopicCommand({ TopicArn }));
  const existing = Subscriptions.find((subscription) => subscription.Endpoint === Endpoint);
  if (existing) {
    const { SubscriptionArn } = existing;
    const attribute = { AttributeName: 'RedrivePolicy', AttributeValue: RedrivePolicy };
    await sns.send(new SetSubscriptionAttributesCommand({ SubscriptionArn, ...attribute }));
  } else {
    const Attributes = { RawMessageDelivery: 'true', RedrivePolicy };
    await sns.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint, Attributes }));
  }
}

async function ensureEventDestination(ses: SESv2Client, ConfigurationSetName: string, TopicArn: string): Promise<void> {
  const input = {
    ConfigurationSetName,
    EventDestinationName: 'feedback',
    EventDestination: { Enabled: true, MatchingEventTypes: [...feedbackEventTypes], SnsDestination: { TopicArn } },
  };
  const created = await ignoreExisting(() => ses.send(new CreateConfigurationSetEventDestinationCommand(input)));
  if (!created) await ses.send(new UpdateConfigurationSetEventDestinationCommand(input));
}

async function ignoreExisting(create: () => Promise<unknown>): Promise<boolean> {
  try {
    await create();
    return true;
  } catch (error) {
    if (error instanceof AlreadyExistsException) return false;
    throw error;
  }
}

/** Creates the bucket on a user's own engine; an existing one stays. Signed with the credentials of `sqs`. */
export async function ensureBucket(endpoint: string, bucket: string, { config }: SQSClient): Promise<void> {
  const { protocol, hostname, host, pathname } = new URL(`${endpoint.replace(/\/$/, '')}/${bucket}`);
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: config.credentials,
    sha256: config.sha256,
    uriEscapePath: false,
  });
  const request = { method: 'PUT', protocol, hostname, path: pathname, query: {}, headers: { host } };
  const { method, headers } = await signer.sign(request);
  const { ok, status } = await fetch(`${protocol}//${host}${pathname}`, { method, headers });
  // 409: the bucket exists and is ours.
  if (!ok && status !== 409) throw new Error(`The bucket ${bucket} could not be created at ${endpoint}: ${status}.`);
}
