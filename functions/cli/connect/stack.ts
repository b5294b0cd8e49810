import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { readSettings, settingsFile } from '../../../infra/settings.ts';
import { connection } from '../../../shared/platform/aws/clients.ts';
import type { Connection, ConnectionOptions } from './connection.ts';

/** Outputs of the stack, and the environment variables of the functions that they correspond to. */
const outputNames = {
  TableName: 'TABLE_NAME',
  ConfigurationSet: 'CONFIGURATION_SET',
  PublicUrl: 'PUBLIC_URL',
  SecretId: 'SERVICE_SECRET_ID',
  FilesBucket: 'FILES_BUCKET',
  SchedulerRoleArn: 'SCHEDULER_ROLE_ARN',
  ScheduleGroup: 'SCHEDULE_GROUP',
  QueueUrlPrefix: 'QUEUE_URL_PREFIX',
  QueueArnPrefix: 'QUEUE_ARN_PREFIX',
} as const;

/** Connects to a deployed stack with the caller's AWS credentials; the names of its resources are outputs of the stack. */
export async function connectToStack(
  name: string,
  options: Pick<ConnectionOptions, 'region' | 'settings'>,
): Promise<Connection> {
  const region = regionOf(options);
  if (region) process.env.AWS_REGION = region;
  const client = new CloudFormationClient(connection());
  try {
    await client.config.region().catch(explained);
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: name }));
    // The region of the caller's AWS profile, if no other was given.
    process.env.AWS_REGION ||= await client.config.region();
    return { environment: environmentOf(name, Stacks[0]), close: async () => {} };
  } finally {
    client.destroy();
  }
}

/** The SDK says only that the region is missing. */
function explained(error: Error): never {
  if (error.message !== 'Region is missing') throw error;
  throw new Error(
    `In which region is the stack? Name it with --region, or in the settings (${settingsFile}, or --settings FILE).`,
  );
}

function environmentOf(name: string, stack: Stack | undefined): Record<string, string> {
  const outputs = new Map(stack?.Outputs?.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]));
  const missing = Object.keys(outputNames).filter((output) => !outputs.get(output));
  if (missing.length > 0) throw new Error(`The stack ${name} has no output ${missing.join(', ')}.`);
  const known: [string, string][] = [...Object.entries(outputNames), ...consoleOutputs, ...apiOutputs];
  const given = known.map(([output, variable]) => [variable, outputs.get(output)]);
  return { STACK_NAME: name, ...Object.fromEntries(given.filter(([, value]) => value)) };
}

/** For commands about operators; absent without a console. */
const consoleOutputs: readonly [string, string][] = [
  ['ConsoleSecretId', 'CONSOLE_SECRET_ID'],
  ['ConsoleUrl', 'CONSOLE_URL'],
  ['OidcIssuer', 'OIDC_ISSUER'],
  ['OidcClientId', 'OIDC_CLIENT_ID'],
  ['UserPoolId', 'USER_POOL_ID'],
];

/** For commands about throttles, about what is held, and about rules. */
const apiOutputs: readonly [string, string][] = [
  ['RestApiId', 'REST_API_ID'],
  ['Stage', 'STAGE_NAME'],
  ['Sending', 'SENDING'],
  ['MailActivity', 'MAIL_ACTIVITY'],
  ['EventRetentionDays', 'EVENT_RETENTION_DAYS'],
];

/** The settings file of a deployment, if no other is given. */
const defaultFile = resolve(import.meta.dirname, '..', '..', '..', settingsFile);

/**
 * The region of a deployment: --region, else that of its settings, which is printed because it decides which deployment
 * is changed, else undefined for the region of the AWS configuration.
 */
function regionOf({ region, settings }: Pick<ConnectionOptions, 'region' | 'settings'>): string | undefined {
  if (region) return region;
  if (!settings && !existsSync(defaultFile)) return undefined;
  const ofSettings = readSettings(settings ? resolve(settings) : defaultFile).region;
  process.stderr.write(`Region ${ofSettings}, from ${settings ?? settingsFile}.\n`);
  return ofSettings;
}
