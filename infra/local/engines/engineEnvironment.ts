import type { LocalQueue } from '../messaging/queueResources.ts';
import { type LocalResources, region } from './resources.ts';

/** The services by their names in the SDKs' variables `AWS_ENDPOINT_URL_<SERVICE>`. */
export const services = ['DYNAMODB', 'SQS', 'SNS', 'SESV2', 'SCHEDULER', 'S3'] as const;
export type Service = (typeof services)[number];
export type Environment = Readonly<Record<string, string | undefined>>;

const schedulerRoleArn = 'arn:aws:iam::000000000000:role/mailroom-scheduler';

/** The user's own endpoint for a service; undefined when a local engine is needed. */
export function givenEndpoint(env: Environment, service: Service): string | undefined {
  return env[`AWS_ENDPOINT_URL_${service}`] || env.AWS_ENDPOINT_URL || undefined;
}

/**
 * Credentials as environment variables. The user's credentials are for the user's endpoints; local engines accept any, and
 * a profile would take precedence over them.
 */
export function credentialVariables(env: Environment): Record<string, string> {
  const isAllLocal = services.every((service) => givenEndpoint(env, service) === undefined);
  if (!isAllLocal && (env.AWS_ACCESS_KEY_ID || env.AWS_PROFILE)) return {};
  return { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_SESSION_TOKEN: '', AWS_PROFILE: '' };
}

/** Limits for the local DynamoDB engine; a user's own engine is assumed to have those of AWS. */
export function engineVariables(env: Environment): Record<string, string> {
  if (givenEndpoint(env, 'DYNAMODB')) return {};
  return {
    // It reads every item for every segment.
    TABLE_SCAN_SEGMENTS: '1',
    // The engine executes one request at a time, and parsing two at once needs twice the memory.
    TRANSACTIONS_AT_ONCE: '1',
  };
}

/** The variables that the CDK app sets on the functions, and the endpoints. */
export function handlerVariables(
  endpoints: Readonly<Record<Service, string>>,
  resources: LocalResources,
): Record<string, string> {
  const variables: Record<string, string> = {
    AWS_REGION: region,
    TABLE_NAME: resources.tableName,
    FILES_BUCKET: resources.filesBucket,
    ...resources.configurationSets,
    SCHEDULER_ROLE_ARN: schedulerRoleArn,
    SCHEDULE_GROUP: 'default',
    ...queueVariables(Object.values(resources.queues)),
  };
  for (const service of services) variables[`AWS_ENDPOINT_URL_${service}`] = endpoints[service];
  return variables;
}

/** The start that the addresses of all queues have in common, and the names of the queues. */
export function queueVariables(queues: readonly LocalQueue[]): Record<string, string> {
  const [first] = queues;
  const prefixOf = (address = '') => address.slice(0, -(first?.definition.name.length ?? 0));
  const names = queues.map(({ definition }) => definition.name).join(',');
  return {
    QUEUE_URL_PREFIX: prefixOf(first?.url),
    QUEUE_ARN_PREFIX: prefixOf(first?.arn),
    WATCHED_QUEUES: names,
    DEAD_LETTER_QUEUES: names,
  };
}
