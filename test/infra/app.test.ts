import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Aws, Stack } from 'aws-cdk-lib';
import type { Resources } from '../../infra/constructs/needs.ts';
import { ServiceFunction } from '../../infra/constructs/serviceFunction.ts';
import { consoleEndpoints, endpoints as contractEndpoints, fallback, groupOf } from '../../infra/endpoints.ts';
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
import { closedPaths, mcpEndpoint, pages as pagesOfContract, resendEndpoint } from '../../shared/contract/endpoints.ts';
import type { errorCodes } from '../../shared/contract/errors.ts';
import { routes as contract } from '../../shared/contract/routes.ts';
import { methodsOf, targetsAt } from '../../shared/contract/routing.ts';
import { errorBody } from '../../shared/contract/schemas/errorBody.ts';
import { languageTags } from '../../shared/language/languages.ts';
import { type Deployment, deploymentOf, fullSettings, uncheckedApp } from './deployment.ts';
import { checkedStacks, checkedSynthesisMilliseconds } from './synthesis.ts';

interface Operation {
  readonly 'x-amazon-apigateway-integration': {
    readonly uri: { readonly 'Fn::Join': [string, unknown[]] };
    readonly credentials: { readonly 'Fn::GetAtt': [string, string] };
  };
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

/** Of the contract and of the console, of whose paths two share a function. */
const endpoints = [...contractEndpoints, ...consoleEndpoints];
const withFunction = endpoints.filter(({ servedBy }) => !servedBy);

/** Sizes that no function has by default. */
const memoryMegabytes = { 'emails.send': 896, feedback: 704, sweep: 384 };

let deployment: Deployment;

beforeAll(() => {
  // Operators have accounts only when the settings ask for a user pool.
  deployment = deploymentOf({
    console: { userPool: true },
    memoryMegabytes,
    dashboard: true,
    topicKey: true,
    domains: [],
  });
});

const constructOf = (id: string) => id.replace(/(?:^|\W)(\w)/g, (_, letter: string) => letter.toUpperCase());

const propertiesOf = (type: string) => deployment.properties(type);

describe('cdk synth, without an account', () => {
  it(
    'passes cdk-nag and the template rules of CloudFormation, with a user pool and with every other setting',
    async () => {
      const stacks = await checkedStacks([{ console: { userPool: true }, memoryMegabytes }, fullSettings]);
      for (const stage of ['prod', 'dev']) expect(stacks).toContain(`mailroom-${stage}-console`);
      expect(stacks).toHaveLength(2 * deployment.stacks.size);
    },
    checkedSynthesisMilliseconds,
  );

  it('gives the memory of the settings to the functions that they name, and to no other', () => {
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

  it('makes stacks far below CloudFormation’s limit of 500 resources', () => {
    const typesOf = ({ Resources }: { Resources: Record<string, { Type: string }> }) =>
      Object.values(Resources).map(({ Type }) => Type);
    const sizes = [...deployment.stacks.values()].map((stack) => typesOf(stack).length);
    expect(Math.max(...sizes)).toBeLessThan(100);
  });

  it('fails with the name of a stack that exceeds the limit of resources', () => {
    const limited = { '@aws-cdk/core:stackResourceLimit': 30 };
    expect(() => deploymentOf({}, { context: limited })).toThrow(
      /Number of resources in stack 'mailroom-prod-\w+': \d+ is greater than allowed maximum of 30/,
    );
    const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'cdk.json'), 'utf8'));
    expect(context['@aws-cdk/core:stackResourceLimit']).toBe(450);
  });

  it('gives each group of endpoints its own stack', () => {
    const functionsOf = (stack: string) => deployment.resources('Lambda::Function').filter((f) => f.stack === stack);
    const groups = Map.groupBy([...withFunction, fallback], groupOf);
    for (const [group, own] of groups) expect(functionsOf(`mailroom-prod-${group}`)).toHaveLength(own.length);
  });

  it('warns when alarms notify no one and when links have no domain', () => {
    const { warnings } = deploymentOf({ alarmEmail: '', domains: [] });
    expect(warnings).toEqual([
      expect.stringMatching(/Alarms notify no one/),
      expect.stringMatching(/set a domain in .* before the first real mail/),
    ]);
  });

  it('leaves API Gateway’s own host open, which may be in mailed links', () => {
    const [{ DisableExecuteApiEndpoint, Body }] = propertiesOf('ApiGateway::RestApi');
    expect(DisableExecuteApiEndpoint).toBe(false);
    expect(Body['x-amazon-apigateway-endpoint-configuration']).toEqual({ disableExecuteApiEndpoint: false });
  });

  it('has the outputs that the command line reads', () => {
    expect(Object.keys(deployment.stack('').Outputs ?? {})).toEqual(
      expect.arrayContaining([
        'TableName',
        'ConfigurationSet',
        'PublicUrl',
        'SecretId',
        'FilesBucket',
        'QueueUrlPrefix',
      ]),
    );
  });

  it('lets an operator schedule a campaign: role, group and queue are outputs, and the role may write to the queue', () => {
    expect(Object.keys(deployment.stack('').Outputs ?? {})).toEqual(
      expect.arrayContaining(['SchedulerRoleArn', 'ScheduleGroup', 'QueueUrlPrefix', 'QueueArnPrefix']),
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

  it('keeps files: encrypted, private, over TLS only, without versions, each area with its expiry', () => {
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

  it('keeps a service secret in the form that the functions read', () => {
    const [{ resource: secret } = {}] = deployment.resources('SecretsManager::Secret');
    expect(secret?.DeletionPolicy).toBe('Retain');
    expect(secret?.Properties.GenerateSecretString).toMatchObject({
      GenerateStringKey: 'current',
      SecretStringTemplate: '{}',
      PasswordLength: 64,
    });
  });

  it('keeps the accounts of operators: by invitation, with a second factor or a passkey, and with their domain', () => {
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
  it('is a public client of the pool with one callback address and the code flow only', () => {
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

  it('has outputs with its address and its provider', () => {
    const outputs = Object.keys(deployment.stack('').Outputs ?? {});
    expect(outputs).toEqual(expect.arrayContaining(['ConsoleUrl', 'UserPoolId', 'OidcIssuer', 'OidcClientId']));
  });

  it('may create and delete accounts only in the function that acts', () => {
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
          const arn = uri['Fn::Join'][1].find((part) => Object.hasOwn(Object(part), 'Fn::GetStackOutput'));
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

  it('sends every other method and path to the fallback, and nothing else', () => {
    const methods = wired();
    const taken = new Set(endpoints.flatMap((endpoint) => methodsOf(endpoint).map((m) => `${m} ${endpoint.path}`)));
    const fallbacks = [...methods].filter(([, construct]) => construct === 'Fallback').map(([route]) => route);
    expect(fallbacks.sort()).toEqual([...methods.keys()].filter((route) => !taken.has(route)).sort());
    expect(fallbacks).toEqual(
      expect.arrayContaining(['POST /', 'DELETE /{proxy+}', 'PUT /api/v1/emails', 'POST /unsubscribe']),
    );
    // No path of its own, so that its calls are answered by the fallback too.
    const paths = [...methods.keys()].map((route) => ({ path: route.split(' ')[1] ?? '' }));
    for (const { path } of closedPaths) expect(targetsAt(paths, path)[0]?.target.path).toBe('/{proxy+}');
    // All methods of a REST API (API Gateway Developer Guide, "Set up a method").
    const known = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];
    const byPath = Map.groupBy(methods.keys(), (route) => route.split(' ')[1]);
    for (const routes of byPath.values()) expect(routes.map((route) => route.split(' ')[0]).sort()).toEqual(known);
  });

  it('invokes each function by the role of its group, which may invoke the functions of that group and no others', () => {
    const [{ stack, resource } = { stack: '', resource: { Properties: { Body: { paths: {} } } } }] =
      deployment.resources('ApiGateway::RestApi');
    const paths: Record<string, Record<string, Operation>> = resource.Properties.Body.paths;
    const invoked = Map.groupBy(
      Object.values(paths).flatMap((operations) => Object.values(operations)),
      (operation) => operation['x-amazon-apigateway-integration'].credentials['Fn::GetAtt'][0],
    );
    const roles = deployment.resources('IAM::Role').filter(({ id }) => invoked.has(id));
    expect(roles.map(({ id }) => id).sort()).toEqual([...invoked.keys()].sort());
    expect(roles).toHaveLength(new Set([...withFunction, fallback].map(groupOf)).size);
    for (const { id, resource: role } of roles) {
      const { AssumeRolePolicyDocument: trust, Policies: policies, ManagedPolicyArns: managed } = role.Properties;
      expect(trust.Statement).toEqual([
        { Effect: 'Allow', Action: 'sts:AssumeRole', Principal: { Service: 'apigateway.amazonaws.com' } },
      ]);
      expect(managed).toBeUndefined();
      const statements = policies.flatMap((policy: { PolicyDocument: { Statement: object[] } }) => {
        return policy.PolicyDocument.Statement;
      });
      expect(statements).toEqual([{ Effect: 'Allow', Action: 'lambda:InvokeFunction', Resource: expect.anything() }]);
      const named = (arn: unknown) => deployment.referred(stack, arn);
      const allowed = [statements[0].Resource].flat().map(named);
      const used = (invoked.get(id) ?? []).map((operation) => {
        const { uri } = operation['x-amazon-apigateway-integration'];
        return named(uri['Fn::Join'][1].find((part) => Object.hasOwn(Object(part), 'Fn::GetStackOutput')));
      });
      expect(new Set(allowed.map((one) => one.id))).toEqual(new Set(used.map((one) => one.id)));
      expect(allowed.every(({ stack: own }) => own !== stack)).toBe(true);
    }
    expect(deployment.resources('Lambda::Permission').filter((one) => one.stack === stack)).toEqual([]);
  });

  it('changes to a new deployment only when it may invoke all of its functions', () => {
    const [{ resource: stage } = { resource: { DependsOn: [] } }] = deployment.resources('ApiGateway::Stage');
    const invokers = deployment.resources('IAM::Role').filter(({ id }) => id.startsWith('ApiInvoke'));
    expect(invokers.length).toBeGreaterThan(10);
    expect(stage.DependsOn).toEqual(expect.arrayContaining(invokers.map(({ id }) => id)));
  });

  it('has one name for the variable at each position of a path, as API Gateway requires', () => {
    const siblings = new Map<string, Set<string>>();
    for (const path of Object.keys(propertiesOf('ApiGateway::RestApi')[0].Body.paths)) {
      for (const [found, parent, name] of path.matchAll(/(?<=^(.*)\/)(\{\w+\})/g)) {
        if (found) siblings.set(parent ?? '', (siblings.get(parent ?? '') ?? new Set()).add(name ?? ''));
      }
    }
    expect(siblings.size).toBeGreaterThan(3);
    expect([...siblings.values()].filter((names) => names.size > 1)).toEqual([]);
  });

  it('answers its own errors in the API’s one form', () => {
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

  it('gives each method the throttle of its use, and a small one to HEAD and everything else', () => {
    const [{ MethodSettings }] = propertiesOf('ApiGateway::Stage');
    const budgets = MethodSettings.map((settings: MethodSettings) => [
      // The root is a slash, and a slash within a path is `~1` (AWS::ApiGateway::Stage MethodSetting).
      `${settings.HttpMethod} ${settings.ResourcePath.replace(/^\/(?=.)/, '').replaceAll('~1', '/')}`,
      [settings.ThrottlingRateLimit, settings.ThrottlingBurstLimit],
    ]);
    const { throttles } = parseSettings({});
    const { others } = throttles;
    const all = [...contract, mcpEndpoint, resendEndpoint, ...pagesOfContract, ...consoleEndpoints];
    const expected = all.flatMap(({ path, throttle = 'pages', ...target }) => {
      const { perSecond, burst } = throttles[throttle];
      const methods = methodsOf(target).filter((method) => method !== 'HEAD');
      return throttle === 'others' ? [] : methods.map((method) => [`${method} ${path}`, [perSecond, burst]]);
    });
    expect(budgets.sort()).toEqual([...expected, ['* *', [others.perSecond, others.burst]]].sort());
  });

  it('lets what runs a workspace be called 5 times a second, and sends as often as before', () => {
    const settings: MethodSettings[] = propertiesOf('ApiGateway::Stage')[0].MethodSettings;
    const rateOf = (method: string, path: string) =>
      settings.find((one) => one.HttpMethod === method && one.ResourcePath === `/${path.replaceAll('/', '~1')}`)
        ?.ThrottlingRateLimit;
    expect(rateOf('POST', '/api/v1/emails')).toBe(100);
    expect(rateOf('GET', '/api/v1/emails/{id}')).toBe(20);
    for (const path of ['/api/v1/campaigns', '/api/v1/webhooks', '/api/v1/templates']) {
      expect([path, rateOf('POST', path), rateOf('GET', path)]).toEqual([path, 5, 5]);
    }
    const wantKey = contract.filter(({ access }) => access !== 'public').map(({ throttle }) => throttle);
    expect([...new Set(wantKey)].sort()).toEqual(['administration', 'lookups', 'routes']);
  });

  it('can be deployed with a share of all throttles', () => {
    const lowered = deploymentOf({ throttlePercent: 10 }).properties('ApiGateway::Stage')[0].MethodSettings;
    const usual = propertiesOf('ApiGateway::Stage')[0].MethodSettings;
    const rates = (all: MethodSettings[]) => all.map(({ ThrottlingRateLimit }) => ThrottlingRateLimit);
    expect(rates(lowered)).toEqual(rates(usual).map((rate) => Math.round(rate * 10) / 100));
    for (const { ThrottlingBurstLimit } of lowered) expect(ThrottlingBurstLimit).toBeGreaterThanOrEqual(1);
  });

  it('has a policy that lets its role change throttles and nothing else', () => {
    const [{ PolicyDocument }] = propertiesOf('IAM::ManagedPolicy');
    const actions = PolicyDocument.Statement.flatMap(({ Action }: { Action: string | string[] }) => Action);
    expect(actions.sort()).toEqual([
      'apigateway:GET',
      'apigateway:PATCH',
      'cloudformation:DescribeStacks',
      'cloudformation:GetTemplate',
      'dynamodb:PutItem',
      'dynamodb:UpdateItem',
    ]);
    expect(JSON.stringify(PolicyDocument)).toContain('/restapis/');
    expect(JSON.stringify(PolicyDocument)).not.toMatch(/"\*"|\/\*/);
    expect(Object.keys(deployment.stack('').Outputs ?? {})).toEqual(
      expect.arrayContaining(['RestApiId', 'Stage', 'ThrottlePolicyArn']),
    );
  });

  it('writes an access log in JSON, with the paths of the contract and not of the calls', () => {
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

  it('have no setting among their variables, except workers that read it, so that a change updates few functions', () => {
    const [{ Variables }] = propertiesOf('ApiGateway::Stage');
    expect(Object.keys(Variables).sort()).toEqual([
      'CAMPAIGN_RUNNERS',
      'CONSOLE_URL',
      'DNS_RESOLVER',
      'EMAIL_HOT_DAYS',
      'EMAIL_LIST',
      'EMAIL_RETENTION_DAYS',
      'EVENT_RETENTION_DAYS',
      'KEY_CONFIRMATIONS_PER_DAY',
      'MAIL_ACTIVITY',
      'OIDC_CLIENT_ID',
      'OIDC_ISSUER',
      'PUBLIC_URL',
      'REFUSED_DOMAINS',
      'REQUESTS_PER_MINUTE',
      'SENDING',
      'SIGN_UPS_PER_HOUR',
      'UNCONFIRMED_DAYS',
      'USER_POOL_ID',
      'WORKSPACE_METRICS',
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

  it('have variables far below the 4 KB that Lambda takes, also under the longest names, or the synthesis fails', () => {
    const longest = { stage: 'thelongestofallnames', region: 'ap-southeast-1', domains: [] };
    for (const { Environment } of deploymentOf(longest).properties('Lambda::Function')) {
      expect(JSON.stringify(Environment.Variables).length).toBeLessThan(2500);
    }
  });

  it('cannot be synthesized with more variables than Lambda takes', () => {
    const app = uncheckedApp();
    const variables = { LONG: 'x'.repeat(3100), NAME: Aws.STACK_NAME, OTHER: `${Aws.STACK_ID}/${Aws.REGION}` };
    new ServiceFunction(new Stack(app, 'Test'), 'Talker', {
      settings: parseSettings({}),
      resources: { table: { tableName: 'table' }, feedback: new Map() } as unknown as Resources,
      bundles: new Map([['talker.ts', { folder: import.meta.dirname, bytes: 0, modules: [] }]]),
      name: 'talker',
      description: 'Has too many variables',
      entry: 'talker.ts',
      needs: {},
      timeoutSeconds: 1,
      variables,
    });
    expect(() => app.synth()).toThrow(/\[Test\/Talker\] Its variables may have 3[56]\d\d bytes/);
  });

  it('allow recursive loops exactly where their messages lead back to them', () => {
    // The SDK's SQS client passes the trace by which Lambda ends such a chain after some 16 rounds.
    const allowed = propertiesOf('Lambda::Function').filter(({ RecursiveLoop }) => RecursiveLoop === 'Allow');
    const workers = [
      ...[
        'webhook-delivery',
        'webhook-delivery-bulk',
        'campaign',
        'campaign-start',
        'confirmation',
        'job',
        'automation',
      ],
    ];
    expect(allowed.map(({ Description }) => Description).sort()).toEqual(
      workers.map((queue) => `Mailroom: reads the queue ${queue}`).sort(),
    );
    const sendingToTheirOwn = Object.values(queues).filter(({ name, needs }: QueueDefinition) =>
      needs.queues?.includes(name),
    );
    expect(sendingToTheirOwn.map(({ name }) => name).sort()).toEqual(workers.sort());
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

  it('notify one topic when they begin and when they end', () => {
    const alarms = deployment.resources('CloudWatch::Alarm');
    expect(alarms.length).toBeGreaterThan(10);
    for (const { stack, resource } of alarms) {
      const { AlarmActions, OKActions } = resource.Properties;
      expect(OKActions).toEqual(AlarmActions);
      expect(deployment.referred(stack, AlarmActions[0]).id).toMatch(/^AlarmTopic/);
    }
  });

  it('are in the page about alarms, by the names in their mails', () => {
    const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'alarms.md'), 'utf8');
    const names = deployment
      .resources('CloudWatch::Alarm')
      .map(({ id }) => /^Alarms(.+)[0-9A-F]{8}$/.exec(id)?.[1]?.replace(/^(TableThrottled).+/, '$1…'));
    expect(names).toContain('SweepRule');
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  it('distinguish the APIs of deployments by name', () => {
    expect(propertiesOf('ApiGateway::RestApi')[0].Name).toBe('mailroom-prod');
    for (const name of ['ApiErrors', 'ApiFailing', 'Flood', 'Requests']) {
      expect(alarmNamed(name).Dimensions).toEqual([{ Name: 'ApiName', Value: 'mailroom-prod' }]);
    }
  });

  it('go off within five minutes of a flood, refused or answered', () => {
    const minutes = { Period: 60, EvaluationPeriods: 2 };
    expect(alarmNamed('Flood')).toMatchObject({
      ...minutes,
      MetricName: '4XXError',
      Statistic: 'Sum',
      Threshold: 2000,
    });
    expect(alarmNamed('Requests')).toMatchObject({ ...minutes, MetricName: 'Count', Threshold: 6000 });
  });

  it('catch a deployment whose only call fails', () => {
    const average = { MetricName: '5XXError', Statistic: 'Average', Threshold: 0.5, EvaluationPeriods: 1 };
    expect(alarmNamed('ApiFailing')).toMatchObject(average);
    expect(alarmNamed('ApiErrors')).toMatchObject({ MetricName: '5XXError', Statistic: 'Sum', Threshold: 5 });
  });

  it.each(['WorkspaceSuspended', 'ProviderRefused', 'SendingPaused', 'FeedbackSilent', 'SendingDayNearlyUsed'])(
    'are raised by the first %s',
    (name) => {
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
    },
  );
});

interface Dimension {
  readonly Name: string;
  readonly Value: unknown;
}
describe('alarms on what nobody is told of', () => {
  const alarmOf = (name: string) => {
    const found = deployment.resources('CloudWatch::Alarm').find(({ id }) => id.startsWith(`Alarms${name}`));
    return { stack: found?.stack ?? '', properties: found?.resource.Properties };
  };

  it('watch the table and every index of it', () => {
    const alarms = deployment.resources('CloudWatch::Alarm').filter(({ id }) => id.startsWith('AlarmsTableThrottled'));
    const watched = alarms.map(({ stack, resource: { Properties } }) => {
      const dimensions: Dimension[] = Properties.Dimensions;
      const index = dimensions.find(({ Name }) => Name === 'GlobalSecondaryIndexName')?.Value;
      const ofTable = dimensions.find(({ Name }) => Name === 'TableName')?.Value;
      expect(deployment.referred(stack, ofTable).id).toMatch(/^Table/);
      expect(Properties).toMatchObject({ Threshold: 1, Statistic: 'Sum', TreatMissingData: 'notBreaching' });
      return [Properties.MetricName, index ?? null];
    });
    const [{ GlobalSecondaryIndexes: all }] = propertiesOf('DynamoDB::GlobalTable');
    const indexes = all.map(({ IndexName }: { IndexName: string }) => ['WriteThrottleEvents', IndexName]);
    expect(watched.sort()).toEqual([['ReadThrottleEvents', null], ['WriteThrottleEvents', null], ...indexes].sort());
  });

  it('watch schedules of the deployment, and functions of the whole account', () => {
    const { properties } = alarmOf('SchedulesDropped');
    expect(properties).toMatchObject({
      Namespace: 'AWS/Scheduler',
      MetricName: 'InvocationDroppedCount',
      Threshold: 1,
    });
    const [{ Name }] = propertiesOf('Scheduler::ScheduleGroup');
    expect(properties.Dimensions).toEqual([{ Name: 'ScheduleGroup', Value: Name }]);
    const functions = alarmOf('FunctionsThrottled').properties;
    expect(functions).toMatchObject({ Namespace: 'AWS/Lambda', MetricName: 'Throttles', Threshold: 1 });
    expect(functions.Dimensions).toBeUndefined();
  });

  it('may tell an endpoint and a topic of the user’s own too', () => {
    const own = 'arn:aws:sns:us-east-1:123456789012:on-call';
    const other = deploymentOf({ alarmEndpoint: 'https://on-call.example.com/sns', alarmTopicArn: own });
    const endpoints = other.properties('SNS::Subscription').map(({ Protocol, Endpoint }) => [Protocol, Endpoint]);
    expect(endpoints).toContainEqual(['https', 'https://on-call.example.com/sns']);
    for (const { AlarmActions, OKActions } of other.properties('CloudWatch::Alarm')) {
      expect(AlarmActions).toEqual([expect.anything(), own]);
      expect(OKActions).toEqual(AlarmActions);
    }
    expect(other.stack('messaging').Outputs).toHaveProperty('AlarmTopicArn');
  });
});

describe('traces and report lines', () => {
  const watched = ({
    TracingConfig,
    LoggingConfig,
  }: {
    TracingConfig?: object;
    LoggingConfig: { SystemLogLevel: string };
  }) => JSON.stringify([TracingConfig ?? null, LoggingConfig.SystemLogLevel]);
  const ways = (of: Deployment) => [...new Set(of.properties('Lambda::Function').map(watched))];
  const stages = (of: Deployment) => of.properties('ApiGateway::Stage').map(({ TracingEnabled }) => TracingEnabled);

  it('are there when the settings ask for them, on every function', () => {
    expect(ways(deployment)).toEqual([JSON.stringify([null, 'WARN'])]);
    expect(stages(deployment)).toEqual([false]);
    const other = deploymentOf({ tracing: true, reportLines: true });
    expect(ways(other)).toEqual([JSON.stringify([{ Mode: 'Active' }, 'INFO'])]);
    expect(stages(other)).toEqual([true]);
  });
});

describe('the setting concurrency', () => {
  it('shares out the runs of workers', () => {
    const runs = (of: Deployment): number[] =>
      of.properties('Lambda::EventSourceMapping').map(({ ScalingConfig }) => ScalingConfig.MaximumConcurrency);
    const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
    expect(sum(runs(deployment))).toBe(Object.values(queues).reduce((total, one) => total + one.maxConcurrency, 0));
    const small = runs(deploymentOf({ concurrency: 50 }));
    expect(sum(small)).toBeLessThanOrEqual(50);
    expect(Math.min(...small)).toBeGreaterThanOrEqual(2);
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

  it('have a dead-letter queue each, those of events one more, and the sweep looks at all', () => {
    const all = deployment.resources('SQS::Queue');
    const deadLetters = all.map(({ resource }) => deadLettersOf(resource.Properties)).filter((id) => id !== undefined);
    expect(new Set(deadLetters).size).toBe(Object.keys(queues).length);
    expect(all).toHaveLength(2 * Object.keys(queues).length + feedbackLanes.length);
    const [sweep] = deployment.resources('Lambda::Function').filter(({ id }) => id.startsWith('SweepRule'));
    expect(sweep?.resource.Properties.Environment.Variables.WATCHED_QUEUES.split(',').sort()).toEqual(
      Object.keys(queues).sort(),
    );
    const watched = deployment
      .statementsOf('SweepRuleWorker')
      .filter(({ Action }) => [Action].flat().includes('sqs:GetQueueAttributes'))
      .flatMap(({ Resource }) => [Resource].flat().map((arn) => deployment.referred('mailroom-prod-workers', arn).id));
    expect(watched.sort()).toEqual(all.map(({ id }) => id).sort());
  });

  it('hide a message for six times the worker’s time limit, and have the definition’s event source', () => {
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
  it('goes from SES, for every type of event, through an encrypted topic to the queue', () => {
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

  it('that SNS cannot deliver waits in a queue of its lane that no worker reads, filled by this subscription alone', () => {
    const { Resources } = deployment.stack('messaging');
    const subscriptions = propertiesOf('SNS::Subscription').filter(({ RawMessageDelivery }) => RawMessageDelivery);
    const targets = subscriptions.map(({ RedrivePolicy }) => RedrivePolicy.deadLetterTargetArn['Fn::GetAtt'][0]);
    expect(targets.map((id) => Resources[id]?.Properties.QueueName)).toEqual(
      feedbackLanes.map(({ queue }) => `mailroom-prod-${queue}-undelivered`),
    );
    const read = deployment.resources('Lambda::EventSourceMapping').map(({ stack, resource }) => {
      return deployment.referred(stack, resource.Properties.EventSourceArn).id;
    });
    const filled = propertiesOf('SQS::QueuePolicy').flatMap(({ Queues: [queue], PolicyDocument }) => {
      const senders = PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect === 'Allow');
      return senders.map(({ Condition }: { Condition: object }) => [queue.Ref, Condition]);
    });
    for (const [index, id] of targets.entries()) {
      expect(read).not.toContain(id);
      const source = { ArnEquals: { 'aws:SourceArn': subscriptions[index].TopicArn } };
      expect(filled.filter(([queue]) => queue === id)).toEqual([[id, source]]);
    }
    // A dead-letter queue holds what its worker could not process, and nothing else.
    expect(filled.map(([queue]) => queue).filter((id) => String(id).includes('DeadLetters'))).toEqual([]);
  });

  it('may be published only by SES, for this account and this configuration set', () => {
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
