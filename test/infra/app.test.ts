import { endpoints } from '../../infra/endpoints.ts';
import { feedbackEventTypes, queues, rules, table } from '../../infra/resources.ts';
import type { errorCodes } from '../../shared/contract/errors.ts';
import { errorBody } from '../../shared/contract/schemas/error.ts';
import { languageTags } from '../../shared/language/languages.ts';
import { resourcesOf, synthesise, synthesisTimeoutMilliseconds, type Template } from './synthesis.ts';

let data: Template;
let service: Template;

beforeAll(async () => {
  ({ data, service } = await synthesise());
}, synthesisTimeoutMilliseconds);

const propertiesOf = (template: Template, type: string) =>
  resourcesOf(template, type).map(([, { Properties }]) => Properties);

describe('cdk synth, without an account', () => {
  it('stays below the 500 resources that CloudFormation takes a stack', () => {
    for (const template of [data, service]) expect(Object.keys(template.Resources).length).toBeLessThan(500);
  });

  it('names what the operator’s command line asks a stack for', () => {
    expect(Object.keys(service.Outputs)).toEqual(
      expect.arrayContaining(['TableName', 'ConfigurationSet', 'PublicUrl', 'SecretId', 'FeedbackQueueUrl']),
    );
  });
});

describe('the data stack', () => {
  it('keeps the table: on demand, with recovery, protected, expiring items, and every index', () => {
    const [resource] = resourcesOf(data, 'DynamoDB::GlobalTable').map(([, found]) => found);
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

  it('keeps a service secret of the shape that the functions read', () => {
    const [secret] = resourcesOf(data, 'SecretsManager::Secret').map(([, resource]) => resource);
    expect(secret?.DeletionPolicy).toBe('Retain');
    expect(secret?.Properties.GenerateSecretString).toMatchObject({
      GenerateStringKey: 'current',
      SecretStringTemplate: '{}',
      PasswordLength: 64,
    });
  });
});

describe('the API', () => {
  /** `GET /api/v1/emails/{id}` by the logical id of its function. */
  function wired(): Map<string, string> {
    const resources = new Map(
      resourcesOf(service, 'ApiGateway::Resource').map(([id, { Properties }]) => [id, Properties]),
    );
    const pathOf = (id: string | undefined): string => {
      const resource = id === undefined ? undefined : resources.get(id);
      return resource ? `${pathOf(resource.ParentId.Ref)}/${resource.PathPart}` : '';
    };
    return new Map(
      propertiesOf(service, 'ApiGateway::Method').map(({ HttpMethod, ResourceId, Integration }) => [
        `${HttpMethod} ${pathOf(ResourceId.Ref) || '/'}`,
        /(\w+)Function[0-9A-F]{8}/.exec(JSON.stringify(Integration.Uri))?.[1] ?? '',
      ]),
    );
  }

  const constructOf = (id: string) => id.replace(/(?:^|\W)(\w)/g, (_, letter: string) => letter.toUpperCase());

  it('sends every method of every route and page to its own function', () => {
    const methods = wired();
    const expected = endpoints.map(({ method, path, id }) => [`${method} ${path}`, constructOf(id)]);
    expect(expected.map(([route = '']) => [route, methods.get(route)])).toEqual(expected);
    expect(new Set(expected.map(([, construct]) => construct)).size).toBe(endpoints.length);
  });

  it('sends whatever no endpoint takes to the fallback, and nothing else to it', () => {
    const methods = [...wired()];
    const paths = new Set(methods.map(([route]) => route.split(' ')[1]));
    const fallbacks = methods.filter(([, construct]) => construct === 'Fallback').map(([route]) => route);
    expect(fallbacks.sort()).toEqual([...paths].map((path) => `ANY ${path}`).sort());
    expect(fallbacks).toEqual(expect.arrayContaining(['ANY /', 'ANY /{proxy+}', 'ANY /api/v1/emails']));
  });

  it('has one name for a variable at each place of a path, as API Gateway demands', () => {
    const siblings = new Map<string, Set<string>>();
    for (const { ParentId, PathPart } of propertiesOf(service, 'ApiGateway::Resource')) {
      if (!PathPart.startsWith('{')) continue;
      const parent = JSON.stringify(ParentId);
      siblings.set(parent, (siblings.get(parent) ?? new Set()).add(PathPart));
    }
    expect([...siblings.values()].filter((names) => names.size > 1)).toEqual([]);
  });

  it('answers in the one shape of errors where no function is asked', () => {
    const responses = propertiesOf(service, 'ApiGateway::GatewayResponse');
    const statuses: Record<string, number> = {};
    for (const { ResponseType, StatusCode, ResponseTemplates, ResponseParameters } of responses) {
      const body = JSON.parse(ResponseTemplates['application/json']);
      // API Gateway reads a value without quotes as a parameter of the request, and `$` as the start of a variable.
      for (const value of Object.values(ResponseParameters)) expect(value).toMatch(/^'[^'$]*'$/);
      expect(JSON.stringify(body).match(/\$[\w.]+/g) ?? []).toEqual(
        body.name === 'internal_error' ? ['$context.requestId'] : [],
      );
      expect(ResponseParameters['gatewayresponse.header.X-RateLimit-Limit']).toBe("'600'");
      expect(ResponseParameters['gatewayresponse.header.Content-Language']).toBe(`'${languageTags.join(', ')}'`);
      const code: keyof typeof errorCodes = body.error.code;
      expect(errorBody(code).parse(body)).toEqual(body);
      expect(body).toMatchObject({ statusCode: Number(StatusCode), name: code, message: body.error.message });
      statuses[ResponseType] = body.statusCode;
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
    const [throttled] = responses.filter(({ ResponseType }) => ResponseType === 'THROTTLED');
    expect(throttled.ResponseParameters).toMatchObject({ 'gatewayresponse.header.Retry-After': "'1'" });
    expect(JSON.parse(throttled.ResponseTemplates['application/json']).message).toMatch(/too many .* trop de/);
    const [unauthorised] = responses.filter(({ ResponseType }) => ResponseType === 'UNAUTHORIZED');
    expect(unauthorised.ResponseParameters).toMatchObject({ 'gatewayresponse.header.WWW-Authenticate': "'Bearer'" });
  });

  it('limits calls and writes a log that is JSON and holds no path as it was called', () => {
    const [stage] = propertiesOf(service, 'ApiGateway::Stage');
    expect(stage.MethodSettings).toEqual([
      expect.objectContaining({ ThrottlingRateLimit: 200, ThrottlingBurstLimit: 400 }),
    ]);
    expect(JSON.parse(stage.AccessLogSetting.Format)).toMatchObject({ path: '$context.resourcePath' });
    expect(stage.AccessLogSetting.Format).not.toMatch(/context\.(path|requestOverride|authorize)/);
  });
});

describe('functions', () => {
  it('run Node 24 on arm64 with a bundle, a time limit and JSON logs', () => {
    const functions = propertiesOf(service, 'Lambda::Function');
    const workers = Object.keys(queues).length + Object.keys(rules).length;
    expect(functions).toHaveLength(endpoints.length + 1 + workers);
    for (const properties of functions) {
      expect(properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        MemorySize: expect.any(Number),
        Timeout: expect.any(Number),
        LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: expect.any(String) } },
        Environment: {
          Variables: { TABLE_NAME: expect.anything(), PUBLIC_URL: expect.anything(), UV_THREADPOOL_SIZE: '64' },
        },
      });
    }
  });

  it('keep their logs for a limited time', () => {
    const groups = propertiesOf(service, 'Logs::LogGroup');
    expect(groups.length).toBeGreaterThan(endpoints.length);
    for (const group of groups) expect(group.RetentionInDays).toBe(30);
  });
});

describe('queues', () => {
  const deadLettersOf = (properties: { RedrivePolicy?: { deadLetterTargetArn: { 'Fn::GetAtt': [string] } } }) =>
    properties.RedrivePolicy?.deadLetterTargetArn['Fn::GetAtt'][0];

  it('have a dead-letter queue each, with an alarm on it', () => {
    const all = resourcesOf(service, 'SQS::Queue');
    const deadLetters = all.map(([, { Properties }]) => deadLettersOf(Properties)).filter((id) => id !== undefined);
    expect(new Set(deadLetters).size).toBe(Object.keys(queues).length);
    expect(all).toHaveLength(2 * Object.keys(queues).length);
    const alarmed = propertiesOf(service, 'CloudWatch::Alarm')
      .filter(({ MetricName, Threshold }) => MetricName === 'ApproximateNumberOfMessagesVisible' && Threshold === 1)
      .map(({ Dimensions }) => Dimensions[0].Value['Fn::GetAtt'][0]);
    expect(alarmed.sort()).toEqual(deadLetters.sort());
  });

  it('hide a message for six times as long as its worker may take, and are read as the definition says', () => {
    const mappings = propertiesOf(service, 'Lambda::EventSourceMapping');
    expect(mappings).toHaveLength(Object.keys(queues).length);
    for (const { EventSourceArn, FunctionName, FunctionResponseTypes, ScalingConfig, BatchSize } of mappings) {
      const queue = service.Resources[EventSourceArn['Fn::GetAtt'][0]]?.Properties;
      const worker = service.Resources[FunctionName.Ref]?.Properties;
      expect(queue.VisibilityTimeout).toBe(6 * worker.Timeout);
      expect(FunctionResponseTypes).toEqual(['ReportBatchItemFailures']);
      expect(ScalingConfig.MaximumConcurrency).toBeGreaterThanOrEqual(2);
      expect(BatchSize).toBeGreaterThan(0);
    }
  });

  it('refuse connections without TLS', () => {
    const guarded = propertiesOf(service, 'SQS::QueuePolicy')
      .filter(({ PolicyDocument }) => JSON.stringify(PolicyDocument).includes('"aws:SecureTransport":"false"'))
      .flatMap(({ Queues }) => Queues.map(({ Ref }: { Ref: string }) => Ref));
    expect(guarded.sort()).toEqual(
      resourcesOf(service, 'SQS::Queue')
        .map(([id]) => id)
        .sort(),
    );
  });
});

describe('feedback', () => {
  it('is published by SES, for every type of event, to an encrypted topic that leads to the queue', () => {
    const [destination] = propertiesOf(service, 'SES::ConfigurationSetEventDestination');
    const camelCase = feedbackEventTypes.map((type) =>
      type.toLowerCase().replace(/_./g, (pair) => (pair[1] ?? '').toUpperCase()),
    );
    expect(destination.EventDestination).toMatchObject({ Enabled: true, MatchingEventTypes: camelCase });
    const topic = destination.EventDestination.SnsDestination.TopicARN.Ref;
    expect(service.Resources[topic]?.Properties.KmsMasterKeyId).toBeDefined();
    const [subscription] = propertiesOf(service, 'SNS::Subscription');
    expect(subscription).toMatchObject({ Protocol: 'sqs', RawMessageDelivery: true, TopicArn: { Ref: topic } });
    const endpoint = service.Resources[subscription.Endpoint['Fn::GetAtt'][0]];
    expect(endpoint?.Properties.VisibilityTimeout).toBe(6 * queues.feedback.workerTimeoutSeconds);
  });

  it('may be published by SES for this account and this configuration set only', () => {
    const statements = propertiesOf(service, 'SNS::TopicPolicy').flatMap(
      ({ PolicyDocument }) => PolicyDocument.Statement,
    );
    const publishing = statements.filter(
      ({ Effect, Principal }) => Effect === 'Allow' && Principal.Service === 'ses.amazonaws.com',
    );
    expect(publishing).toHaveLength(1);
    expect(publishing[0].Condition.StringEquals['AWS:SourceAccount']).toEqual({ Ref: 'AWS::AccountId' });
    expect(JSON.stringify(publishing[0].Condition.StringEquals['AWS:SourceArn'])).toContain('configuration-set/');
  });
});
