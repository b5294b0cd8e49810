import type { Endpoint } from '../../infra/endpoints.ts';
import { endpoints } from '../../infra/endpoints.ts';
import { lastRelease } from '../../infra/release/record.ts';
import { refusals } from '../../infra/release/refusals.ts';
import type { StackLinks } from '../../infra/release/stackLinks.ts';
import { type QueueDefinition, queues } from '../../infra/resources.ts';
import { certificateArn, deploymentOf, type Template, templatesOf } from './deployment.ts';

type Templates = ReadonlyMap<string, Template>;

const usualDeployment = deploymentOf();
const usual = usualDeployment.stacks;
const usualLinks = usualDeployment.links;
const linksWith = (settings: object, contract = endpoints) => deploymentOf(settings, { contract }).links;

describe('references between stacks', () => {
  it('are imports only from the data stack, so that anything else can be removed, and a release rolled back', () => {
    const exporters = usualLinks.flatMap(({ imports }) => imports).map((id) => id.split(':')[0]);
    expect(new Set(exporters)).toEqual(new Set(['mailroom-prod-data']));
  });

  it('lead from the API to its functions by outputs that are read, never by imports', () => {
    const api = usualLinks.find(({ name }) => name === 'mailroom-prod') as StackLinks;
    expect(api.imports.filter((id) => id.includes('Function'))).toEqual([]);
    expect(api.reads.filter((read) => read.includes('Function')).length).toBeGreaterThan(endpoints.length / 2);
  });
});

describe('the rule of CloudFormation', () => {
  const stack = (name: string, own: Partial<StackLinks> = {}): StackLinks => ({
    ...{ name, dependencies: [], exports: {}, outputs: [], imports: [], reads: [], named: [] },
    ...own,
  });
  const exported = { value: '{"Ref":"A"}', source: 'AWS::SQS::Queue' };
  const data = stack('data', { exports: { a: exported }, outputs: ['A'] });
  const user = stack('user', { imports: ['a'], dependencies: ['data'] });

  it.each<[string, StackLinks[], StackLinks[], RegExp]>([
    [
      'an export that goes',
      [data, user],
      [stack('data'), stack('user', { dependencies: ['data'] })],
      /removes or changes a, which user/,
    ],
    [
      'an export of another resource',
      [data, user],
      [stack('data', { exports: { a: { ...exported, value: '{"Ref":"B"}' } } }), user],
      /removes or changes a/,
    ],
    [
      'an export that a stack imports which the app no longer has',
      [data, user],
      [stack('data')],
      /a, which user imports/,
    ],
    [
      'a value that is read and not surely there',
      [data, stack('user')],
      [stack('data', { outputs: ['B'] }), stack('user', { reads: ['data.B'] })],
      /user needs data.B/,
    ],
    [
      'a name that another stack may still have',
      [stack('a', { named: ['AWS::SQS::Queue q'] }), stack('b')],
      [stack('a'), stack('b', { named: ['AWS::SQS::Queue q'] })],
      /b makes AWS::SQS::Queue q, which a may still have/,
    ],
  ])('refuses %s', (_, former, next, text) => {
    expect(refusals(former, next)).toEqual([expect.stringMatching(text)]);
  });

  it('takes a new export, its import, and the end of both', () => {
    const unlinked = [stack('data'), stack('user', { dependencies: ['data'] })];
    expect(refusals(unlinked, [data, user])).toEqual([]);
    expect(refusals([data, user], [data, stack('user', { dependencies: ['data'] })])).toEqual([]);
  });
});

const isRemoved = ({ id }: Endpoint) => id === 'templates.delete' || id.startsWith('webhooks.');
const fewerEndpoints = endpoints.filter((endpoint) => !isRemoved(endpoint));

const settingsOfOthers: Readonly<Record<string, object>> = {
  'no console': { console: { deployed: false } },
  'a user pool': { console: { userPool: true } },
  'another domain': { domains: [{ name: 'post.example.com', certificateArn }] },
  'no domain': { domains: [] },
  'another table': { tableName: 'restored-table' },
  'a dashboard and a key of its topics': { dashboard: true, topicKey: true },
  'a firewall': { firewall: { requestsPerFiveMinutes: 3000 } },
};

const others = new Map([
  ...Object.entries(settingsOfOthers).map(([name, settings]): [string, readonly StackLinks[]] => [
    name,
    linksWith(settings),
  ]),
  ['fewer endpoints, and a group without any', linksWith({}, fewerEndpoints)],
]);

describe('a deployment with', () => {
  it.each([...others])('%s can follow the usual one, and be followed by it', (_, other) => {
    expect(refusals(usualLinks, other)).toEqual([]);
    expect(refusals(other, usualLinks)).toEqual([]);
  });

  it('a console that was switched off can have it again, while its former stack is still there', () => {
    const without = others.get('no console') as readonly StackLinks[];
    const former = usualLinks.filter(({ name }) => !without.some((stack) => stack.name === name));
    expect(former.map(({ name }) => name)).toEqual(['mailroom-prod-console']);
    expect(refusals([...without, ...former], usualLinks)).toEqual([]);
    expect(refusals([...without, ...former], linksWith({ console: { deployed: false }, domains: [] }))).toEqual([]);
  });

  it('a queue more, its worker and a sender, or with that queue by another name, can follow the usual one and each other', () => {
    const [one, other] = [withQueue('reminder'), withQueue('recall')];
    expect(one.flatMap(({ named }) => named)).toContain('AWS::SQS::Queue mailroom-prod-reminder');
    for (const [former, next] of [
      [usualLinks, one],
      [one, usualLinks],
      [one, other],
    ] as const) {
      expect(refusals(former, next)).toEqual([]);
    }
  });
});

/** The usual stacks and a further queue of infra/resources.ts, to which one endpoint sends. */
function withQueue(name: string): readonly StackLinks[] {
  const definitions: Record<string, QueueDefinition> = queues;
  definitions[name] = { ...queues.job, name };
  const sending = endpoints.map((endpoint) =>
    endpoint.id === 'emails.send'
      ? { ...endpoint, needs: { ...endpoint.needs, queues: [...(endpoint.needs.queues ?? []), name] } }
      : endpoint,
  );
  try {
    return linksWith({}, sending);
  } finally {
    delete definitions[name];
  }
}

describe('the last release', () => {
  const { release, deployments } = lastRelease();

  it.each(deployments)(`${release}, with the settings $settings, can be followed by this one, and follow it`, (one) => {
    const now = deploymentOf({ alarmEmail: '', domains: [], ...one.settings }).links;
    expect(refusals(one.stacks, now)).toEqual([]);
    expect(refusals(now, one.stacks)).toEqual([]);
  });
});

describe('the deployment of the API', () => {
  const idOf = (templates: Templates): string => {
    const { Resources } = templates.get('mailroom-prod') as Template;
    const found = Object.keys(Resources).filter((id) => Resources[id]?.Type === 'AWS::ApiGateway::Deployment');
    const stage = Object.values(Resources).find(({ Type }) => Type === 'AWS::ApiGateway::Stage');
    expect(found).toEqual([stage?.Properties.DeploymentId?.Ref]);
    return found[0] ?? '';
  };
  /** The contract with one of its endpoints changed. */
  const changed = (id: string, changes: Partial<Endpoint>) =>
    endpoints.map((endpoint) => (endpoint.id === id ? { ...endpoint, ...changes } : endpoint));

  it('stays while nothing of the API changes, whatever changes of the stage', () => {
    expect(idOf(templatesOf())).toBe(idOf(usual));
    expect(idOf(templatesOf({ emailRetentionDays: 7 }))).toBe(idOf(usual));
  });

  it.each([
    ['a method', changed('emails.cancel', { method: 'PUT' })],
    ['a path', changed('emails.cancel', { path: '/api/v1/emails/{id}/cancellation' })],
    ['the function behind a path', changed('emails.cancel', { id: 'emails.stop' })],
    ['the number of endpoints', fewerEndpoints],
  ])('is replaced when %s changes', (_, contract) => {
    expect(idOf(templatesOf({}, contract))).not.toBe(idOf(usual));
  });
});
