import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { queues } from '../../../infra/resources.ts';
import { connection } from '../../../shared/platform/aws/connection.ts';
import { environmentName } from '../../../shared/platform/config.ts';
import type { Connection } from './environment.ts';

/** Outputs of the service's stack and the variables that they are for a function. */
const outputNames = {
  TableName: 'TABLE_NAME',
  ConfigurationSet: 'CONFIGURATION_SET',
  PublicUrl: 'PUBLIC_URL',
  SecretId: 'SERVICE_SECRET_ID',
} as const;

/** A deployed service, with the caller's own AWS credentials; what it is called is read from the stack's outputs. */
export async function connectToStack(name: string, region?: string): Promise<Connection> {
  if (region) process.env.AWS_REGION = region;
  const client = new CloudFormationClient(connection());
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
    // That of the caller's profile, where nothing else says one.
    process.env.AWS_REGION ||= await client.config.region();
    return { environment: environmentOf(name, Stacks[0]), close: async () => {} };
  } finally {
    client.destroy();
  }
}

function environmentOf(name: string, stack: Stack | undefined): Record<string, string> {
  const outputs = new Map(stack?.Outputs?.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  const missing = Object.keys(outputNames).filter((output) => !outputs.get(output));
  if (missing.length > 0) throw new Error(`The stack ${name} has no output ${missing.join(', ')}.`);
  const known: [string, string][] = [
    ...Object.entries(outputNames),
    ...scheduleOutputs,
    ...consoleOutputs,
    ...queueOutputs(),
  ];
  const given = known.map(([output, variable]) => [variable, outputs.get(output)]);
  return Object.fromEntries(given.filter(([, value]) => value));
}

/** Where a command puts a schedule. */
const scheduleOutputs: readonly [string, string][] = [
  ['SchedulerRoleArn', 'SCHEDULER_ROLE_ARN'],
  ['ScheduleGroup', 'SCHEDULE_GROUP'],
];

/** Who operators are; without a console there are none. */
const consoleOutputs: readonly [string, string][] = [
  ['ConsoleUrl', 'CONSOLE_URL'],
  ['OidcIssuer', 'OIDC_ISSUER'],
  ['OidcClientId', 'OIDC_CLIENT_ID'],
  ['UserPoolId', 'USER_POOL_ID'],
];

/** `webhook-delivery` is the output `WebhookDeliveryQueueUrl`; commands that send no messages need none of them. */
function queueOutputs(): [string, string][] {
  return Object.keys(queues).flatMap((queue): [string, string][] => {
    const pascal = queue.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
    const variable = `${environmentName(queue)}_QUEUE`;
    return [
      [`${pascal}QueueUrl`, `${variable}_URL`],
      [`${pascal}QueueArn`, `${variable}_ARN`],
    ];
  });
}
