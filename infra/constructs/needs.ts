import { Stack, Validations } from 'aws-cdk-lib';
import type { IUserPool } from 'aws-cdk-lib/aws-cognito';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Effect, Grant, PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { EmailUse, FileUse, Needs } from '../../shared/contract/route.ts';
import { feedbackLanes, operatorPartitions, table as tableDefinition } from '../resources.ts';
import type { Settings } from '../settings.ts';
import type { FeedbackPipeline } from './feedback.ts';
import { type MessageQueues, type QueueAddresses, queueNamed } from './messageQueue.ts';
import type { Schedules } from './schedules.ts';

/** The resources that `Needs` can name. */
export interface Resources {
  readonly table: ITableV2;
  readonly files: IBucket;
  readonly secret: ISecret;
  readonly consoleSecret: ISecret;
  /** By the name of the lane. */
  readonly feedback: ReadonlyMap<string, Pick<FeedbackPipeline, 'configurationSet' | 'configurationSetArn'>>;
  readonly queues: MessageQueues;
  readonly queueAddresses: QueueAddresses;
  readonly schedules: Schedules;
  /** The user pool of the operators, if the deployment has one. */
  readonly users: IUserPool | null;
  /** The secret with the client secret of an external provider. */
  readonly providerSecretArn: string | null;
}

const readActions = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
/** Transactions and batches are authorised as the writes in them; `ConditionCheckItem` exists only in transactions. */
const writeActions = [
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
];

/** Grants a function exactly what it needs. */
export function grantNeeds(grantee: Role, needs: Needs, resources: Resources): void {
  if (needs.table) grantTable(grantee, resources, needs.table, needs);
  if (needs.email) grantEmail(grantee, resources, needs.email);
  if (needs.files) grantFiles(grantee, resources, needs.files);
  if (needs.scheduler) grantSchedules(grantee, resources, needs.scheduler === true);
  grantQueues(grantee, needs, resources.queues);
  const secrets = [
    ...(needs.secret ? [resources.secret.secretArn] : []),
    ...(needs.consoleSecret ? [resources.consoleSecret.secretArn] : []),
    ...(needs.providerSecret && resources.providerSecretArn ? [resources.providerSecretArn] : []),
  ];
  grant(grantee, ['secretsmanager:GetSecretValue'], secrets);
  if (needs.users && resources.users) {
    grant(grantee, ['cognito-idp:AdminCreateUser', 'cognito-idp:AdminDeleteUser'], [resources.users.userPoolArn]);
  }
}

/**
 * The permissions that every route needs before its own work: look up the key and count the call there, or count it by
 * source address. With `narrowKeyWrites` no other attribute of a key may be written. (`dynamodb:Attributes` are the
 * attributes that a request names, keys included: DynamoDB Developer Guide, "Using IAM policy conditions for fine-grained
 * access control".)
 */
export function grantPipeline(
  grantee: Role,
  { table }: Resources,
  { narrowKeyWrites }: Pick<Settings, 'narrowKeyWrites'>,
): void {
  const counts: PolicyConditions[string] = narrowKeyWrites ? { 'dynamodb:Attributes': ['pk', 'sk', 'calls_*'] } : {};
  grant(grantee, ['dynamodb:UpdateItem'], [table.tableArn], onlyPartitions(['KEY#*'], counts));
  grant(grantee, ['dynamodb:UpdateItem'], [table.tableArn], onlyPartitions(['RATE#*']));
}

/** The environment variables (shared/platform/config.ts) that belong to these needs. */
export function environmentOf(needs: Needs, resources: Resources): Record<string, string> {
  const variables: Record<string, string> = {
    TABLE_NAME: resources.table.tableName,
    ...environmentOfQueues(needs, resources.queueAddresses),
  };
  for (const { lane, set } of setsOf(needs.email ?? [], resources))
    variables[lane.variable] = set.configurationSet.configurationSetName;
  if (needs.files) variables.FILES_BUCKET = resources.files.bucketName;
  if (needs.secret) variables.SERVICE_SECRET_ID = resources.secret.secretArn;
  if (needs.consoleSecret) variables.CONSOLE_SECRET_ID = resources.consoleSecret.secretArn;
  if (needs.scheduler) variables.SCHEDULE_GROUP = resources.schedules.group.scheduleGroupName;
  if (needs.scheduler === true) variables.SCHEDULER_ROLE_ARN = resources.schedules.role.roleArn;
  return variables;
}

function grantTable(
  grantee: Role,
  { table }: Resources,
  access: 'read' | 'readWrite',
  { tablePartitions: partitions, writtenPartitions: written, tableScan = false, consoleSecret }: Needs,
): void {
  const conditions = partitions && onlyPartitions(partitions);
  const indexes = tableDefinition.indexes.map(({ name }) => `${table.tableArn}/index/${name}`);
  grant(grantee, ['dynamodb:Query'], indexes, conditions);
  const actions = [
    ...readActions,
    ...(access === 'readWrite' ? writeActions : []),
    ...(tableScan ? ['dynamodb:Scan'] : []),
  ];
  grant(grantee, actions, [table.tableArn], conditions);
  if (access === 'readWrite' && !partitions && !consoleSecret) denyOperators(grantee, table);
  if (written) grant(grantee, ['dynamodb:PutItem', 'dynamodb:UpdateItem'], [table.tableArn], onlyPartitions(written));
}

/** Only the console may write operators and their sessions, whatever else a function may write. */
function denyOperators(grantee: Role, table: ITableV2): void {
  grantee.addToPrincipalPolicy(
    new PolicyStatement({
      effect: Effect.DENY,
      actions: writeActions,
      resources: [table.tableArn],
      conditions: { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': [...operatorPartitions] } },
    }),
  );
}

/** `ForAllValues` also holds when there is no value, hence the second condition. */
const onlyPartitions = (patterns: readonly string[], others: PolicyConditions[string] = {}): PolicyConditions => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...patterns], ...others },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});

/**
 * SES authorises by content: SendEmail with raw content needs `ses:SendRawEmail` too, and a bulk call needs the templated
 * action of the older API besides its own (Service Authorization Reference, "Amazon SES" and "Amazon SES v2").
 */
const sendActions: Readonly<Record<'raw' | 'bulk', readonly string[]>> = {
  raw: ['ses:SendEmail', 'ses:SendRawEmail'],
  bulk: ['ses:SendBulkEmail', 'ses:SendBulkTemplatedEmail'],
};

/**
 * From any identity of the account, since domains are added at run time, but only with the deployment's own configuration
 * sets: SES checks the permission on both (SES Developer Guide, "Controlling access").
 */
function grantEmail(grantee: Role, resources: Resources, uses: readonly EmailUse[]): void {
  const identities = Stack.of(grantee).formatArn({ service: 'ses', resource: 'identity', resourceName: '*' });
  for (const { lane, set } of setsOf(uses, resources)) {
    grant(grantee, [...sendActions[lane.use]], [identities, set.configurationSetArn]);
    const reason = 'Workspaces add domains at run time; the configuration set is the fixed one.';
    acknowledgeWildcard(grantee, identities, reason);
  }
  for (const { use, actions, reason } of accountActions) {
    if (!uses.includes(use)) continue;
    grant(grantee, [...actions], ['*']);
    acknowledgeWildcard(grantee, '*', reason);
  }
}

/** Documentation and practice differ on whether these take an identity as resource, so they are granted for all. */
const accountActions: readonly {
  readonly use: EmailUse;
  readonly actions: readonly string[];
  readonly reason: string;
}[] = [
  { use: 'account', actions: ['ses:GetAccount'], reason: 'ses:GetAccount takes no resource.' },
  {
    use: 'identity',
    actions: ['ses:GetEmailIdentity'],
    reason: 'Workspaces add domains at run time, and it only reads.',
  },
  {
    use: 'domains',
    actions: [
      'ses:CreateEmailIdentity',
      'ses:PutEmailIdentityFeedbackAttributes',
      'ses:PutEmailIdentityMailFromAttributes',
    ],
    reason: 'Workspaces add domains at run time: their names are not known before.',
  },
  {
    use: 'domainRemoval',
    actions: ['ses:DeleteEmailIdentity'],
    reason: 'Workspaces remove domains that they added at run time.',
  },
  {
    use: 'suppressed',
    actions: ['ses:DeleteSuppressedDestination'],
    reason: 'ses:DeleteSuppressedDestination takes no resource.',
  },
];

/** The lanes that a function sends in, with their configuration sets. */
function setsOf(uses: readonly EmailUse[], { feedback }: Resources) {
  return feedbackLanes.flatMap((lane) => {
    const set = feedback.get(lane.name);
    return set && uses.includes(lane.use) ? [{ lane, set }] : [];
  });
}

/**
 * Actions, and the part of the bucket that they are granted on. Without permission to list a bucket, S3 answers 403
 * instead of 404 for a missing file (Amazon S3 API Reference, GetObject, "Permissions").
 */
const fileActions: Readonly<Record<FileUse, { actions: string[]; keys: string; lists: boolean }>> = {
  writeUpload: { actions: ['s3:PutObject'], keys: 'uploads/*', lists: false },
  readUpload: { actions: ['s3:GetObject'], keys: 'uploads/*', lists: true },
  writeBody: { actions: ['s3:PutObject'], keys: 'bodies/*', lists: false },
  readBody: { actions: ['s3:GetObject'], keys: 'bodies/*', lists: true },
  deleteBody: { actions: ['s3:DeleteObject'], keys: 'bodies/*', lists: false },
  writeImport: { actions: ['s3:PutObject'], keys: 'imports/*', lists: false },
  readImport: { actions: ['s3:GetObject'], keys: 'imports/*', lists: true },
  readReport: { actions: ['s3:GetObject'], keys: 'imports/*/refused', lists: false },
  runImport: { actions: ['s3:PutObject', 's3:GetObject', 's3:DeleteObject'], keys: 'imports/*', lists: true },
  writeExport: { actions: ['s3:PutObject'], keys: 'exports/*', lists: false },
  readExport: { actions: ['s3:GetObject'], keys: 'exports/*', lists: false },
  readArchive: { actions: ['s3:GetObject'], keys: 'archive/*', lists: true },
  runArchive: { actions: ['s3:PutObject', 's3:GetObject', 's3:DeleteObject'], keys: 'archive/*', lists: true },
  erase: { actions: ['s3:DeleteObject'], keys: '*', lists: true },
};

function grantFiles(grantee: Role, { files }: Resources, uses: readonly FileUse[]): void {
  for (const use of uses) {
    const { actions, keys } = fileActions[use];
    grant(grantee, actions, [files.arnForObjects(keys)]);
    acknowledgeFiles(grantee, files, keys);
  }
  if (uses.some((use) => fileActions[use].lists)) grant(grantee, ['s3:ListBucket'], [files.bucketArn]);
}

/** cdk-nag names a resource of another stack by its export. */
function acknowledgeFiles(role: Role, files: IBucket, keys: string): void {
  const { 'Fn::ImportValue': name } = Stack.of(role).resolve(Stack.of(files).exportValue(files.bucketArn));
  acknowledgeWildcard(role, `${name}/${keys}`, 'Files are named at run time; the bucket is the service’s own.');
}

function grantSchedules(grantee: Role, { schedules }: Resources, isCreating: boolean): void {
  const actions = [...(isCreating ? ['scheduler:CreateSchedule'] : []), 'scheduler:DeleteSchedule'];
  grant(grantee, actions, [schedules.scheduleArns]);
  acknowledgeWildcard(
    grantee,
    schedules.scheduleArns,
    'Schedules are named at run time; the group is the service’s own.',
  );
  if (!isCreating) return;
  grant(grantee, ['iam:PassRole'], [schedules.role.roleArn], {
    StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
  });
}

type PolicyConditions = Record<string, Record<string, string | string[]>>;

function grant(grantee: Role, actions: string[], resourceArns: string[], conditions?: PolicyConditions): void {
  if (resourceArns.length === 0) return;
  Grant.addToPrincipal({ grantee, actions, resourceArns, ...(conditions && { conditions }) }).assertSuccess();
}

/** cdk-nag names a resource by its ARN with `<AWS::AccountId>` for the account. */
function acknowledgeWildcard(role: Role, arn: string, reason: string): void {
  const finding = arn.replace(Stack.of(role).account, '<AWS::AccountId>');
  Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${finding}]`, reason });
}

const takingActions = ['sqs:ReceiveMessage', 'sqs:ChangeMessageVisibility', 'sqs:DeleteMessage'];
const moveActions = ['sqs:StartMessageMoveTask', 'sqs:ListMessageMoveTasks', 'sqs:ReceiveMessage', 'sqs:DeleteMessage'];

function grantQueues(grantee: Role, needs: Needs, all: MessageQueues): void {
  const { queues = [], watchedQueues = [], inspectedQueues = [], redrivenQueues = [], refilledQueues = [] } = needs;
  const own = (names: readonly string[]) => names.map((name) => queueNamed(all, name).queue.queueArn);
  const dead = (names: readonly string[]) => names.map((name) => queueNamed(all, name).deadLetters.queueArn);
  const undelivered = (names: readonly string[]) =>
    names.flatMap((name) => queueNamed(all, name).undelivered?.queueArn ?? []);
  const watched = [...new Set([...watchedQueues, ...redrivenQueues])];
  grant(grantee, ['sqs:SendMessage'], own([...new Set([...queues, ...redrivenQueues, ...refilledQueues])]));
  grant(grantee, ['sqs:GetQueueAttributes'], [...own(watched), ...dead(watched), ...undelivered(watchedQueues)]);
  grant(grantee, ['sqs:ReceiveMessage', 'sqs:ChangeMessageVisibility'], dead(inspectedQueues));
  grant(grantee, takingActions, undelivered(refilledQueues));
  // SQS moves messages with the caller's permissions, who needs to receive and delete here, and to send there (SQS
  // Developer Guide, "Configure a dead-letter queue redrive").
  grant(grantee, moveActions, dead(redrivenQueues));
}

/** The environment variables with the names of a function's queues. */
function environmentOfQueues(needs: Needs, addresses: QueueAddresses): Record<string, string> {
  const { queues = [], watchedQueues = [], inspectedQueues = [], redrivenQueues = [], scheduler } = needs;
  if ([...queues, ...watchedQueues, ...inspectedQueues, ...redrivenQueues].length === 0) return {};
  return {
    QUEUE_URL_PREFIX: addresses.urlPrefix,
    ...((scheduler || redrivenQueues.length > 0) && { QUEUE_ARN_PREFIX: addresses.arnPrefix }),
    ...(watchedQueues.length > 0 && { WATCHED_QUEUES: watchedQueues.join(',') }),
    ...(inspectedQueues.length > 0 && { DEAD_LETTER_QUEUES: inspectedQueues.join(',') }),
  };
}
