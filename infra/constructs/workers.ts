import { Duration, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import { SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Construct } from 'constructs';
import { workerEntry } from '../endpoints.ts';
import { concurrencyOf, leadsToItself, type QueueDefinition, type RuleDefinition } from '../resources.ts';
import { settingVariables } from '../settings.ts';
import type { MessageQueue } from './messageQueue.ts';
import { ServiceFunction, type SharedFunctionProps } from './serviceFunction.ts';

export interface SharedWorkerProps extends SharedFunctionProps {
  readonly publicUrl: string;
}

/** The settings that a worker reads, as environment variables: workers have no stage variables. */
function variablesOf({ settings: read = [] }: Pick<QueueDefinition, 'settings'>, shared: SharedWorkerProps) {
  const all = settingVariables(shared.settings, shared.publicUrl);
  return Object.fromEntries(read.map((name) => [name, all[name]]));
}

/** The function that processes a queue. */
export class QueueWorker extends Construct {
  readonly function: ServiceFunction;

  constructor(scope: Construct, id: string, shared: SharedWorkerProps, { definition, queue }: MessageQueue) {
    super(scope, id);
    this.function = new ServiceFunction(this, 'Worker', {
      ...shared,
      name: definition.name,
      description: `Mailroom: reads the queue ${definition.name}`,
      entry: workerEntry(definition.worker),
      needs: definition.needs,
      timeoutSeconds: definition.workerTimeoutSeconds,
      callsItself: leadsToItself(definition.name),
      ...(definition.workerMemoryMegabytes && { memoryMegabytes: definition.workerMemoryMegabytes }),
      variables: variablesOf(definition, shared),
    });
    this.function.handler.addEventSource(
      new SqsEventSource(queue, {
        batchSize: definition.batchSize,
        maxBatchingWindow: Duration.seconds(definition.batchWindowSeconds),
        maxConcurrency: concurrencyOf(definition, shared.settings),
        reportBatchItemFailures: true,
      }),
    );
    Validations.of(this).acknowledge({
      id: 'Serverless-LambdaEventSourceMappingDestination',
      reason: 'Destinations for failures are for streams; a queue has its dead-letter queue.',
    });
  }
}

/** The function that a rule starts at an interval. */
export class RuleWorker extends Construct {
  readonly definition: RuleDefinition;
  readonly function: ServiceFunction;

  constructor(scope: Construct, id: string, shared: SharedWorkerProps, definition: RuleDefinition) {
    super(scope, id);
    this.definition = definition;
    this.function = new ServiceFunction(this, 'Worker', {
      ...shared,
      name: definition.name,
      description: `Mailroom: ${definition.name}, every ${definition.everyMinutes} min`,
      entry: workerEntry(definition.worker),
      needs: definition.needs,
      timeoutSeconds: definition.workerTimeoutSeconds,
      variables: variablesOf(definition, shared),
    });
    // A failed run is not retried: the next run does its work.
    this.function.handler.configureAsyncInvoke({ retryAttempts: 0, maxEventAge: Duration.minutes(1) });
    const rule = new Rule(this, 'Rule', { schedule: Schedule.rate(Duration.minutes(definition.everyMinutes)) });
    rule.addTarget(new LambdaTarget(this.function.handler, { retryAttempts: 0, maxEventAge: Duration.minutes(1) }));
    Validations.of(this).acknowledge({
      id: 'Serverless-EventBusDLQ',
      reason: 'The next run makes up for a missed one; an alarm reports when none comes.',
    });
  }
}
