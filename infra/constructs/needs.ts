import { Stack, Validations } from 'aws-cdk-lib';
import type { IUserPool } from 'aws-cdk-lib/aws-cognito';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type Role } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import type { EmailUse, FileUse, Needs } from '../../shared/contract/route.ts';
import { feedbackLanes, table as tableDefinition } from '../resources.ts';
import type { Feedback } from './feedback.ts';
import type { MessageQueues } from './queues/messageQueue.ts';
import { environmentOfQueues, grantQueues } from './queues/needs.ts';
import type { Schedules } from './schedules.ts';

/** What `Needs` speaks of. */
export interface Resources {
  readonly table: ITableV2;
  readonly files: IBucket;
  readonly secret: ISecret;
  /** By the name of their lane. */
  readonly feedback: ReadonlyMap<string, Pick<Feedback, 'configurationSet' | 'configurationSetArn'>>;
  readonly queues: MessageQueues;
  readonly schedules: Schedules;
  /** Operators' accounts, where the deployment keeps them. */
  readonly users: IUserPool | null;
  /** The secret that another provider gave this service. */
  readonly providerSecretArn: string | null;
}

const readActions = ['dynamodb:GetItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'];
/** Transactions and batches are authorised as what they do; `ConditionCheckItem` exists only inside a transaction. */
const writeActions = [
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
  'dynamodb:DeleteItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
];

/** Grants a function what it says it needs, and nothing more. */
export function grantNeeds(grantee: Role, needs: Needs, resources: Resources): void {
  if (needs.table) grantTable(grantee, resources, needs.table, needs);
  if (needs.email) grantEmail(grantee, resources, needs.email);
  if (needs.files) grantFiles(grantee, resources, needs.files);
  if (needs.scheduler) grantSchedules(grantee, resources);
  grantQueues(grantee, needs, resources.queues);
  const secrets = [
    ...(needs.secret ? [resources.secret.secretArn] : []),
    ...(needs.providerSecret && resources.providerSecretArn ? [resources.providerSecretArn] : []),
  ];
  if (secrets.length > 0) grant(grantee, ['secretsmanager:GetSecretValue'], secrets);
  if (needs.users && resources.users) {
    grant(grantee, ['cognito-idp:AdminCreateUser', 'cognito-idp:AdminDeleteUser'], [resources.users.userPoolArn]);
  }
}

/**
 * What every route does before its own work: it counts the call in the key, which it thereby looks up, or in its source.
 * Of a key it may write nothing but these counts. (`dynamodb:Attributes` are those that a request names, its keys
 * included: DynamoDB Developer Guide, "Using IAM policy conditions for fine-grained access control".)
 */
export function grantPipeline(grantee: Role, { table }: Resources): void {
  // For functions of the release before, which an upgrade replaces after their roles. Goes with the next release.
  grant(grantee, ['dynamodb:GetItem'], [table.tableArn], onlyPartitions(['KEY#*']));
  const counts = { 'dynamodb:Attributes': ['pk', 'sk', 'calls_*'] };
  grant(grantee, ['dynamodb:UpdateItem'], [table.tableArn], onlyPartitions(['KEY#*'], counts));
  grant(grantee, ['dynamodb:UpdateItem'], [table.tableArn], onlyPartitions(['RATE#*']));
}

/** The variables of shared/platform/config.ts that go with these needs. */
export function environmentOf(needs: Needs, resources: Resources): Record<string, string> {
  const variables: Record<string, string> = {
    TABLE_NAME: resources.table.tableName,
    ...environmentOfQueues(needs, resources.queues),
  };
  for (const { lane, set } of setsOf(needs.email ?? [], resources))
    variables[lane.variable] = set.configurationSet.configurationSetName;
  if (needs.files) variables.FILES_BUCKET = resources.files.bucketName;
  if (needs.secret) variables.SERVICE_SECRET_ID = resources.secret.secretArn;
  if (needs.scheduler) {
    variables.SCHEDULER_ROLE_ARN = resources.schedules.role.roleArn;
    variables.SCHEDULE_GROUP = resources.schedules.group.scheduleGroupName;
  }
  return variables;
}

function grantTable(
  grantee: Role,
  { table }: Resources,
  access: 'read' | 'readWrite',
  { tablePartitions: partitions, writtenPartitions: written, tableScan = false }: Needs,
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
  if (written) grant(grantee, ['dynamodb:PutItem', 'dynamodb:UpdateItem'], [table.tableArn], onlyPartitions(written));
}

/** `ForAllValues` is true of no value at all, hence the second condition. */
const onlyPartitions = (patterns: readonly string[], others: Conditions[string] = {}): Conditions => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...patterns], ...others },
  Null: { 'dynamodb:LeadingKeys': 'false' },
});

/**
 * SES authorises content, not calls: raw content as `ses:SendRawEmail` also when SendEmail carries it, and a bulk call as
 * the templated one of the older API besides its own name. `GetAccount` takes no resource (Service Authorization
 * Reference, "Amazon SES" and "Amazon SES v2").
 */
const sendActions: Readonly<Record<'raw' | 'bulk', readonly string[]>> = {
  raw: ['ses:SendEmail', 'ses:SendRawEmail'],
  bulk: ['ses:SendBulkEmail', 'ses:SendBulkTemplatedEmail'],
};

/**
 * From any identity of the account, since domains are added at run time, but with no configuration set other than the
 * service's own: SES asks for a permission on both (SES Developer Guide, "Controlling access").
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

/** SES's pages name the identity as resource of some, a rehearsal none: every identity may be looked at either way. */
const accountActions: readonly {
  readonly use: EmailUse;
  readonly actions: readonly string[];
  readonly reason: string;
}[] = [
  { use: 'account', actions: ['ses:GetAccount'], reason: 'ses:GetAccount takes no resource.' },
  { use: 'identity', actions: ['ses:GetEmailIdentity'], reason: 'Workspaces add domains at run time; it reads.' },
  {
    use: 'domains',
    actions: [
      'ses:CreateEmailIdentity',
      'ses:PutEmailIdentityFeedbackAttributes',
      'ses:PutEmailIdentityMailFromAttributes',
    ],
    reason: 'Workspaces add domains at run time, which have no name before.',
  },
  {
    use: 'suppressed',
    actions: ['ses:DeleteSuppressedDestination'],
    reason: 'ses:DeleteSuppressedDestination takes no resource.',
  },
];

/** The lanes of what a function sends, with their configuration sets. */
function setsOf(uses: readonly EmailUse[], { feedback }: Resources) {
  return feedbackLanes.flatMap((lane) => {
    const set = feedback.get(lane.name);
    return set && uses.includes(lane.use) ? [{ lane, set }] : [];
  });
}

/**
 * Of which part of the bucket, and what. Who may not list a bucket is told 403 of a file that is not there instead of 404
 * (Amazon S3 API Reference, GetObject, "Permissions").
 */
const fileActions: Readonly<Record<FileUse, { actions: string[]; keys: string; lists: boolean }>> = {
  writeUpload: { actions: ['s3:PutObject'], keys: 'uploads/*', lists: false },
  readUpload: { actions: ['s3:GetObject'], keys: 'uploads/*', lists: true },
  writeBody: { actions: ['s3:PutObject'], keys: 'bodies/*', lists: false },
  readBody: { actions: ['s3:GetObject'], keys: 'bodies/*', lists: true },
  deleteBody: { actions: ['s3:DeleteObject'], keys: 'bodies/*', lists: false },
  writeImport: { actions: ['s3:PutObject'], keys: 'imports/*', lists: false },
  readImport: { actions: ['s3:GetObject'], keys: 'imports/*', lists: true },
  runImport: { actions: ['s3:PutObject', 's3:GetObject', 's3:DeleteObject'], keys: 'imports/*', lists: true },
  writeExport: { actions: ['s3:PutObject'], keys: 'exports/*', lists: false },
  readExport: { actions: ['s3:GetObject'], keys: 'exports/*', lists: false },
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

/** cdk-nag knows what another stack has by the name of its export. */
function acknowledgeFiles(role: Role, files: IBucket, keys: string): void {
  const { 'Fn::ImportValue': name } = Stack.of(role).resolve(Stack.of(files).exportValue(files.bucketArn));
  acknowledgeWildcard(role, `${name}/${keys}`, 'Files are named at run time; the bucket is the service’s own.');
}

function grantSchedules(grantee: Role, { schedules }: Resources): void {
  const actions = ['scheduler:CreateSchedule', 'scheduler:DeleteSchedule'];
  grant(grantee, actions, [schedules.scheduleArns]);
  acknowledgeWildcard(
    grantee,
    schedules.scheduleArns,
    'Schedules are named at run time; the group is the service’s own.',
  );
  grant(grantee, ['iam:PassRole'], [schedules.role.roleArn], {
    StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' },
  });
}

type Conditions = Record<string, Record<string, string | string[]>>;

function grant(grantee: Role, actions: string[], resourceArns: string[], conditions?: Conditions): void {
  Grant.addToPrincipal({ grantee, actions, resourceArns, ...(conditions && { conditions }) }).assertSuccess();
}

/** cdk-nag knows a resource by its ARN with the account spelled `<AWS::AccountId>`. */
function acknowledgeWildcard(role: Role, arn: string, reason: string): void {
  const finding = arn.replace(Stack.of(role).account, '<AWS::AccountId>');
  Validations.of(role).acknowledge({ id: `AwsSolutions-IAM5[Resource::${finding}]`, reason });
}
