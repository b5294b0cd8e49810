import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunctions } from '../../infra/bundle.ts';
import { consoleEndpoints } from '../../infra/consoleEndpoints.ts';
import type { Endpoint } from '../../infra/endpoint.ts';
import { endpoints, entries, fallback, workerEntry } from '../../infra/endpoints.ts';
import { queues, rules, table } from '../../infra/resources.ts';
import type { EmailUse, FileUse, Needs } from '../../shared/contract/route.ts';
import { authorisedAs, commandsOf } from './authorisation.ts';
import { actionsOf, type Deployment, type Statement, synthesise, synthesisTimeoutMilliseconds } from './synthesis.ts';

const certificateArn = 'arn:aws:acm:eu-west-3:111122223333:certificate/4a7c';
const clientSecretArn = 'arn:aws:secretsmanager:eu-west-3:111122223333:secret:mailroom-console-AbCdEf';
let deployment: Deployment;
/** What the bundle of an entry asks AWS for. */
let commands: ReadonlyMap<string, readonly string[]>;

async function bundledCommands(): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'mailroom-permissions-'));
  try {
    const bundles = await bundleFunctions(entries, folder);
    const found = [...bundles].map(async ([entry, bundle]) => [entry, await commandsOf(bundle)] as const);
    return new Map(await Promise.all(found));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

beforeAll(async () => {
  commands = await bundledCommands();
  const settings = {
    stage: 'dev',
    region: 'eu-west-3',
    domains: ['mail.example.com', 'post.example.com'].map((name) => ({ name, certificateArn })),
    closeDefaultHost: true,
    trackingDomain: 'click.example.com',
    alarmEmail: 'operator@example.com',
    tableName: 'restored-table',
    reservedConcurrency: { sending: 5 },
    firewall: { requestsPerFiveMinutes: 3000 },
    console: { provider: { issuer: 'https://login.example.com', clientId: 'mailroom', clientSecretArn } },
  };
  deployment = await synthesise(settings, {}, { isStubbed: true });
}, synthesisTimeoutMilliseconds);

const constructOf = (id: string) => id.replace(/(?:^|\W)(\w)/g, (_, letter: string) => letter.toUpperCase());
const workers = [
  ...Object.values(queues).map(({ name, worker, needs }) => ({
    construct: `${constructOf(name)}Worker`,
    entry: workerEntry(worker),
    needs,
    readsQueue: true,
  })),
  ...Object.values(rules).map(({ name, worker, needs }) => ({
    construct: `${constructOf(name)}RuleWorker`,
    entry: workerEntry(worker),
    needs,
  })),
];

interface Definition {
  readonly construct: string;
  readonly entry: string;
  readonly needs: Needs;
  readonly endpoint?: Endpoint;
  readonly readsQueue?: boolean;
}

const functions: readonly Definition[] = [
  ...[...endpoints, ...consoleEndpoints.filter(({ servedBy }) => !servedBy), fallback].map((endpoint) => ({
    construct: constructOf(endpoint.id),
    entry: endpoint.function.entry,
    needs: endpoint.needs,
    endpoint,
  })),
  ...workers,
];

const read = ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'];
const write = ['BatchWriteItem', 'ConditionCheckItem', 'DeleteItem', 'PutItem', 'UpdateItem'].map(
  (name) => `dynamodb:${name}`,
);
const schedules = ['CreateSchedule', 'DeleteSchedule'].map((name) => `scheduler:${name}`);
/** What a move of dead letters takes of whoever starts it, on both queues. */
const redrive = ['StartMessageMoveTask', 'ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes', 'SendMessage'];
const receive = ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'GetQueueUrl', 'ReceiveMessage'];

/**
 * SES authorises raw content as `ses:SendRawEmail`, whatever call carries it, and a bulk call also as the templated one of
 * the older API (Service Authorization Reference, "Amazon SES" and "Amazon SES v2").
 */
const email: Readonly<Record<EmailUse, readonly string[]>> = {
  raw: ['ses:SendEmail', 'ses:SendRawEmail'],
  bulk: ['ses:SendBulkEmail', 'ses:SendBulkTemplatedEmail'],
  account: ['ses:GetAccount'],
  identity: ['ses:GetEmailIdentity'],
  domains: [
    'ses:CreateEmailIdentity',
    'ses:PutEmailIdentityFeedbackAttributes',
    'ses:PutEmailIdentityMailFromAttributes',
  ],
  suppressed: ['ses:DeleteSuppressedDestination'],
};

const files: Readonly<Record<FileUse, readonly string[]>> = {
  writeUpload: ['s3:PutObject'],
  readUpload: ['s3:GetObject', 's3:ListBucket'],
  writeBody: ['s3:PutObject'],
  readBody: ['s3:GetObject', 's3:ListBucket'],
  deleteBody: ['s3:DeleteObject'],
  erase: ['s3:DeleteObject', 's3:ListBucket'],
  writeImport: ['s3:PutObject'],
  readImport: ['s3:GetObject', 's3:ListBucket'],
  runImport: ['s3:PutObject', 's3:GetObject', 's3:DeleteObject', 's3:ListBucket'],
  writeExport: ['s3:PutObject'],
  readExport: ['s3:GetObject'],
};

function expectedActions({ needs, endpoint, readsQueue }: Definition): string[] {
  return [
    'logs:CreateLogStream',
    'logs:PutLogEvents',
    ...(endpoint?.kind === 'route' ? ['dynamodb:GetItem', 'dynamodb:UpdateItem'] : []),
    ...(needs.table ? read : []),
    ...(needs.table === 'readWrite' ? write : []),
    ...(needs.writtenPartitions ? ['dynamodb:PutItem', 'dynamodb:UpdateItem'] : []),
    ...(needs.tableScan ? ['dynamodb:Scan'] : []),
    ...(needs.email ?? []).flatMap((use) => email[use]),
    ...(needs.files ?? []).flatMap((use) => files[use]),
    ...(needs.queues?.length ? ['sqs:SendMessage'] : []),
    ...(needs.watchedQueues?.length ? ['sqs:GetQueueAttributes'] : []),
    ...(needs.inspectedQueues?.length ? ['sqs:ChangeMessageVisibility', 'sqs:ReceiveMessage'] : []),
    ...(needs.redrivenQueues?.length ? redrive.map((name) => `sqs:${name}`) : []),
    ...(needs.scheduler ? ['iam:PassRole', ...schedules] : []),
    ...(needs.secret || needs.providerSecret ? ['secretsmanager:GetSecretValue'] : []),
    ...(readsQueue ? receive.map((name) => `sqs:${name}`) : []),
  ];
}

const allowed = (statements: Statement[]) => [...new Set(statements.flatMap(actionsOf))].sort();

/**
 * Actions without a resource type, and those that look at or make any identity of the account, by whichever name SES asks for it
 * (Service Authorization Reference, "Amazon SES v2").
 */
const withoutResource: ReadonlySet<string> = new Set([
  ...email.account,
  ...email.identity,
  ...email.domains,
  ...email.suppressed,
]);

describe.each(functions)('the role of $construct', (definition) => {
  it('allows what the function needs, and nothing more', () => {
    expect(allowed(deployment.statementsOf(definition.construct))).toEqual(
      [...new Set(expectedActions(definition))].sort(),
    );
  });

  it('names no action and no resource by a bare wildcard', () => {
    for (const statement of deployment.statementsOf(definition.construct)) {
      expect(actionsOf(statement).filter((action) => action.includes('*'))).toEqual([]);
      if (actionsOf(statement).every((action) => withoutResource.has(action))) continue;
      expect([statement.Resource].flat()).not.toContain('*');
    }
  });

  it('touches the table only through its own partitions where it has any', () => {
    const { needs, endpoint } = definition;
    const onTable = deployment
      .statementsOf(definition.construct)
      .filter((statement) => actionsOf(statement).some((action) => action.startsWith('dynamodb:')));
    const limits = onTable.map(({ Condition }) => Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys']);
    const pipeline = endpoint?.kind === 'route' ? [['KEY#*'], ['KEY#*'], ['RATE#*']] : [];
    const own = [
      ...(needs.table ? [needs.tablePartitions, needs.tablePartitions] : []),
      ...(needs.writtenPartitions ? [needs.writtenPartitions] : []),
    ];
    const sorted = (values: unknown[]) => values.map((value) => JSON.stringify([value].flat())).sort();
    expect(sorted(limits)).toEqual(sorted([...own, ...pipeline]));
    for (const { Condition } of onTable) {
      if (Condition) expect(Condition.Null).toEqual({ 'dynamodb:LeadingKeys': 'false' });
    }
  });

  it('writes of a key nothing but the counts of its calls', () => {
    const onKeys = deployment
      .statementsOf(definition.construct)
      .filter(({ Condition }) =>
        [Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys']].flat().includes('KEY#*'),
      )
      .filter((statement) => !actionsOf(statement).includes('dynamodb:GetItem'));
    expect(onKeys).toHaveLength(definition.endpoint?.kind === 'route' ? 1 : 0);
    for (const { Action, Condition } of onKeys) {
      expect([Action].flat()).toEqual(['dynamodb:UpdateItem']);
      expect(Condition?.['ForAllValues:StringLike']?.['dynamodb:Attributes']).toEqual(['pk', 'sk', 'calls_*']);
    }
  });
});

/** Pages that show and act share a bundle and not a role: what one of them calls, one of their roles allows. */
const byEntry = Map.groupBy(functions, ({ entry }) => entry);

/**
 * In a bundle by way of a module that serves both ways of a change: confirming raises no events itself, and accounts are
 * kept by the provider that these settings name.
 */
const neverReached: Readonly<Record<string, readonly string[]>> = {
  'functions/pages/confirm.ts': ['sqs:SendMessage'],
  'functions/console/door.ts': [
    ...['cognito-idp:AdminCreateUser', 'cognito-idp:AdminDeleteUser'],
    // The command line's alone: the console is told of its queues.
    'sqs:GetQueueUrl',
  ],
};

describe.each([...byEntry])('the calls of AWS in the bundle of %s', (entry, definitions) => {
  const granted = () => allowed(definitions.flatMap(({ construct }) => deployment.statementsOf(construct)));
  const called = () => (commands.get(entry) ?? []).flatMap((command) => authorisedAs[command] ?? [`?${command}`]);

  it('are allowed by its role', () => {
    const missing = called().filter((action) => !granted().includes(action));
    expect([...new Set(missing)].sort()).toEqual(neverReached[entry] ?? []);
  });

  it('are all that its role allows of SES, SQS, files, schedules and the secret', () => {
    const own = granted().filter((action) => /^(ses|s3|scheduler|secretsmanager|iam):|^sqs:SendMessage$/.test(action));
    expect(own.filter((action) => !called().includes(action))).toEqual([]);
  });
});

describe('a function that sends mail', () => {
  it('does so from identities of this account with the service’s configuration set', () => {
    const statements = deployment
      .statementsOf('EmailsSend')
      .filter((statement) => actionsOf(statement).includes('ses:SendRawEmail'));
    const resources = statements.flatMap(({ Resource }) => Resource).map((arn) => JSON.stringify(arn));
    expect(resources).toHaveLength(2);
    expect(
      resources.filter((arn) => arn.includes(':configuration-set/') && arn.includes('FeedbackConfigurationSet')),
    ).toHaveLength(1);
    expect(resources.filter((arn) => arn.includes('AWS::AccountId') && arn.includes(':identity/*'))).toHaveLength(1);
  });
});

describe('a function that schedules', () => {
  it('does so in the service’s own group, for the scheduler’s role alone', () => {
    const statements = deployment.statementsOf('WebhookDeliveryWorker');
    const scheduling = statements.find((statement) => actionsOf(statement).includes('scheduler:CreateSchedule'));
    const [group] = deployment.properties('Scheduler::ScheduleGroup').map(({ Name }) => Name);
    expect(JSON.stringify(scheduling?.Resource)).toContain(`:schedule/${group}/*`);
    const passing = statements.find((statement) => actionsOf(statement).includes('iam:PassRole'));
    expect(passing?.Condition).toEqual({ StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } });
  });
});

describe('the sign-in of the console', () => {
  it('alone reads the secret that the provider gave, and is told of it by its name', () => {
    const readers = functions.filter(({ construct }) =>
      JSON.stringify(deployment.statementsOf(construct)).includes(clientSecretArn),
    );
    expect(readers.map(({ construct }) => construct)).toEqual(['ConsoleSignIn']);
    const [{ Variables }] = deployment.properties('ApiGateway::Stage');
    expect(Variables).toMatchObject({
      OIDC_ISSUER: 'https://login.example.com',
      OIDC_CLIENT_ID: 'mailroom',
      OIDC_CLIENT_SECRET_ID: clientSecretArn,
    });
  });

  it('needs no pool of the deployment’s own where there is another provider', () => {
    expect(deployment.resources('Cognito::UserPool')).toEqual([]);
    expect(Object.keys(deployment.stack('').Outputs ?? {})).not.toContain('UserPoolId');
  });
});

describe('an index', () => {
  it('is only queried', () => {
    const statements = deployment
      .statementsOf('SubscribersList')
      .filter(({ Resource }) => JSON.stringify(Resource).includes('/index/'));
    expect(allowed(statements)).toEqual(['dynamodb:Query']);
    const names = statements
      .flatMap(({ Resource }) => Resource)
      .map((arn) => /\/index\/(\w+)/.exec(JSON.stringify(arn))?.[1]);
    expect(names.sort()).toEqual(table.indexes.map(({ name }) => name).sort());
  });
});

describe('a deployment with domains of its own', () => {
  it('makes links with the first, and answers under each, so that links already mailed go on working', () => {
    const urls = [
      ...deployment.properties('ApiGateway::Stage').map(({ Variables }) => Variables.PUBLIC_URL),
      ...deployment.properties('Lambda::Function').map(({ Environment }) => Environment.Variables.PUBLIC_URL),
    ];
    expect(new Set(urls)).toEqual(new Set(['https://mail.example.com', undefined]));
    const mapped = deployment.resources('ApiGateway::BasePathMapping').map(({ stack, resource }) => {
      const { SecurityPolicy, DomainName } = deployment.referred(stack, resource.Properties.DomainName).resource
        .Properties;
      return [SecurityPolicy, DomainName];
    });
    expect(mapped.sort()).toEqual([
      ['TLS_1_2', 'mail.example.com'],
      ['TLS_1_2', 'post.example.com'],
    ]);
  });

  it('says where each domain must point to', () => {
    const outputs = Object.keys(deployment.stack('').Outputs ?? {});
    expect(outputs).toEqual(expect.arrayContaining(['TargetMailExampleCom', 'TargetPostExampleCom']));
  });

  it('closes the host that API Gateway gives when the operator says so', () => {
    const [{ DisableExecuteApiEndpoint, Body }] = deployment.properties('ApiGateway::RestApi');
    expect(DisableExecuteApiEndpoint).toBe(true);
    // An import replaces what it does not name.
    expect(Body['x-amazon-apigateway-endpoint-configuration']).toEqual({ disableExecuteApiEndpoint: true });
  });

  it('tells its operator of alarms, and SES of the domain for links', () => {
    const email = deployment.properties('SNS::Subscription').filter(({ Protocol }) => Protocol === 'email');
    expect(email.map(({ Endpoint }) => Endpoint)).toEqual(['operator@example.com']);
    expect(deployment.properties('SES::ConfigurationSet')[0].TrackingOptions).toMatchObject({
      CustomRedirectDomain: 'click.example.com',
    });
    expect(deployment.said).not.toMatch(/WARNING/);
  });
});

describe('a deployment that takes a table', () => {
  it('uses it everywhere, and keeps its own', () => {
    const tables = deployment.properties('Lambda::Function').map(({ Environment }) => Environment.Variables.TABLE_NAME);
    expect(new Set(tables)).toEqual(new Set(['restored-table']));
    const statements = deployment
      .statementsOf('EmailsSend')
      .filter((statement) => actionsOf(statement)[0]?.startsWith('dynamodb:'));
    for (const { Resource } of statements) expect(JSON.stringify(Resource)).toContain(':table/restored-table');
    expect(deployment.resources('DynamoDB::GlobalTable')).toHaveLength(1);
    const exported = Object.values(deployment.stack('data').Outputs ?? {}).map(({ Value }) => JSON.stringify(Value));
    expect(exported.filter((value) => value.includes('Table'))).toHaveLength(2);
  });
});

describe('a deployment that keeps concurrency for sending', () => {
  it('keeps it for the function that answers POST /emails', () => {
    const reserved = deployment
      .resources('Lambda::Function')
      .filter(({ resource }) => resource.Properties.ReservedConcurrentExecutions !== undefined);
    expect(reserved.map(({ id, resource }) => [id, resource.Properties.ReservedConcurrentExecutions])).toEqual([
      [expect.stringMatching(/^EmailsSendFunction/), 5],
    ]);
  });
});

describe('a deployment with a firewall', () => {
  it('blocks an address that asks too often, but never one that unsubscribes', () => {
    const [{ Rules, DefaultAction }] = deployment.properties('WAFv2::WebACL');
    expect(DefaultAction).toEqual({ Allow: {} });
    expect(Rules).toHaveLength(1);
    const { RateBasedStatement } = Rules[0].Statement;
    expect(RateBasedStatement).toMatchObject({ AggregateKeyType: 'IP', Limit: 3000, EvaluationWindowSec: 300 });
    expect(RateBasedStatement.ScopeDownStatement.NotStatement.Statement.ByteMatchStatement).toMatchObject({
      SearchString: '/unsubscribe/',
      PositionalConstraint: 'CONTAINS',
    });
    const [{ ResourceArn }] = deployment.properties('WAFv2::WebACLAssociation');
    expect(JSON.stringify(ResourceArn)).toMatch(/:apigateway:eu-west-3::\/restapis\/.*\/stages\//);
  });
});
