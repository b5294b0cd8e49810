import type { Endpoint } from '../../infra/endpoints.ts';
import { consoleEndpoints, endpoints, fallback, workerEntry } from '../../infra/endpoints.ts';
import { operatorPartitions, queues, rules, table } from '../../infra/resources.ts';
import type { EmailUse, FileUse, Needs } from '../../shared/contract/route.ts';
import { operatorKey, sessionEpochKey, sessionKey, signInKey } from '../../shared/store/table/keys.ts';
import { authorisedAs, commandsOf } from './authorisation.ts';
import { allBundles } from './bundles.ts';
import { actionsOf, type Deployment, deploymentOf, fullSettings, type Statement } from './deployment.ts';

const { clientSecretArn } = fullSettings.console.provider;
let deployment: Deployment;
/** The same with the usual permission to count the calls of a key. */
let wider: Deployment;
/** The AWS commands in the bundle of an entry. */
let commands: ReadonlyMap<string, readonly string[]>;

beforeAll(async () => {
  const found = [...(await allBundles())].map(async ([entry, bundle]) => [entry, await commandsOf(bundle)] as const);
  commands = new Map(await Promise.all(found));
  // Traces give every role the same two actions besides.
  const settings = { ...fullSettings, tracing: false };
  deployment = deploymentOf(settings);
  wider = deploymentOf({ ...settings, narrowKeyWrites: false });
});

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
  ...[...endpoints, ...consoleEndpoints, fallback]
    .filter(({ servedBy }) => !servedBy)
    .map((endpoint) => ({
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
/** The permissions that a move of dead letters needs, on both queues. */
const redrive = [
  'StartMessageMoveTask',
  'ListMessageMoveTasks',
  'ReceiveMessage',
  'DeleteMessage',
  'GetQueueAttributes',
  'SendMessage',
];
const refill = ['ChangeMessageVisibility', 'DeleteMessage', 'ReceiveMessage', 'SendMessage'];
const receive = ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'GetQueueUrl', 'ReceiveMessage'];

/**
 * SES authorises raw content as `ses:SendRawEmail` in any call, and a bulk call also as the templated action of
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
  domainRemoval: ['ses:DeleteEmailIdentity'],
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
  readReport: ['s3:GetObject'],
  runImport: ['s3:PutObject', 's3:GetObject', 's3:DeleteObject', 's3:ListBucket'],
  writeExport: ['s3:PutObject'],
  readExport: ['s3:GetObject'],
  readArchive: ['s3:GetObject', 's3:ListBucket'],
  runArchive: ['s3:PutObject', 's3:GetObject', 's3:DeleteObject', 's3:ListBucket'],
};

function expectedActions({ needs, endpoint, readsQueue }: Definition): string[] {
  return [
    'logs:CreateLogStream',
    'logs:PutLogEvents',
    ...(endpoint?.kind === 'route' ? ['dynamodb:UpdateItem'] : []),
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
    ...(needs.refilledQueues?.length ? refill.map((name) => `sqs:${name}`) : []),
    ...(needs.scheduler === true ? ['iam:PassRole', ...schedules] : []),
    ...(needs.scheduler === 'delete' ? ['scheduler:DeleteSchedule'] : []),
    ...(needs.secret || needs.consoleSecret || needs.providerSecret ? ['secretsmanager:GetSecretValue'] : []),
    ...(readsQueue ? receive.map((name) => `sqs:${name}`) : []),
  ];
}

const isDeny = ({ Effect }: Statement) => Effect === 'Deny';
const allowed = (statements: Statement[]) =>
  [...new Set(statements.filter((statement) => !isDeny(statement)).flatMap(actionsOf))].sort();

/**
 * Actions without a resource type, and those on any identity of the account
 * (Service Authorization Reference, "Amazon SES v2").
 */
const withoutResource: ReadonlySet<string> = new Set([
  ...email.account,
  ...email.identity,
  ...email.domains,
  ...email.domainRemoval,
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

  it('is limited to its partitions of the table, if it has any', () => {
    const { needs, endpoint } = definition;
    const onTable = deployment
      .statementsOf(definition.construct)
      .filter((statement) => !isDeny(statement))
      .filter((statement) => actionsOf(statement).some((action) => action.startsWith('dynamodb:')));
    const limits = onTable.map(({ Condition }) => Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys']);
    const pipeline = endpoint?.kind === 'route' ? [['KEY#*'], ['RATE#*']] : [];
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

  it.each([
    ['may count the calls of a key', () => wider, undefined],
    ['may write nothing else of it when the settings say so', () => deployment, ['pk', 'sk', 'calls_*']],
  ])('%s', (_, deployed, attributes) => {
    const onKeys = deployed()
      .statementsOf(definition.construct)
      .filter(({ Condition }) =>
        [Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys']].flat().includes('KEY#*'),
      );
    expect(onKeys).toHaveLength(definition.endpoint?.kind === 'route' ? 1 : 0);
    for (const { Action, Condition } of onKeys) {
      expect([Action].flat()).toEqual(['dynamodb:UpdateItem']);
      expect(Condition?.['ForAllValues:StringLike']?.['dynamodb:Attributes']).toEqual(attributes);
    }
  });
});

/** Pages that show and act share a bundle, but not a role: one of their roles must allow each call. */
const byEntry = Map.groupBy(functions, ({ entry }) => entry);

/** In the bundle, but never called: accounts are kept by the provider that these settings name. */
const neverReached: Readonly<Record<string, readonly string[]>> = {
  'functions/console/console.ts': ['cognito-idp:AdminCreateUser', 'cognito-idp:AdminDeleteUser'],
};

describe.each([...byEntry])('the AWS calls in the bundle of %s', (entry, definitions) => {
  const granted = () => allowed(definitions.flatMap(({ construct }) => deployment.statementsOf(construct)));
  const called = () => (commands.get(entry) ?? []).flatMap((command) => authorisedAs[command] ?? [`?${command}`]);

  it('are allowed by its role', () => {
    const missing = called().filter((action) => !granted().includes(action));
    expect([...new Set(missing)].sort()).toEqual(neverReached[entry] ?? []);
  });

  it('are all that its role allows of SES, SQS, S3, the Scheduler and Secrets Manager', () => {
    const own = granted().filter((action) => /^(ses|s3|scheduler|secretsmanager|iam):|^sqs:SendMessage$/.test(action));
    expect(own.filter((action) => !called().includes(action))).toEqual([]);
  });
});

describe('a function that sends mail', () => {
  it('may use identities of this account and the deployment’s configuration set only', () => {
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
  it('may use the deployment’s own group and pass the scheduler’s role only', () => {
    const statements = deployment.statementsOf('WebhookDeliveryWorker');
    const scheduling = statements.find((statement) => actionsOf(statement).includes('scheduler:CreateSchedule'));
    const [group] = deployment.properties('Scheduler::ScheduleGroup').map(({ Name }) => Name);
    expect(JSON.stringify(scheduling?.Resource)).toContain(`:schedule/${group}/*`);
    const passing = statements.find((statement) => actionsOf(statement).includes('iam:PassRole'));
    expect(passing?.Condition).toEqual({ StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } });
  });
});

describe('a function that puts dead letters back', () => {
  it('may inspect them, as the console does before it moves them', () => {
    const movers = functions.filter(({ needs }) => needs.redrivenQueues?.length);
    expect(movers.map(({ construct }) => construct)).toEqual(['ConsoleAct']);
    for (const { needs } of movers) expect(needs.inspectedQueues).toEqual(needs.redrivenQueues);
  });
});

describe('the sign-in of the console', () => {
  it('is the only function that may read the client secret, whose ARN is a stage variable', () => {
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

  it('has no user pool with another provider', () => {
    expect(deployment.resources('Cognito::UserPool')).toEqual([]);
    expect(Object.keys(deployment.stack('').Outputs ?? {})).not.toContain('UserPoolId');
  });
});

describe('who is an operator', () => {
  const isOfConsole = ({ construct }: Definition) => construct.startsWith('Console');

  it('can be forged by no API, page or worker function: none may read the console’s secret', () => {
    const readers = functions.filter(({ construct }) =>
      deployment
        .statementsOf(construct)
        .some(
          (statement) =>
            actionsOf(statement).includes('secretsmanager:GetSecretValue') &&
            JSON.stringify(statement.Resource).includes('ConsoleSecret'),
        ),
    );
    expect(readers.map(({ construct }) => construct).sort()).toEqual(['ConsoleAct', 'ConsoleShow', 'ConsoleSignIn']);
  });

  it('is written by the console alone: a role that may write the table is denied these partitions', () => {
    const writers = functions.filter(({ needs }) => needs.table === 'readWrite' && !needs.tablePartitions);
    expect(writers.length).toBeGreaterThan(20);
    for (const definition of writers) {
      const denied = deployment.statementsOf(definition.construct).filter(isDeny);
      const partitions = denied.map(({ Condition }) => Condition?.['ForAnyValue:StringLike']?.['dynamodb:LeadingKeys']);
      expect([definition.construct, partitions]).toEqual([
        definition.construct,
        isOfConsole(definition) ? [] : [['CONSOLE', 'SIGNIN#*', 'SESSION#*']],
      ]);
      for (const statement of denied) expect(actionsOf(statement).sort()).toEqual([...write].sort());
    }
    const keys = [operatorKey('a@b.example'), sessionEpochKey, signInKey('h'), sessionKey('h')];
    const patterns = operatorPartitions.map((pattern) => new RegExp(`^${pattern.replace('*', '.*')}$`));
    for (const { pk } of keys) expect(patterns.filter((pattern) => pattern.test(pk))).toHaveLength(1);
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
  it('makes links with the first, and answers under each, so that mailed links keep working', () => {
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

  it('has an output with the target of each domain', () => {
    const outputs = Object.keys(deployment.stack('').Outputs ?? {});
    expect(outputs).toEqual(expect.arrayContaining(['TargetMailExampleCom', 'TargetPostExampleCom']));
  });

  it('closes API Gateway’s own host when the settings say so', () => {
    const [{ DisableExecuteApiEndpoint, Body }] = deployment.properties('ApiGateway::RestApi');
    expect(DisableExecuteApiEndpoint).toBe(true);
    // An import also overwrites what it does not name.
    expect(Body['x-amazon-apigateway-endpoint-configuration']).toEqual({ disableExecuteApiEndpoint: true });
  });

  it('sends alarms to the operator’s address, and sets the domain of tracked links', () => {
    const email = deployment.properties('SNS::Subscription').filter(({ Protocol }) => Protocol === 'email');
    expect(email.map(({ Endpoint }) => Endpoint)).toEqual(['operator@example.com']);
    expect(deployment.properties('SES::ConfigurationSet')[0].TrackingOptions).toMatchObject({
      CustomRedirectDomain: 'click.example.com',
    });
    expect(deployment.warnings).toEqual([]);
  });
});

describe('a deployment with a table of the settings', () => {
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
  it('blocks an address with too many requests, but never unsubscribing', () => {
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
