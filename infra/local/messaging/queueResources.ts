import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  SetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { deadLetterQueueName, isFeedbackQueue, undeliveredQueueName } from '../../../shared/platform/config.ts';
import { type QueueDefinition, queues } from '../../resources.ts';

/** SQS's longest retention, for messages that a person must look at. */
const fourteenDaysSeconds = '1209600';

interface QueueAddress {
  readonly url: string;
  readonly arn: string;
}

export interface LocalQueue extends QueueAddress {
  readonly definition: QueueDefinition;
  readonly deadLetter: QueueAddress;
  /** Of a queue of SES's events. */
  readonly undelivered?: QueueAddress;
}

/** Creates every queue of infra/resources.ts with the queues behind it; answers them by their key. */
export async function ensureQueues(sqs: SQSClient, prefix: string): Promise<Record<string, LocalQueue>> {
  const definitions: readonly [string, QueueDefinition][] = Object.entries(queues);
  const entries = definitions.map(async ([key, definition]) => {
    const name = `${prefix}-${definition.name}`;
    const behind = { MessageRetentionPeriod: fourteenDaysSeconds };
    const deadLetter = await ensureQueue(sqs, deadLetterQueueName(name), behind);
    const undelivered = isFeedbackQueue(definition.name)
      ? await ensureQueue(sqs, `${prefix}-${undeliveredQueueName(definition.name)}`, behind)
      : null;
    const address = await ensureQueue(sqs, name, {
      VisibilityTimeout: String(definition.workerTimeoutSeconds * 6),
      RedrivePolicy: JSON.stringify({
        deadLetterTargetArn: deadLetter.arn,
        maxReceiveCount: definition.maxReceives,
      }),
    });
    return [key, { definition, deadLetter, ...(undelivered && { undelivered }), ...address }] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function ensureQueue(
  sqs: SQSClient,
  QueueName: string,
  Attributes: Record<string, string>,
): Promise<QueueAddress> {
  const url = await createOrUpdateQueue(sqs, QueueName, Attributes);
  const answer = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }));
  const arn = answer.Attributes?.QueueArn;
  if (!url || !arn) throw new Error(`The queue ${QueueName} has no address.`);
  return { url, arn };
}

async function createOrUpdateQueue(sqs: SQSClient, QueueName: string, Attributes: Record<string, string>) {
  try {
    return (await sqs.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl;
  } catch (error) {
    // It exists with attributes of an earlier version. Engines differ in the prefix of the error's name.
    if (!(error instanceof Error && /Queue(NameExists|AlreadyExists)$/.test(error.name))) throw error;
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes }));
    return QueueUrl;
  }
}
