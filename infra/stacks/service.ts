import { CfnOutput, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { methodsOf } from '../../shared/contract/methods.ts';
import type { Needs } from '../../shared/contract/route.ts';
import type { BundledFunction } from '../bundle.ts';
import { Alarms } from '../constructs/alarms.ts';
import { Api } from '../constructs/api.ts';
import { constructId } from '../constructs/constructId.ts';
import { Feedback, topicKey } from '../constructs/feedback.ts';
import { MessageQueue, type MessageQueues, queueNamed } from '../constructs/messageQueue.ts';
import { grantPipeline, type Resources } from '../constructs/needs.ts';
import { Schedules } from '../constructs/schedules.ts';
import { type FunctionSurroundings, ServiceFunction } from '../constructs/serviceFunction.ts';
import { QueueWorker, RuleWorker } from '../constructs/workers.ts';
import { type Endpoint, endpoints, fallback } from '../endpoints.ts';
import { queues, rules } from '../resources.ts';
import type { Settings } from '../settings.ts';
import type { DataStack } from './data.ts';

export interface ServiceStackProps extends StackProps {
  readonly settings: Settings;
  readonly bundles: ReadonlyMap<string, BundledFunction>;
  readonly data: DataStack;
}

/** API Gateway's own limit for a call. */
const longestCallSeconds = 29;

/** What can be deployed anew, or deleted, without losing anything that was sent or agreed to. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { settings, bundles, data, ...props }: ServiceStackProps) {
    super(scope, id, { ...props, description: 'Mailroom: API, workers, queues and alarms' });
    const key = topicKey(this);
    const messageQueues = addQueues(this);
    const { configurationSet, configurationSetArn } = new Feedback(this, 'Feedback', {
      queue: queueNamed(messageQueues, 'feedback'),
      key,
      trackingDomain: settings.trackingDomain,
    });
    const api = new Api(this, 'Api', settings);
    const resources: Resources = {
      table: data.table,
      secret: data.secret,
      configurationSet,
      configurationSetArn,
      queues: messageQueues,
      schedules: new Schedules(this, 'Schedules', scheduledQueues(messageQueues)),
    };
    const surroundings = { settings, bundles, resources, publicUrl: api.publicUrl };
    for (const endpoint of endpoints) {
      api.add(methodsOf(endpoint), endpoint.path, addFunction(this, surroundings, endpoint));
    }
    api.addFallback(addFunction(this, surroundings, fallback));
    const alarms = new Alarms(this, 'Alarms', { key, email: settings.alarmEmail });
    addWorkers(this, surroundings, alarms);
    alarms.watchApi(api.rest);
    alarms.watchReputation();
    addOutputs(this, resources, api);
    acknowledgeFindings(this);
  }
}

function addQueues(scope: Construct): MessageQueues {
  return new Map(
    Object.entries(queues).map(([name, queue]) => [name, new MessageQueue(scope, `${constructId(name)}Queue`, queue)]),
  );
}

/** Queues that some function may schedule a message for. */
function scheduledQueues(messageQueues: MessageQueues): IQueue[] {
  const needs = [...endpoints, ...Object.values(queues), ...Object.values(rules)].map(({ needs }): Needs => needs);
  const names = needs.filter(({ scheduler }) => scheduler).flatMap(({ queues: names = [] }) => names);
  return [...new Set(names)].map((name) => queueNamed(messageQueues, name).queue);
}

function addFunction(scope: Construct, surroundings: FunctionSurroundings, endpoint: Endpoint) {
  const { memoryMegabytes, timeoutSeconds = longestCallSeconds, entry } = endpoint.function;
  const { handler, role } = new ServiceFunction(scope, constructId(endpoint.id), {
    ...surroundings,
    description: `Mailroom: ${endpoint.method} ${endpoint.path}`,
    entry,
    needs: endpoint.needs,
    timeoutSeconds,
    ...(memoryMegabytes && { memoryMegabytes }),
  });
  if (endpoint.kind === 'route') grantPipeline(role, surroundings.resources);
  return handler;
}

function addWorkers(scope: Construct, surroundings: FunctionSurroundings, alarms: Alarms): void {
  for (const [name, messageQueue] of surroundings.resources.queues) {
    const worker = new QueueWorker(scope, `${constructId(name)}Worker`, surroundings, messageQueue);
    alarms.watchQueue(messageQueue);
    alarms.watchWorker(constructId(name), worker.function);
  }
  for (const rule of Object.values(rules)) {
    const worker = new RuleWorker(scope, `${constructId(rule.name)}Rule`, surroundings, rule);
    alarms.watchRule(worker);
    alarms.watchWorker(constructId(rule.name), worker.function);
  }
}

/** The operator's command line reads these (functions/cli/connect/stack.ts). */
function addOutputs(scope: Construct, resources: Resources, api: Api): void {
  const outputs: Record<string, string> = {
    PublicUrl: api.publicUrl,
    TableName: resources.table.tableName,
    ConfigurationSet: resources.configurationSet.configurationSetName,
    SecretId: resources.secret.secretArn,
  };
  for (const [name, { queue }] of resources.queues) outputs[`${constructId(name)}QueueUrl`] = queue.queueUrl;
  for (const [name, value] of Object.entries(outputs)) new CfnOutput(scope, name, { value });
}

function acknowledgeFindings(stack: Stack): void {
  const findings = {
    'Serverless-LambdaTracing': 'Requests are followed by their id in the logs; traces would cost per call.',
    'Serverless-LambdaDLQ':
      'API Gateway and SQS wait for the answer, so a failed call is seen or received again; what a rule starts is made ' +
      'up for by its next run.',
    'Serverless-LambdaAsyncFailureDestination':
      'As for Serverless-LambdaDLQ: nothing that must not be lost is asynchronous.',
  };
  Validations.of(stack).acknowledge(...Object.entries(findings).map(([id, reason]) => ({ id, reason })));
}
