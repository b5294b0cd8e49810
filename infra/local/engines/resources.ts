import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  AlreadyExistsException,
  CreateConfigurationSetCommand,
  CreateConfigurationSetEventDestinationCommand,
  type SESv2Client,
  UpdateConfigurationSetEventDestinationCommand,
} from '@aws-sdk/client-sesv2';
import { CreateTopicCommand, type SNSClient, SubscribeCommand } from '@aws-sdk/client-sns';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { feedbackEventTypes } from '../../resources.ts';
import { ensureQueues, type LocalQueue } from '../messaging/queueResources.ts';
import { ensureTable } from './tableResource.ts';

export interface Clients {
  readonly dynamodb: DynamoDBClient;
  readonly sqs: SQSClient;
  readonly sns: SNSClient;
  readonly ses: SESv2Client;
}

export interface LocalResources {
  readonly tableName: string;
  /** By the key in infra/resources.ts. */
  readonly queues: Readonly<Record<string, LocalQueue>>;
  readonly feedbackTopicArn: string;
  readonly configurationSet: string;
}

/**
 * Creates what infra/resources.ts declares and is not there yet; safe to call at every start. The table is called
 * `prefix`, queues and topics `<prefix>-<name>`.
 */
export async function createResources(options: { clients: Clients; prefix?: string }): Promise<LocalResources> {
  const { clients, prefix = 'mailroom' } = options;
  const [queues, feedbackTopicArn] = await Promise.all([
    ensureQueues(clients.sqs, prefix),
    ensureTopic(clients.sns, `${prefix}-feedback`),
    ensureTable(clients.dynamodb, prefix),
    ignoreExisting(() => clients.ses.send(new CreateConfigurationSetCommand({ ConfigurationSetName: prefix }))),
  ]);
  const feedbackQueue = queues.feedback;
  if (!feedbackQueue) throw new Error('infra/resources.ts has no queue named feedback.');
  await Promise.all([
    subscribe(clients.sns, feedbackTopicArn, feedbackQueue.arn),
    ensureEventDestination(clients.ses, prefix, feedbackTopicArn),
  ]);
  return { tableName: prefix, queues, feedbackTopicArn, configurationSet: prefix };
}

async function ensureTopic(sns: SNSClient, Name: string): Promise<string> {
  const { TopicArn } = await sns.send(new CreateTopicCommand({ Name }));
  if (!TopicArn) throw new Error(`The topic ${Name} has no ARN.`);
  return TopicArn;
}

/** Raw delivery: the message body is the SES event itself, without an SNS envelope that nobody reads. */
async function subscribe(sns: SNSClient, TopicArn: string, queueArn: string): Promise<void> {
  const Attributes = { RawMessageDelivery: 'true' };
  await sns.send(new SubscribeCommand({ TopicArn, Protocol: 'sqs', Endpoint: queueArn, Attributes }));
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
