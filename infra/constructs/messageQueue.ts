import { Duration, type Stack, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { deadLetterQueueName, isFeedbackQueue, undeliveredQueueName } from '../../shared/platform/config.ts';
import type { QueueDefinition } from '../resources.ts';
import { type Settings, serviceName } from '../settings.ts';

export interface MessageQueueProps {
  readonly definition: QueueDefinition;
  readonly settings: Settings;
}

/** A queue of infra/resources.ts and the queues behind it. */
export class MessageQueue extends Construct {
  readonly definition: QueueDefinition;
  readonly queue: Queue;
  readonly deadLetters: Queue;
  /**
   * For a queue of SES's events: those that SNS could not deliver. Apart from the dead letters, which the worker could
   * not process and a person must look at; the sweep moves these to the queue.
   */
  readonly undelivered: Queue | null;

  constructor(scope: Construct, id: string, { definition, settings }: MessageQueueProps) {
    super(scope, id);
    this.definition = definition;
    const { name } = definition;
    this.deadLetters = this.#queueBehind('DeadLetters', namePrefix(settings) + deadLetterQueueName(name));
    this.undelivered = isFeedbackQueue(name)
      ? this.#queueBehind('Undelivered', namePrefix(settings) + undeliveredQueueName(name))
      : null;
    this.queue = new Queue(this, 'Queue', {
      queueName: namePrefix(settings) + name,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // AWS Lambda Developer Guide, "Using Lambda with Amazon SQS": at least six times the function's timeout.
      visibilityTimeout: Duration.seconds(6 * definition.workerTimeoutSeconds),
      retentionPeriod: Duration.days(7),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: definition.maxReceives },
    });
  }

  #queueBehind(id: string, queueName: string): Queue {
    const queue = new Queue(this, id, {
      queueName,
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    const reason = 'It is behind another queue or a subscription: an alarm reports what arrives.';
    Validations.of(queue).acknowledge(
      ...['Serverless-SQSRedrivePolicy', 'AwsSolutions-SQS3'].map((finding) => ({ id: finding, reason })),
    );
    return queue;
  }
}

const namePrefix = (settings: Settings): string => `${serviceName(settings)}-`;

/** The common start of the URLs and ARNs of all queues; the queue's name follows. */
export interface QueueAddresses {
  readonly urlPrefix: string;
  readonly arnPrefix: string;
}

/** Built from names instead of references, so that functions do not depend on the stack with the queues. */
export const queueAddresses = (
  { region, urlSuffix, account, partition }: Stack,
  settings: Settings,
): QueueAddresses => ({
  urlPrefix: `https://sqs.${region}.${urlSuffix}/${account}/${namePrefix(settings)}`,
  arnPrefix: `arn:${partition}:sqs:${region}:${account}:${namePrefix(settings)}`,
});

export type MessageQueues = ReadonlyMap<string, MessageQueue>;

/** Throws for a queue that is not in infra/resources.ts. */
export function queueNamed(queues: MessageQueues, name: string): MessageQueue {
  const queue = queues.get(name);
  if (!queue) throw new Error(`There is no queue "${name}" in infra/resources.ts.`);
  return queue;
}
