import { Annotations, type App } from 'aws-cdk-lib';
import { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { BundledFunction } from '../bundle.ts';
import { consoleEndpoints } from '../consoleEndpoints.ts';
import type { Endpoint } from '../endpoint.ts';
import { endpoints, fallback, groupOf } from '../endpoints.ts';
import { checkMemory } from '../memory.ts';
import { type Settings, serviceName, settingsFile } from '../settings.ts';
import { ApiStack } from './api.ts';
import { DataStack } from './data.ts';
import { EndpointsStack } from './endpoints.ts';
import { MessagingStack } from './messaging.ts';
import { WorkersStack } from './workers.ts';

/**
 * All stacks of one deployment, each in need of those before it only: what is kept, what holds messages, the functions
 * group by group, the API over them, the workers (which make links, and so must know where the API is).
 */
export function addDeployment(app: App, settings: Settings, bundles: ReadonlyMap<string, BundledFunction>): void {
  checkMemory(settings);
  const name = serviceName(settings);
  const env = { region: settings.region };
  const data = new DataStack(app, `${name}-data`, { env, settings });
  const messaging = new MessagingStack(app, `${name}-messaging`, { env, settings });
  const { alarmTopic } = messaging;
  const resources = {
    table: settings.tableName ? TableV2.fromTableName(data, 'TakenTable', settings.tableName) : data.table,
    files: data.files,
    secret: data.secret,
    feedback: messaging.feedback,
    queues: messaging.queues,
    schedules: messaging.schedules,
    users: data.users,
    providerSecretArn: settings.console.provider?.clientSecretArn ?? null,
  };
  const surroundings = { settings, resources, bundles };
  const served = [...endpoints, ...(settings.console.deployed ? consoleEndpoints : []), fallback];
  const groups = Map.groupBy(served.filter(hasFunction), groupOf);
  const own = [...groups].flatMap(([group, endpoints]) => [
    ...new EndpointsStack(app, `${name}-${group}`, { env, group, endpoints, surroundings }).handlers,
  ]);
  const handlers = new Map(served.map((endpoint) => [endpoint, handlerOf(endpoint, own)]));
  const api = new ApiStack(app, name, { env, settings, handlers, resources, alarmTopic });
  for (const [id, text] of adviceOn(settings)) Annotations.of(api).addWarningV2(`mailroom:${id}`, text);
  const { publicUrl } = api;
  new WorkersStack(app, `${name}-workers`, { env, surroundings: { ...surroundings, publicUrl }, alarmTopic });
}

const hasFunction = ({ servedBy }: Endpoint): boolean => servedBy === undefined;

function handlerOf({ id, servedBy = id }: Endpoint, own: readonly (readonly [Endpoint, IFunction])[]): IFunction {
  const handler = own.find(([endpoint]) => endpoint.id === servedBy)?.[1];
  if (!handler) throw new Error(`${id} has no function.`);
  return handler;
}

/** What an operator may not have meant, told at each synthesis. */
function* adviceOn({ alarmEmail, domains }: Settings): Generator<[id: string, text: string]> {
  if (!alarmEmail) yield ['alarmEmail', `Nobody is told of alarms: ${settingsFile} has no alarmEmail.`];
  if (domains.length > 0) return;
  const text =
    'Links in mail lead to API Gateway’s own address, and are dead once the API is deleted: give it a domain in ' +
    `${settingsFile} before the first real mail.`;
  yield ['domains', text];
}
