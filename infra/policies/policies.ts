import { type Settings, serviceName } from '../settings.ts';

interface Statement {
  readonly Sid: string;
  readonly Effect: 'Allow';
  readonly Action: readonly string[];
  readonly Resource?: readonly string[];
  readonly Principal?: object;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** An IAM policy, as AWS takes it. */
export interface Policy {
  readonly Version: '2012-10-17';
  readonly Statement: readonly Statement[];
}

/** Of whose deployment: `*` stands for an account that is not known. */
export interface PolicyTarget {
  readonly settings: Settings;
  readonly account: string;
}

const policy = (...statements: (Statement | false)[]): Policy => ({
  Version: '2012-10-17',
  Statement: statements.filter((statement) => statement !== false),
});

const arn = ({ settings: { region }, account }: PolicyTarget, service: string, resource: string): string =>
  `arn:aws:${service}:${region}:${account}:${resource}`;

/** The prefixes of IAM by the names of the SDK's packages, where they differ. */
const prefixes: Readonly<Record<string, string>> = {
  'client-sesv2': 'ses',
  'client-cognito-identity-provider': 'cognito-idp',
  'client-secrets-manager': 'secretsmanager',
  'client-cloudwatch': 'cloudwatch',
  'client-service-quotas': 'servicequotas',
};

/**
 * Operations that are authorised otherwise than by their own name (Service Authorization Reference): batches by their
 * single calls, transactions by the writes in them, raw mail by its content.
 */
const authorisedAs: Readonly<Record<string, readonly string[]>> = {
  'client-dynamodb/TransactWriteItems': [
    'dynamodb:ConditionCheckItem',
    'dynamodb:DeleteItem',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
  ],
  'client-dynamodb/TransactGetItems': ['dynamodb:GetItem'],
  'client-sesv2/SendEmail': ['ses:SendEmail', 'ses:SendRawEmail'],
  'client-sesv2/SendBulkEmail': ['ses:SendBulkEmail', 'ses:SendBulkTemplatedEmail'],
  'client-sqs/ChangeMessageVisibilityBatch': ['sqs:ChangeMessageVisibility'],
  'client-sqs/DeleteMessageBatch': ['sqs:DeleteMessage'],
  'client-sqs/SendMessageBatch': ['sqs:SendMessage'],
};

/** The IAM actions that an operation needs; those of `lib-dynamodb` stand for operations of `client-dynamodb`. */
export function actionsOf(operation: string): readonly string[] {
  const [client = '', name = ''] = operation.split('/');
  // A look-up of the service's own address, which no operation here needs.
  if (client === 'lib-dynamodb' || name === 'DescribeEndpoints') return [];
  return authorisedAs[operation] ?? [`${prefixes[client] ?? client.replace('client-', '')}:${name}`];
}

/** What of a deployment an action of a service is limited to. A service that is not named here has no such names. */
function resourcesOf(service: string, target: PolicyTarget): readonly string[] {
  const name = serviceName(target.settings);
  const { stage, tableName } = target.settings;
  const tables = [`${name}-data-*`, ...(tableName ? [tableName] : [])];
  const named: Readonly<Record<string, readonly string[]>> = {
    dynamodb: tables.flatMap((table) => [
      arn(target, 'dynamodb', `table/${table}`),
      arn(target, 'dynamodb', `table/${table}/index/*`),
    ]),
    sqs: [arn(target, 'sqs', `${name}-*`)],
    // CloudFormation names secrets by their constructs alone.
    secretsmanager: ['ServiceSecret', 'ConsoleSecret'].map((id) => arn(target, 'secretsmanager', `secret:${id}*`)),
    scheduler: [arn(target, 'scheduler', `schedule/mailroom${stage}messaging-*/*`)],
    cloudformation: [
      arn(target, 'cloudformation', `stack/${name}/*`),
      arn(target, 'cloudformation', `stack/${name}-*/*`),
    ],
    'cognito-idp': [arn(target, 'cognito-idp', 'userpool/*')],
  };
  return named[service] ?? ['*'];
}

/** For those who run the command line on a deployment; `operations` are what it calls. */
export function operatorPolicy(operations: readonly string[], target: PolicyTarget): Policy {
  const name = serviceName(target.settings);
  const actions = [...new Set(operations.flatMap(actionsOf))].sort();
  const byService = Map.groupBy(actions, (action) => action.split(':')[0] ?? '');
  const isScheduling = actions.includes('scheduler:CreateSchedule');
  return policy(
    ...[...byService].map(
      ([service, own]): Statement => ({
        Sid: service.replace(/[^A-Za-z0-9]/g, ''),
        Effect: 'Allow',
        Action: own,
        Resource: resourcesOf(service, target),
      }),
    ),
    // Requests that no client of the SDK makes: files, and the throttles of the API.
    {
      Sid: 'files',
      Effect: 'Allow',
      Action: ['s3:DeleteObject', 's3:GetObject', 's3:ListBucket', 's3:PutObject'],
      Resource: [`arn:aws:s3:::${name}-data-*`, `arn:aws:s3:::${name}-data-*/*`],
    },
    {
      Sid: 'throttles',
      Effect: 'Allow',
      Action: ['apigateway:GET', 'apigateway:PATCH'],
      Resource: [`arn:aws:apigateway:${target.settings.region}::/restapis/*/stages/${target.settings.stage}`],
    },
    isScheduling && {
      Sid: 'schedulerRole',
      Effect: 'Allow',
      Action: ['iam:PassRole'],
      Resource: [`arn:aws:iam::${target.account}:role/${name}-messaging-*`],
      Condition: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
    },
  );
}

/** The roles that `cdk bootstrap` made for deployments; CDK's own name is a part of theirs. */
const bootstrapRoles = ['deploy', 'file-publishing', 'lookup'];

/** For the one who deploys: everything is done by the roles of CDK's bootstrap, and former stacks are found by a list. */
export const deployerPolicy = (target: PolicyTarget): Policy =>
  policy(
    {
      Sid: 'rolesOfBootstrap',
      Effect: 'Allow',
      Action: ['sts:AssumeRole'],
      Resource: bootstrapRoles.map(
        (role) =>
          `arn:aws:iam::${target.account}:role/cdk-hnb659fds-${role}-role-${target.account}-${target.settings.region}`,
      ),
    },
    // Without the name of a stack it takes no resource.
    { Sid: 'listOfStacks', Effect: 'Allow', Action: ['cloudformation:DescribeStacks'], Resource: ['*'] },
  );

/** Who may take a role from GitHub Actions: one repository, in one of its environments, which may ask for an approval. */
export const trustPolicy = (account: string, repository: string, environment: string): Policy =>
  policy({
    Sid: 'githubActions',
    Effect: 'Allow',
    Principal: { Federated: `arn:aws:iam::${account}:oidc-provider/token.actions.githubusercontent.com` },
    Action: ['sts:AssumeRoleWithWebIdentity'],
    Condition: {
      StringEquals: {
        'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
        'token.actions.githubusercontent.com:sub': `repo:${repository}:environment:${environment}`,
      },
    },
  });

/** The services of the resources in the templates, and what of them is the deployment's. */
const servicesOfTypes: Readonly<Record<string, { readonly actions: string; readonly resources: readonly string[] }>> = {
  ApiGateway: { actions: 'apigateway', resources: ['*'] },
  CloudWatch: { actions: 'cloudwatch', resources: ['*'] },
  Cognito: { actions: 'cognito-idp', resources: ['*'] },
  DynamoDB: { actions: 'dynamodb', resources: ['table/NAME-*'] },
  Events: { actions: 'events', resources: ['rule/NAME-*'] },
  IAM: { actions: 'iam', resources: [] },
  KMS: { actions: 'kms', resources: ['*'] },
  Lambda: { actions: 'lambda', resources: ['function:NAME-*', 'event-source-mapping:*'] },
  Logs: { actions: 'logs', resources: ['*'] },
  S3: { actions: 's3', resources: [] },
  SES: { actions: 'ses', resources: ['*'] },
  SNS: { actions: 'sns', resources: ['*'] },
  SQS: { actions: 'sqs', resources: ['NAME-*'] },
  Scheduler: { actions: 'scheduler', resources: ['schedule-group/mailroom*'] },
  SecretsManager: { actions: 'secretsmanager', resources: ['secret:ServiceSecret*', 'secret:ConsoleSecret*'] },
  WAFv2: { actions: 'wafv2', resources: ['*'] },
};

/**
 * For `cdk bootstrap --cloudformation-execution-policies`, instead of all rights: every service that a template uses, and
 * of IAM only roles and policies with the deployment's name. `types` are those of the resources.
 */
export function executionPolicy(types: readonly string[], target: PolicyTarget): Policy {
  const name = serviceName(target.settings);
  const { account } = target;
  const services = [...new Set(types.map((type) => type.split('::')[1] ?? ''))].sort();
  const wide = services.filter((service) => !['IAM', 'S3'].includes(service));
  return policy(
    ...wide.map((service): Statement => {
      const known = servicesOfTypes[service];
      if (!known) throw new Error(`There is no statement for resources of ${service}.`);
      const { actions, resources } = known;
      return {
        Sid: service,
        Effect: 'Allow',
        Action: [`${actions}:*`],
        Resource: resources.map((one) => (one === '*' ? one : arn(target, actions, one.replace('NAME', name)))),
      };
    }),
    {
      Sid: 'S3',
      Effect: 'Allow',
      Action: ['s3:*'],
      Resource: [`arn:aws:s3:::${name}-data-*`, `arn:aws:s3:::${name}-data-*/*`],
    },
    // Takes no resource.
    { Sid: 'NewSecrets', Effect: 'Allow', Action: ['secretsmanager:GetRandomPassword'], Resource: ['*'] },
    {
      Sid: 'AssetsOfBootstrap',
      Effect: 'Allow',
      Action: ['s3:GetObject', 's3:GetBucketLocation', 's3:ListBucket'],
      Resource: ['', '/*'].map(
        (rest) => `arn:aws:s3:::cdk-hnb659fds-assets-${account}-${target.settings.region}${rest}`,
      ),
    },
    {
      Sid: 'BootstrapVersion',
      Effect: 'Allow',
      Action: ['ssm:GetParameters'],
      Resource: [arn(target, 'ssm', 'parameter/cdk-bootstrap/hnb659fds/version')],
    },
    {
      Sid: 'IAM',
      Effect: 'Allow',
      Action: ['iam:*'],
      Resource: [`arn:aws:iam::${account}:role/${name}-*`, `arn:aws:iam::${account}:policy/${name}-*`],
    },
  );
}
