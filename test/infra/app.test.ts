import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleEndpoints } from '../../infra/consoleEndpoints.ts';
import { endpoints as contractEndpoints, fallback, groupOf } from '../../infra/endpoints.ts';
import {
  feedbackEventTypes,
  feedbackLanes,
  files,
  operatorSchedules,
  type QueueDefinition,
  queues,
  type RuleDefinition,
  rules,
  table,
} from '../../infra/resources.ts';
import { parseSettings } from '../../infra/settings.ts';
import type { errorCodes } from '../../shared/contract/errors.ts';
import { mcpEndpoint } from '../../shared/contract/mcp.ts';
import { methodsOf } from '../../shared/contract/methods.ts';
import { pages as pagesOfContract } from '../../shared/contract/pages.ts';
import { routes as contract } from '../../shared/contract/routes.ts';
import { errorBody } from '../../shared/contract/schemas/error.ts';
import { languageTags } from '../../shared/language/languages.ts';
import { type Deployment, synthesise, synthesisTimeoutMilliseconds } from './synthesis.ts';

interface Operation {
  readonly 'x-amazon-apigateway-integration': { readonly uri: { readonly 'Fn::Join': [string, unknown[]] } };
}

interface MethodSettings {
  readonly HttpMethod: string;
  readonly ResourcePath: string;
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
}

interface GatewayResponse {
  readonly statusCode: string;
  readonly responseParameters: Readonly<Record<string, string>>;
  readonly responseTemplates: { readonly 'application/json': string };
}

/** Of the contract, and of the console; two of its paths share a function. */
const endpoints = [...contractEndpoints, ...consoleEndpoints];
const withFunction = endpoints.filter(({ servedBy }) => !servedBy);

/** Sizes that no function has of its own. */
const memoryMegabytes = { 'emails.send': 896, feedback: 704, sweep: 384 };

let deployment: Deployment;

beforeAll(async () => {
  // All that there may be: the accounts of operators are kept only where the settings ask for it.
  deployment = await synthesise({ console: { userPool: true }, memoryMegabytes });
}, synthesisTimeoutMilliseconds);

const constructOf = (id: string) => id.replace(/(?:^|\W)(\w)/g, (_, letter: string) => letter.toUpperCase());

const propertiesOf = (type: string) => deployment.properties(type);

describe('cdk synth, without an account', () => {
  it('gives each function that the settings name its memory, and no other', () => {
    const sizes = new Set(Object.values(memoryMegabytes));
    const given = deployment
      .resources('Lambda::Function')
      .filter(({ resource }) => sizes.has(resource.Properties.MemorySize))
      .map(({ id, resource }) => [resource.Properties.MemorySize, id.replace(/Function[0-9A-F]{8}$/, '')]);
    expect(given.sort()).toEqual([
      [384, 'SweepRuleWorker'],
      [704, 'FeedbackWorker'],
      [896, 'EmailsSend'],
    ]);
  });

  it('makes stacks that need each other in one direction, none near the 500 resources that CloudFormation takes', () => {
    const sizes = [...deployment.stacks.values()].map(({ Resources }) => Object.keys(Resources).length);
    expect(Math.max(...sizes)).toBeLessThan(100);
  });

  it(
    'fails with the name of a stack that grows past what is allowed',
    async () => {
      await expect(synthesise({}, { '@aws-cdk/core:stackResourceLimit': '30' }, { isStubbed: true })).rejects.toThrow(
        /Number of resources in stack 'mailroom-prod-\w+': \d+ is greater than allowed maximum of 30/,
      );
      const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'cdk.json'), 'utf8'));
      expect(context['@aws-cdk/core:stackResourceLimit']).toBe(450);
    },
    synthesisTimeoutMilliseconds,
  );

  it('gives each group of endpoints a stack of its own', () => {
    const functionsOf = (stack: string) => deployment.resources('Lambda::Function').filter((f) => f.stack === stack);
    const groups = Map.groupBy([...withFunction, fallback], groupOf);
    for (const [group, own] of groups) expect(functionsOf(`mailroom-prod-${group}`)).toHaveLength(own.length);
  });

  it('says what an operator may not have meant: nobody hears of alarms, links lead to an address that may go', () => {
    expect(deployment.said).toMatch(/Nobody is told of alarms/);
    expect(deployment.said).toMatch(/give it a domain .* before the first real mail/);
  });

  it('leaves the host open that API Gateway gives: it may be in mail already', () => {
    const [{ DisableExecuteApiEndpoint, Body }] = propertiesOf('ApiGateway::RestApi');
    expect(DisableExecuteApiEndpoint).toBe(false);
    expect(Body['x-amazon-apigateway-endpoint-configuration']).toEqual({ disableExecuteApiEndpoint: false });
  });

  it('names what the operator’s command line asks a stack for', () => {
    expect(Object.keys(deployment.stack('').Outputs ?? {})).toEqual(
      expect.arrayContaining(['TableName', 'ConfigurationSet', 'PublicUrl', 'SecretId', 'FeedbackQueueUrl']),
    );
  });

  it('lets an operator schedule a campaign: role, group and queue are named, and the role may write to the queue', () => {
    expect(Object.keys(deployment.stack('').Outputs ?? {})).toEqual(
      expect.arrayContaining(['SchedulerRoleArn', 'ScheduleGroup', 'CampaignStartQueueUrl', 'CampaignStartQueueArn']),
    );
    const targets = JSON.stringify(deployment.statementsOf('Schedules').map(({ Resource }) => Resource));
    for (const queue of operatorSchedules) expect(targets).toContain(`${constructOf(queue)}Queue`);
  });
});

describe('the data stack', () => {
  it('keeps the table: on demand, with recovery, protected, expiring items, and every index', () => {
    const [{ resource } = {}] = deployment.resources('DynamoDB::GlobalTable');
    expect(resource?.DeletionPolicy).toBe('Retain');
    const { BillingMode, TimeToLiveSpecification, GlobalSecondaryIndexes, KeySchema, Replicas } =
      resource?.Properties ?? {};
    expect(BillingMode).toBe('PAY_PER_REQUEST');
    expect(TimeToLiveSpecification).toEqual({ AttributeName: table.timeToLive, Enabled: true });
    expect(KeySchema.map((key: { AttributeName: string }) => key.AttributeName)).toEqual(['pk', 'sk']);
    expect(Replicas).toEqual([
      expect.objectContaining({
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    ]);
    const projections = Object.fromEntries(
      GlobalSecondaryIndexes.map((index: { IndexName: string; Projection: { NonKeyAttributes?: string[] } }) => [
        index.IndexName,
        index.Projection.NonKeyAttributes ?? [],
      ]),
    );
    expect(projections).toEqual(Object.fromEntries(table.indexes.map(({ name, projected }) => [name, projected])));
  });

  it('keeps files: encrypted, nobody else’s, over TLS only, without versions, each area with its end', () => {
    const [{ id, resource } = { id: '', resource: null }] = deployment.resources('S3::Bucket');
    expect(resource?.DeletionPolicy).toBe('Retain');
    const { BucketEncryption, PublicAccessBlockConfiguration, LifecycleConfiguration, ...others } =
      resource?.Properties ?? {};
    expect(BucketEncryption.ServerSideEncryptionConfiguration).toEqual([
      { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
    ]);
    expect(Object.values(PublicAccessBlockConfiguration)).toEqual([true, true, true, true]);
    expect(others).toEqual({ OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] } });
    const rules: { Prefix?: string; ExpirationInDays?: number }[] = LifecycleConfiguration.Rules;
    expect(rules.flatMap(({ Prefix, ExpirationInDays }) => (Prefix ? [[Prefix, ExpirationInDays]] : []))).toEqual(
      files.areas.map(({ prefix, expiresAfterDays }) => [prefix, expiresAfterDays]),
    );
    const [{ resource: policy } = { resource: { Properties: {} } }] = deployment.resources('S3::BucketPolicy');
    expect(policy.Properties.Bucket).toEqual({ Ref: id });
    expect(policy.Properties.PolicyDocument.Statement).toEqual([
      expect.objectContaining({
        Effect: 'Deny',
        Principal: { AWS: '*' },
        Action: 's3:*',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    ]);
  });

  it('keeps a service secret of the shape that the functions read', () => {
    const [{ resource: secret } = {}] = deployment.resources('SecretsManager::Secret');
    expect(secret?.DeletionPolicy).toBe('Retain');
    expect(secret?.Properties.GenerateSecretString).toMatchObject({
      GenerateStringKey: 'current',
      SecretStringTemplate: '{}',
      PasswordLength: 64,
    });
  });

  it('keeps the accounts of operators: by invitation, with a second factor, passkeys among them, and their domain', () => {
    const [{ stack, resource: pool } = {}] = deployment.resources('Cognito::UserPool');
    expect([stack, pool?.DeletionPolicy]).toEqual(['mailroom-prod-data', 'Retain']);
    expect(pool?.Properties).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      DeletionProtection: 'ACTIVE',
      EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
      MfaConfiguration: 'ON',
      Policies: { SignInPolicy: { AllowedFirstAuthFactors: ['PASSWORD', 'WEB_AUTHN'] } },
      Schema: [{ Name: 'email', Mutable: false, Required: true }],
      UsernameAttributes: ['email'],
      UsernameConfiguration: { CaseSensitive: false },
      UserPoolTier: 'ESSENTIALS',
      WebAuthnFactorConfiguration: 'MULTI_FACTOR_WITH_USER_VERIFICATION',
      WebAuthnUserVerification: 'required',
    });
    const [domain] = deployment.resources('Cognito::UserPoolDomain');
    expect([domain?.stack, domain?.resource.DeletionPolicy]).toEqual(['mailroom-prod-data', 'Retain']);
    expect(domain?.resource.Properties.ManagedLoginVersion).toBe(2);
  });
});

describe('the console', () => {
  it('is a client of the pool that comes back to one address, with a code alone and without a secret', () => {
    const [client] = deployment.resources('Cognito::UserPoolClient');
    expect(client?.resource.Properties).toMatchObject({
      AllowedOAuthFlows: ['code'],
      AllowedOAuthScopes: ['openid', 'email'],
      GenerateSecret: false,
      PreventUserExistenceErrors: 'ENABLED',
      SupportedIdentityProviders: ['COGNITO'],
    });
    const addresses = [client?.resource.Properties.CallbackURLs, client?.resource.Properties.LogoutURLs].flat();
    expect(addresses.map((address) => JSON.stringify(address).replace(/.*(\/console[^"]*)"\]\]\}$/, '$1'))).toEqual([
      '/console/session/return',
      '/console',
    ]);
    const [style] = deployment.resources('Cognito::ManagedLoginBranding');
    expect(style?.resource.Properties.ClientId).toEqual({ Ref: client?.id });
  });

  it('tells its address, and the command line whom to invite where', () => {
    const outputs = Object.keys(deployment.stack('').Outputs ?? {});
    expect(outputs).toEqual(expect.arrayContaining(['ConsoleUrl', 'UserPoolId', 'OidcIssuer', 'OidcClientId']));
  });

  it('makes and deletes accounts where it acts, and nowhere else', () => {
    const [pool] = deployment.resources('Cognito::UserPool');
    const granted = deployment
      .resources('IAM::Policy')
      .filter(({ resource }) => JSON.stringify(resource.Properties.PolicyDocument).includes('cognito-idp:'));
    expect(granted.map(({ id }) => id)).toEqual([expect.stringMatching(/^ConsoleActRole/)]);
    const [statement] = deployment
      .statementsOf('ConsoleAct')
      .filter(({ Action }) => JSON.stringify(Action).includes('cognito-idp:'));
    expect(statement?.Action).toEqual(['cognito-idp:AdminCreateUser', 'cognito-idp:AdminDeleteUser']);
    expect(deployment.referred('mailroom-prod-console', statement?.Resource).id).toBe(pool?.id);
  });
});

describe('the API', () => {
  /** `GET /api/v1/emails/{id}` by the construct of its function. */
  function wired(): Map<string, string> {
    const [{ stack, resource } = { stack: '', resource: { Properties: { Body: { paths: {} } } } }] =
      deployment.resources('ApiGateway::RestApi');
    const paths: [string, Record<string, Operation>][] = Object.entries(resource.Properties.Body.paths);
    return new Map(
      paths.flatMap(([path, operations]) =>
        Object.entries(operations).map(([method, operation]): [string, string] => {
          const { uri } = operation['x-amazon-apigateway-integration'];
          const arn = uri['Fn::Join'][1].find((part) => Object.hasOwn(Object(part), 'Fn::ImportValue'));
          return [`${method.toUpperCase()} ${path}`, constructIn(deployment.referred(stack, arn).id)];
        }),
      ),
    );
  }

  const constructIn = (id: string) => /^(\w+)Function[0-9A-F]{8}$/.exec(id)?.[1] ?? id;

  it('sends every method of every route and page to its own function', () => {
    const methods = wired();
    const expected = endpoints.flatMap((endpoint) =>
      methodsOf(endpoint).map((method) => [
        `${method} ${endpoint.path}`,
        constructOf(endpoint.servedBy ?? endpoint.id),
      ]),
    );
    expect(expected.map(([route = '']) => [route, methods.get(route)])).toEqual(expected);
    expect(new Set(expected.map(([, construct]) => construct)).size).toBe(withFunction.length);
  });

  it('sends whatever no endpoint takes to the fallback, and nothing else to it', () => {
    const methods = wired();
    const taken = new Set(endpoints.flatMap((endpoint) => methodsOf(endpoint).map((m) => `${m} ${endpoint.path}`)));
    const fallbacks = [...methods].filter(([, construct]) => construct === 'Fallback').map(([route]) => route);
    expect(fallbacks.sort()).toEqual([...methods.keys()].filter((route) => !taken.has(route)).sort());
    expect(fallbacks).toEqual(
      expect.arrayContaining(['POST /', 'DELETE /{proxy+}', 'PUT /api/v1/emails', 'POST /unsubscribe']),
    );
    // All that a REST API knows (API Gateway Developer Guide, "Set up a method").
    const known = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
    const byPath = Map.groupBy(methods.keys(), (route) => route.split(' ')[1]);
    for (const routes of byPath.values()) expect(routes.map((route) => route.split(' ')[0]).sort()).toEqual(known);
  });

  it('may start each function for its own path, and the fallback for any', () => {
    const permitted = deployment
      .resources('Lambda::Permission')
      .filter(({ resource }) => resource.Properties.Principal === 'apigateway.amazonaws.com')
      .map(({ stack, resource: { Properties } }) => [
        constructIn(deployment.referred(stack, Properties.FunctionName).id),
        Properties.SourceArn['Fn::Join'][1].at(-1),
      ]);
    const expected = endpoints.map(({ id, servedBy = id, path }) => [
      constructOf(servedBy),
      `/*/*${path.replaceAll(/\{\w+\+?\}/g, '*')}`,
    ]);
    expect(permitted.sort()).toEqual([...expected, ['Fallback', '/*/*/*']].sort());
  });

  it('turns to a new deployment only when each function of it may be started', () => {
    const [{ resource: stage } = { resource: { DependsOn: [] } }] = deployment.resources('ApiGateway::Stage');
    const permissions = deployment.resources('Lambda::Permission').filter(({ stack }) => stack === 'mailroom-prod');
    expect(permissions).toHaveLength(endpoints.length + 1);
    expect(stage.DependsOn).toEqual(expect.arrayContaining(permissions.map(({ id }) => id)));
  });

  it('has one name for a variable at each place of a path, as API Gateway demands', () => {
    const siblings = new Map<string, Set<string>>();
    for (const path of Object.keys(propertiesOf('ApiGateway::RestApi')[0].Body.paths)) {
      for (const [found, parent, name] of path.matchAll(/(?<=^(.*)\/)(\{\w+\})/g)) {
        if (found) siblings.set(parent ?? '', (siblings.get(parent ?? '') ?? new Set()).add(name ?? ''));
      }
    }
    expect(siblings.size).toBeGreaterThan(3);
    expect([...siblings.values()].filter((names) => names.size > 1)).toEqual([]);
  });

  it('answers in the one shape of errors where no function is asked', () => {
    const [{ Body: document }] = propertiesOf('ApiGateway::RestApi');
    const responses: [string, GatewayResponse][] = Object.entries(document['x-amazon-apigateway-gateway-responses']);
    const statuses: Record<string, number> = {};
    for (const [type, { statusCode, responseParameters, responseTemplates }] of responses) {
      const body = JSON.parse(responseTemplates['application/json']);
      // API Gateway reads a value without quotes as a parameter of the request, and `$` as the start of a variable.
      for (const value of Object.values(responseParameters)) expect(value).toMatch(/^'[^'$]*'$/);
      expect(JSON.stringify(body).match(/\$[\w.]+/g) ?? []).toEqual(
        body.name === 'internal_error' ? ['$context.requestId'] : [],
      );
      expect(responseParameters['gatewayresponse.header.X-RateLimit-Limit']).toBe("'600'");
      expect(responseParameters['gatewayresponse.header.Content-Language']).toBe(`'${languageTags.join(', ')}'`);
      const code: keyof typeof errorCodes = body.error.code;
      expect(errorBody(code).parse(body)).toEqual(body);
      expect(body).toMatchObject({ statusCode: Number(statusCode), name: code, message: body.error.message });
      statuses[type] = body.statusCode;
    }
    expect(statuses).toMatchObject({
      MISSING_AUTHENTICATION_TOKEN: 404,
      REQUEST_TOO_LARGE: 413,
      THROTTLED: 429,
      DEFAULT_4XX: 422,
      DEFAULT_5XX: 500,
      INTEGRATION_TIMEOUT: 500,
      UNAUTHORIZED: 401,
    });
    const [, throttled] = responses.find(([type]) => type === 'THROTTLED') ?? [];
    expect(throttled?.responseParameters).toMatchObject({ 'gatewayresponse.header.Retry-After': "'1'" });
    expect(JSON.parse(throttled?.responseTemplates['application/json'] ?? '').message).toMatch(/too many .* trop de/);
    const [, unauthorised] = responses.find(([type]) => type === 'UNAUTHORIZED') ?? [];
    expect(unauthorised?.responseParameters).toMatchObject({ 'gatewayresponse.header.WWW-Authenticate': "'Bearer'" });
  });

  it('gives each method a budget of its own, and little to whatever no endpoint takes', () => {
    const [{ MethodSettings }] = propertiesOf('ApiGateway::Stage');
    const budgets = MethodSettings.map((settings: MethodSettings) => [
      // The root is a slash, and a slash within a path is `~1` (AWS::ApiGateway::Stage MethodSetting).
      `${settings.HttpMethod} ${settings.ResourcePath.replace(/^\/(?=.)/, '').replaceAll('~1', '/')}`,
      [settings.ThrottlingRateLimit, settings.ThrottlingBurstLimit],
    ]);
    const { routes, pages, console, others } = parseSettings({}).throttles;
    const all = [...contract, mcpEndpoint, ...pagesOfContract, ...consoleEndpoints];
    const expected = all.flatMap((endpoint) => {
      const open = endpoint.path.startsWith('/console') ? console : pages;
      const { perSecond, burst } = 'access' in endpoint && endpoint.access !== 'public' ? routes : open;
      const methods = methodsOf(endpoint);
      return methods.map((method) => [`${method} ${endpoint.path}`, [perSecond, burst]]);
    });
    expect(budgets.sort()).toEqual([...expected, ['* *', [others.perSecond, others.burst]]].sort());
  });

  it('writes a log that is JSON and holds no path as it was called', () => {
    const [stage] = propertiesOf('ApiGateway::Stage');
    expect(JSON.parse(stage.AccessLogSetting.Format)).toMatchObject({ path: '$context.resourcePath' });
    expect(stage.AccessLogSetting.Format).not.toMatch(/context\.(path|requestOverride|authorize)/);
  });
});

describe('functions', () => {
  it('run Node 24 on arm64 with a bundle, a time limit and JSON logs', () => {
    const functions = propertiesOf('Lambda::Function');
    const workers = Object.keys(queues).length + Object.keys(rules).length;
    expect(functions).toHaveLength(withFunction.length + 1 + workers);
    for (const properties of functions) {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: expect.any(Number),
        Timeout: expect.any(Number),
        LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: expect.any(String) } },
        Environment: { Variables: { TABLE_NAME: expect.anything(), UV_THREADPOOL_SIZE: '64' } },
      });
    }
  });

  it('have no setting among their variables but workers that read it, so that a changed one touches few of them', () => {
    const [{ Variables }] = propertiesOf('ApiGateway::Stage');
    expect(Object.keys(Variables).sort()).toEqual([
      'CONSOLE_URL',
      'EMAIL_LIST',
      'EMAIL_RETENTION_DAYS',
      'OIDC_CLIENT_ID',
      'OIDC_ISSUER',
      'PUBLIC_URL',
      'REQUESTS_PER_MINUTE',
      'USER_POOL_ID',
    ]);
    const given = deployment.resources('Lambda::Function').flatMap(({ id, resource }) => {
      const own = Object.keys(resource.Properties.Environment.Variables).filter((name) => name in Variables);
      return own.map((name) => `${/^\w+(?=Function[0-9A-F]{8}$)/.exec(id)?.[0]} ${name}`);
    });
    const expected: [string, QueueDefinition | RuleDefinition][] = [
      ...Object.values(queues).map((queue): [string, QueueDefinition] => [`${constructOf(queue.name)}Worker`, queue]),
      ...Object.values(rules).map((rule): [string, RuleDefinition] => [`${constructOf(rule.name)}RuleWorker`, rule]),
    ];
    expect(given.sort()).toEqual(
      expected.flatMap(([name, { settings = [] }]) => settings.map((setting) => `${name} ${setting}`)).sort(),
    );
  });

  it('keep their logs for a limited time', () => {
    const groups = propertiesOf('Logs::LogGroup');
    expect(groups.length).toBeGreaterThan(endpoints.length);
    for (const group of groups) expect(group.RetentionInDays).toBe(30);
  });
});

describe('alarms', () => {
  const alarmNamed = (name: string) =>
    deployment.resources('CloudWatch::Alarm').find(({ id }) => new RegExp(`^Alarms${name}[0-9A-F]{8}$`).test(id))
      ?.resource.Properties;

  it('tell their one topic when something is wrong, and when it is well again', () => {
    const alarms = deployment.resources('CloudWatch::Alarm');
    expect(alarms.length).toBeGreaterThan(15);
    for (const { stack, resource } of alarms) {
      const { AlarmActions, OKActions } = resource.Properties;
      expect(OKActions).toEqual(AlarmActions);
      expect(deployment.referred(stack, AlarmActions[0]).id).toMatch(/^AlarmTopic/);
    }
  });

  it('tell the API of one deployment from another’s', () => {
    expect(propertiesOf('ApiGateway::RestApi')[0].Name).toBe('mailroom-prod');
    for (const name of ['ApiErrors', 'ApiFailing', 'Flood']) {
      expect(alarmNamed(name).Dimensions).toEqual([{ Name: 'ApiName', Value: 'mailroom-prod' }]);
    }
  });

  it('see a deployment whose every call fails by its one call', () => {
    const average = { MetricName: '5XXError', Statistic: 'Average', Threshold: 0.5, EvaluationPeriods: 1 };
    expect(alarmNamed('ApiFailing')).toMatchObject(average);
    expect(alarmNamed('ApiErrors')).toMatchObject({ MetricName: '5XXError', Statistic: 'Sum', Threshold: 5 });
  });

  it.each(['WorkspaceSuspended', 'ProviderRefused', 'SendingPaused'])('hear of the first %s', (name) => {
    const services = propertiesOf('Lambda::Function').map(
      ({ Environment }) => Environment.Variables.POWERTOOLS_SERVICE_NAME,
    );
    expect(new Set(services)).toEqual(new Set(['mailroom-prod']));
    expect(alarmNamed(name)).toMatchObject({
      Namespace: 'Mailroom',
      MetricName: name,
      Dimensions: [{ Name: 'service', Value: 'mailroom-prod' }],
      Threshold: 1,
      TreatMissingData: 'notBreaching',
    });
  });
});

describe('the dashboard', () => {
  it('shows sends, outcomes, queues, errors, units and cost', () => {
    const [{ DashboardName, DashboardBody }] = propertiesOf('CloudWatch::Dashboard');
    expect(DashboardName).toBe('mailroom-prod-us-east-1');
    const body = JSON.parse(
      DashboardBody['Fn::Join'][1].map((part: unknown) => (typeof part === 'string' ? part : 'token')).join(''),
    );
    const metrics: unknown[] = body.widgets.flatMap(
      ({ properties }: { properties: { metrics: unknown[] } }) => properties.metrics,
    );
    const text = JSON.stringify(metrics);
    const names = [
      'Send',
      'Delivery',
      'Bounce',
      'Complaint',
      'WorkspaceSuspended',
      '5XXError',
      'ConsumedWriteCapacityUnits',
    ];
    for (const name of names) expect(text).toContain(name);
    expect(text.match(/ApproximateAgeOfOldestMessage/g)).toHaveLength(Object.keys(queues).length);
    expect(body.widgets.at(-1).properties.title).toMatch(/Dollars/);
  });
});

describe('queues', () => {
  const deadLettersOf = (properties: { RedrivePolicy?: { deadLetterTargetArn: { 'Fn::GetAtt': [string] } } }) =>
    properties.RedrivePolicy?.deadLetterTargetArn['Fn::GetAtt'][0];

  it('have a dead-letter queue each, with an alarm on it', () => {
    const all = deployment.resources('SQS::Queue');
    const deadLetters = all.map(({ resource }) => deadLettersOf(resource.Properties)).filter((id) => id !== undefined);
    expect(new Set(deadLetters).size).toBe(Object.keys(queues).length);
    expect(all).toHaveLength(2 * Object.keys(queues).length);
    const alarmed = propertiesOf('CloudWatch::Alarm')
      .filter(({ MetricName, Threshold }) => MetricName === 'ApproximateNumberOfMessagesVisible' && Threshold === 1)
      .map(({ Dimensions }) => Dimensions[0].Value['Fn::GetAtt'][0]);
    expect(alarmed.sort()).toEqual(deadLetters.sort());
  });

  it('hide a message for six times as long as its worker may take, and are read as the definition says', () => {
    const mappings = deployment.resources('Lambda::EventSourceMapping');
    expect(mappings).toHaveLength(Object.keys(queues).length);
    for (const { stack, resource } of mappings) {
      const { EventSourceArn, FunctionName, FunctionResponseTypes, ScalingConfig, BatchSize } = resource.Properties;
      const queue = deployment.referred(stack, EventSourceArn).resource.Properties;
      const worker = deployment.referred(stack, FunctionName).resource.Properties;
      expect(queue.VisibilityTimeout).toBe(6 * worker.Timeout);
      expect(FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      expect(ScalingConfig.MaximumConcurrency).toBeGreaterThanOrEqual(2);
      expect(BatchSize).toBeGreaterThan(0);
    }
  });

  it('refuse connections without TLS', () => {
    const guarded = propertiesOf('SQS::QueuePolicy')
      .filter(({ PolicyDocument }) => JSON.stringify(PolicyDocument).includes('"aws:SecureTransport":"false"'))
      .flatMap(({ Queues }) => Queues.map(({ Ref }: { Ref: string }) => Ref));
    expect(guarded.sort()).toEqual(
      deployment
        .resources('SQS::Queue')
        .map(({ id }) => id)
        .sort(),
    );
  });
});

describe('feedback', () => {
  it('is published by SES, for every type of event, to an encrypted topic that leads to the queue', () => {
    const [destination] = propertiesOf('SES::ConfigurationSetEventDestination');
    const camelCase = feedbackEventTypes.map((type) =>
      type.toLowerCase().replace(/_./g, (pair) => (pair[1] ?? '').toUpperCase()),
    );
    expect(destination.EventDestination).toMatchObject({ Enabled: true, MatchingEventTypes: camelCase });
    const topic = destination.EventDestination.SnsDestination.TopicARN.Ref;
    expect(deployment.stack('messaging').Resources[topic]?.Properties.KmsMasterKeyId).toBeDefined();
    const [subscription] = propertiesOf('SNS::Subscription');
    expect(subscription).toMatchObject({ Protocol: 'sqs', RawMessageDelivery: true, TopicArn: { Ref: topic } });
    const endpoint = deployment.stack('messaging').Resources[subscription.Endpoint['Fn::GetAtt'][0]];
    expect(endpoint?.Properties.VisibilityTimeout).toBe(6 * queues.feedback.workerTimeoutSeconds);
  });

  it('may be published by SES for this account and this configuration set only', () => {
    const statements = propertiesOf('SNS::TopicPolicy').flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    const publishing = statements.filter(
      ({ Effect, Principal }) => Effect === 'Allow' && Principal.Service === 'ses.amazonaws.com',
    );
    expect(publishing).toHaveLength(feedbackLanes.length);
    for (const { Condition } of publishing) {
      expect(Condition.StringEquals['AWS:SourceAccount']).toEqual({ Ref: 'AWS::AccountId' });
      expect(JSON.stringify(Condition.StringEquals['AWS:SourceArn'])).toContain('configuration-set/');
    }
  });
});
