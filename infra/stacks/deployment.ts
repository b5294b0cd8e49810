import type { App } from 'aws-cdk-lib';
import type { BundledFunction } from '../bundle.ts';
import { endpoints, fallback, groupOf } from '../endpoints.ts';
import type { Settings } from '../settings.ts';
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
  const name = `mailroom-${settings.stage}`;
  const env = { region: settings.region };
  const data = new DataStack(app, `${name}-data`, { env });
  const messaging = new MessagingStack(app, `${name}-messaging`, { env, settings });
  const { alarmTopic } = messaging;
  const resources = {
    table: data.table,
    secret: data.secret,
    configurationSet: messaging.configurationSet,
    configurationSetArn: messaging.configurationSetArn,
    queues: messaging.queues,
    schedules: messaging.schedules,
  };
  const surroundings = { settings, resources, bundles };
  const groups = Map.groupBy([...endpoints, fallback], groupOf);
  const handlers = [...groups].flatMap(([group, own]) => [
    ...new EndpointsStack(app, `${name}-${group}`, { env, group, endpoints: own, surroundings }).handlers,
  ]);
  const api = new ApiStack(app, name, { env, settings, handlers: new Map(handlers), resources, alarmTopic });
  const { publicUrl } = api;
  new WorkersStack(app, `${name}-workers`, { env, surroundings: { ...surroundings, publicUrl }, alarmTopic });
}
