import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { QueueDefinition } from '../../resources.ts';

/** A queue of infra/resources.ts and the dead-letter queue behind it. */
export class MessageQueue extends Construct {
  readonly definition: QueueDefinition;
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, definition: QueueDefinition) {
    super(scope, id);
    this.definition = definition;
    this.deadLetters = new Queue(this, 'DeadLetters', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14),
    });
    Validations.of(this.deadLetters).acknowledge({
      id: 'Serverless-SQSRedrivePolicy',
      reason: 'It is the dead-letter queue: an alarm tells of what arrives, and nothing comes after it.',
    });
    this.queue = new Queue(this, 'Queue', {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      // AWS Lambda Developer Guide, "Using Lambda with Amazon SQS": at least six times the function's timeout.
      visibilityTimeout: Duration.seconds(6 * definition.workerTimeoutSeconds),
      retentionPeriod: Duration.days(7),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: definition.maxReceives },
    });
  }
}

export type MessageQueues = ReadonlyMap<string, MessageQueue>;

/** Throws when infra/resources.ts has no such queue. */
export function queueNamed(queues: MessageQueues, name: string): MessageQueue {
  const queue = queues.get(name);
  if (!queue) throw new Error(`There is no queue "${name}" in infra/resources.ts.`);
  return queue;
}
