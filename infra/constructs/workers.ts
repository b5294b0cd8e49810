import { Duration, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { workerEntry } from '../endpoints.ts';
import type { QueueDefinition, RuleDefinition } from '../resources.ts';
import { handedOver } from '../settings.ts';
import type { MessageQueue } from './queues/messageQueue.ts';
import { type FunctionSurroundings, ServiceFunction } from './serviceFunction.ts';

export interface WorkerSurroundings extends FunctionSurroundings {
  readonly publicUrl: string;
}

/** Those settings that a worker reads are its own variables: no call brings them. */
function variablesOf({ settings: read = [] }: Pick<QueueDefinition, 'settings'>, surroundings: WorkerSurroundings) {
  const all = handedOver(surroundings.settings, surroundings.publicUrl);
  return Object.fromEntries(read.map((name) => [name, all[name]]));
}

/** The function that reads a queue. */
export class QueueWorker extends Construct {
  readonly function: ServiceFunction;

  constructor(scope: Construct, id: string, surroundings: WorkerSurroundings, { definition, queue }: MessageQueue) {
    super(scope, id);
    this.function = new ServiceFunction(this, 'Worker', {
      ...surroundings,
      name: definition.name,
      description: `Mailroom: reads the queue ${definition.name}`,
      entry: workerEntry(definition.worker),
      needs: definition.needs,
      timeoutSeconds: definition.workerTimeoutSeconds,
      ...(definition.workerMemoryMegabytes && { memoryMegabytes: definition.workerMemoryMegabytes }),
      variables: variablesOf(definition, surroundings),
    });
    this.function.handler.addEventSource(
      new SqsEventSource(queue, {
        batchSize: definition.batchSize,
        maxBatchingWindow: Duration.seconds(definition.batchWindowSeconds),
        maxConcurrency: definition.maxConcurrency,
        reportBatchItemFailures: true,
      }),
    );
    Validations.of(this).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason: 'SQS has no destination for failures (it is for streams): the queue has its dead-letter queue.',
    });
  }
}

/** The function that a rule starts every so many minutes. */
export class RuleWorker extends Construct {
  readonly definition: RuleDefinition;
  readonly function: ServiceFunction;

  constructor(scope: Construct, id: string, surroundings: WorkerSurroundings, definition: RuleDefinition) {
    super(scope, id);
    this.definition = definition;
    this.function = new ServiceFunction(this, 'Worker', {
      ...surroundings,
      name: definition.name,
      description: `Mailroom: ${definition.name}, every ${definition.everyMinutes} min`,
      entry: workerEntry(definition.worker),
      needs: definition.needs,
      timeoutSeconds: definition.workerTimeoutSeconds,
      variables: variablesOf(definition, surroundings),
    });
    // What a run did not do the next one does, so none is kept or repeated.
    this.function.handler.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    const rule = new Rule(this, 'Rule', { schedule: Schedule.rate(Duration.minutes(definition.everyMinutes)) });
    rule.addTarget(new LambdaTarget(this.function.handler, { retryAttempts: 0, maxEventAge: Duration.minutes(1) }));
    Validations.of(this).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'A run that was missed is made up for by the next; an alarm tells when none comes.',
    });
  }
}
