import { type Endpoint, endpoints, fallback } from '../../infra/endpoints.ts';
import { queues, rules, table } from '../../infra/resources.ts';
import type { Needs } from '../../shared/contract/route.ts';
import {
  actionsOf,
  resourcesOf,
  type Statement,
  statementsOf,
  synthesise,
  synthesisTimeoutMilliseconds,
  type Template,
} from './synthesis.ts';

let service: Template;

beforeAll(async () => {
  ({ service } = await synthesise({
    'mailroom:stage': 'dev',
    'mailroom:region': 'eu-west-3',
    'mailroom:domainName': 'mail.example.com',
    'mailroom:certificateArn': 'arn:aws:acm:eu-west-3:111122223333:certificate/4a7c',
    'mailroom:trackingDomain': 'click.example.com',
    'mailroom:alarmEmail': 'operator@example.com',
  }));
}, synthesisTimeoutMilliseconds);

const constructOf = (id: string) => id.replace(/(?:^|\W)(\w)/g, (_, letter: string) => letter.toUpperCase());
const workers = [
  ...Object.values(queues).map(({ name, needs }) => ({
    construct: `${constructOf(name)}Worker`,
    needs,
    readsQueue: true,
  })),
  ...Object.values(rules).map(({ name, needs }) => ({ construct: `${constructOf(name)}RuleWorker`, needs })),
];
const functions: readonly { construct: string; needs: Needs; endpoint?: Endpoint; readsQueue?: boolean }[] = [
  ...[...endpoints, fallback].map((endpoint) => ({
    construct: constructOf(endpoint.id),
    needs: endpoint.needs,
    endpoint,
  })),
  ...workers,
];

const read = ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query'];
const write = ['BatchWriteItem', 'ConditionCheckItem', 'DeleteItem', 'PutItem', 'UpdateItem'].map(
  (name) => `dynamodb:${name}`,
);
const schedules = ['CreateSchedule', 'DeleteSchedule', 'GetSchedule'].map((name) => `scheduler:${name}`);
const receive = ['ChangeMessageVisibility', 'DeleteMessage', 'GetQueueAttributes', 'GetQueueUrl', 'ReceiveMessage'];

function expectedActions({ needs, endpoint, readsQueue }: (typeof functions)[number]): string[] {
  return [
    'logs:CreateLogStream',
    'logs:PutLogEvents',
    ...(endpoint?.kind === 'route' ? ['dynamodb:GetItem', 'dynamodb:UpdateItem'] : []),
    ...(needs.table ? read : []),
    ...(needs.table === 'readWrite' ? write : []),
    ...(needs.email ? ['ses:SendEmail'] : []),
    ...(needs.queues?.length ? ['sqs:SendMessage'] : []),
    ...(needs.scheduler ? ['iam:PassRole', ...schedules] : []),
    ...(needs.secret ? ['secretsmanager:GetSecretValue'] : []),
    ...(readsQueue ? receive.map((name) => `sqs:${name}`) : []),
  ];
}

const allowed = (statements: Statement[]) => [...new Set(statements.flatMap(actionsOf))].sort();

describe.each(functions)('the role of $construct', (definition) => {
  it('allows what the function needs, and nothing more', () => {
    expect(allowed(statementsOf(service, definition.construct))).toEqual(
      [...new Set(expectedActions(definition))].sort(),
    );
  });

  it('names no action and no resource by a bare wildcard', () => {
    for (const statement of statementsOf(service, definition.construct)) {
      expect(actionsOf(statement).filter((action) => action.includes('*'))).toEqual([]);
      expect([statement.Resource].flat()).not.toContain('*');
    }
  });

  it('touches the table only through its own partitions where it has any', () => {
    const { needs, endpoint } = definition;
    const onTable = statementsOf(service, definition.construct).filter((statement) =>
      actionsOf(statement).some((action) => action.startsWith('dynamodb:')),
    );
    const limits = onTable.map(({ Condition }) => Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys']);
    const pipeline = endpoint?.kind === 'route' ? [['KEY#*'], ['RATE#*']] : [];
    const own = needs.table ? [needs.tablePartitions, needs.tablePartitions] : [];
    const sorted = (values: unknown[]) => values.map((value) => JSON.stringify([value].flat())).sort();
    expect(sorted(limits)).toEqual(sorted([...own, ...pipeline]));
    for (const { Condition } of onTable) {
      if (Condition) expect(Condition.Null).toEqual({ 'dynamodb:LeadingKeys': 'false' });
    }
  });
});

describe('a function that sends mail', () => {
  it('does so from identities of this account with the service’s configuration set', () => {
    const statements = statementsOf(service, 'EmailsSend').filter((statement) =>
      actionsOf(statement).includes('ses:SendEmail'),
    );
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
    const statements = statementsOf(service, 'WebhookDeliveryWorker');
    const scheduling = statements.find((statement) => actionsOf(statement).includes('scheduler:CreateSchedule'));
    const [group] = resourcesOf(service, 'Scheduler::ScheduleGroup').map(([, { Properties }]) => Properties.Name);
    expect(JSON.stringify(scheduling?.Resource)).toContain(`:schedule/${group}/*`);
    const passing = statements.find((statement) => actionsOf(statement).includes('iam:PassRole'));
    expect(passing?.Condition).toEqual({ StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } });
  });
});

describe('an index', () => {
  it('is only queried', () => {
    const statements = statementsOf(service, 'SubscribersList').filter(({ Resource }) =>
      JSON.stringify(Resource).includes('/index/'),
    );
    expect(allowed(statements)).toEqual(['dynamodb:Query']);
    const names = statements
      .flatMap(({ Resource }) => Resource)
      .map((arn) => /\/index\/(\w+)/.exec(JSON.stringify(arn))?.[1]);
    expect(names.sort()).toEqual(table.indexes.map(({ name }) => name).sort());
  });
});

describe('a deployment with a domain of its own', () => {
  it('is known to its functions by that domain and answers nowhere else', () => {
    const urls = resourcesOf(service, 'Lambda::Function').map(
      ([, { Properties }]) => Properties.Environment.Variables.PUBLIC_URL,
    );
    expect(new Set(urls)).toEqual(new Set(['https://mail.example.com']));
    expect(resourcesOf(service, 'ApiGateway::RestApi')[0]?.[1].Properties.DisableExecuteApiEndpoint).toBe(true);
    expect(resourcesOf(service, 'ApiGateway::DomainName')[0]?.[1].Properties).toMatchObject({
      DomainName: 'mail.example.com',
      SecurityPolicy: 'TLS_1_2',
    });
  });

  it('tells its operator of alarms, and SES of the domain for links', () => {
    const email = resourcesOf(service, 'SNS::Subscription').filter(
      ([, { Properties }]) => Properties.Protocol === 'email',
    );
    expect(email.map(([, { Properties }]) => Properties.Endpoint)).toEqual(['operator@example.com']);
    expect(resourcesOf(service, 'SES::ConfigurationSet')[0]?.[1].Properties.TrackingOptions).toMatchObject({
      CustomRedirectDomain: 'click.example.com',
    });
  });
});
