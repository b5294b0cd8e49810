import { environmentName } from '../../../shared/platform/config.ts';
import type { LocalResources } from './resources.ts';

/** The services by the names that the AWS SDKs use in `AWS_ENDPOINT_URL_<SERVICE>`. */
const services = ['DYNAMODB', 'SQS', 'SNS', 'SESV2', 'SCHEDULER', 'S3'] as const;
export type Service = (typeof services)[number];
export type Environment = Readonly<Record<string, string | undefined>>;

/** The local engines' ARNs hold it, so it is not the user's own. */
export const region = 'us-east-1';
const schedulerRoleArn = 'arn:aws:iam::000000000000:role/mailroom-scheduler';

/** The endpoint that the user brings for a service, or undefined when a local engine is to be started. */
export function givenEndpoint(env: Environment, service: Service): string | undefined {
  return env[`AWS_ENDPOINT_URL_${service}`] || env.AWS_ENDPOINT_URL || undefined;
}

/**
 * Credentials as environment variables. The user's own are for the user's own endpoints; local engines take any, and a
 * profile would come before the ones that are set here.
 */
export function credentialVariables(env: Environment): Record<string, string> {
  const isAllLocal = services.every((service) => givenEndpoint(env, service) === undefined);
  if (!isAllLocal && (env.AWS_ACCESS_KEY_ID || env.AWS_PROFILE)) return {};
  return { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local', AWS_SESSION_TOKEN: '', AWS_PROFILE: '' };
}

/** What the local engine of DynamoDB bears; the user's own is taken for one that bears what AWS does. */
export function engineVariables(env: Environment): Record<string, string> {
  if (givenEndpoint(env, 'DYNAMODB')) return {};
  return {
    // It looks at every item for every part.
    TABLE_SCAN_SEGMENTS: '1',
    // It does one request at a time, and two whose JSON it reads side by side wait for each other's memory.
    TRANSACTIONS_AT_ONCE: '1',
  };
}

/** What the CDK app sets on the functions, with the endpoints besides; a loop over infra/resources.ts. */
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
  };
  for (const service of services) variables[`AWS_ENDPOINT_URL_${service}`] = endpoints[service];
  for (const { definition, url, arn, deadLetter } of Object.values(resources.queues)) {
    variables[`${environmentName(definition.name)}_QUEUE_URL`] = url;
    variables[`${environmentName(definition.name)}_QUEUE_ARN`] = arn;
    variables[`${environmentName(definition.name)}_DEAD_LETTERS_URL`] = deadLetter.url;
  }
  return variables;
}
