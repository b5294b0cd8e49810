import { Annotations, type App } from 'aws-cdk-lib';
import { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { BundledFunction } from '../bundle.ts';
import { queueAddresses } from '../constructs/messageQueue.ts';
import type { Endpoint } from '../endpoints.ts';
import { checkMemory, consoleEndpoints, endpoints, fallback, groupOf } from '../endpoints.ts';
import { type Settings, serviceName, settingsFile } from '../settings.ts';
import { version } from '../version.ts';
import { ApiStack } from './api.ts';
import { DataStack } from './data.ts';
import { EndpointsStack } from './endpoints.ts';
import { MessagingStack } from './messaging.ts';
import { WorkersStack } from './workers.ts';

/**
 * Adds all stacks of a deployment, each after those it depends on: data, queues, functions by group, the API, and the
 * workers, which create links and therefore need the API's address. `contract`: the endpoints besides the console's.
 */
export function addDeployment(
  app: App,
  settings: Settings,
  bundles: ReadonlyMap<string, BundledFunction>,
  contract: readonly Endpoint[] = endpoints,
): void {
  checkMemory(settings);
  const name = serviceName(settings);
  const env = { region: settings.region };
  // Of the stack: CloudFormation gives them to every resource that can have tags, and no template changes by a version.
  const tags = { project: 'mailroom', stage: settings.stage, version };
  const data = new DataStack(app, `${name}-data`, { env, tags, settings });
  const messaging = new MessagingStack(app, `${name}-messaging`, { env, tags, settings });
  const { alarmTopics } = messaging;
  const resources = {
    table: settings.tableName ? TableV2.fromTableName(data, 'TakenTable', settings.tableName) : data.table,
    files: data.files,
    secret: data.secret,
    consoleSecret: data.consoleSecret,
    feedback: messaging.feedback,
    queues: messaging.queues,
    queueAddresses: queueAddresses(data, settings),
    schedules: messaging.schedules,
    users: data.users,
    providerSecretArn: settings.console.provider?.clientSecretArn ?? null,
  };
  const shared = { settings, resources, bundles };
  const served = [...contract, ...(settings.console.deployed ? consoleEndpoints : []), fallback];
  const groups = Map.groupBy(served.filter(hasFunction), groupOf);
  const own = [...groups].flatMap(([group, endpoints]) => [
    ...new EndpointsStack(app, `${name}-${group}`, { env, tags, group, endpoints, shared }).handlers,
  ]);
  const handlers = new Map(served.map((endpoint) => [endpoint, handlerOf(endpoint, own)]));
  const api = new ApiStack(app, name, { env, tags, settings, handlers, resources, alarmTopics });
  for (const [id, text] of warningsOn(settings)) Annotations.of(api).addWarningV2(`mailroom:${id}`, text);
  const { publicUrl } = api;
  new WorkersStack(app, `${name}-workers`, { env, tags, shared: { ...shared, publicUrl }, alarmTopics });
}

const hasFunction = ({ servedBy }: Endpoint): boolean => servedBy === undefined;

function handlerOf({ id, servedBy = id }: Endpoint, own: readonly (readonly [Endpoint, IFunction])[]): IFunction {
  const handler = own.find(([endpoint]) => endpoint.id === servedBy)?.[1];
  if (!handler) throw new Error(`${id} has no function.`);
  return handler;
}

/** Warnings about settings that an operator may not have intended. */
function* warningsOn({
  alarmEmail,
  alarmEndpoint,
  alarmTopicArn,
  domains,
}: Settings): Generator<[id: string, text: string]> {
  if (!alarmEmail && !alarmEndpoint && !alarmTopicArn)
    yield ['alarmEmail', `Alarms notify no one: ${settingsFile} has no alarmEmail, alarmEndpoint or alarmTopicArn.`];
  if (domains.length > 0) return;
  const text =
    'Links in mail use API Gateway’s own address, and stop working for good when the API is deleted: set a domain in ' +
    `${settingsFile} before the first real mail.`;
  yield ['domains', text];
}
