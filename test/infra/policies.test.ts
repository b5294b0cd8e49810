import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operationsOfCommandLine } from '../../infra/policies/commandLine.ts';
import { typesOf } from '../../infra/policies/main.ts';
import {
  actionsOf,
  deployerPolicy,
  executionPolicy,
  operatorPolicy,
  type Policy,
  trustPolicy,
} from '../../infra/policies/policies.ts';
import { parseSettings } from '../../infra/settings.ts';
import { authorisedAs } from './authorisation.ts';
import { deploymentOf, fullSettings } from './deployment.ts';

const root = join(import.meta.dirname, '..', '..');
const target = { settings: parseSettings({ region: 'eu-west-3' }), account: '111122223333' };
const actionsIn = ({ Statement }: Policy) => Statement.flatMap(({ Action }) => Action);
/** The sizes that IAM takes without white space: 6,144 characters a managed policy. */
const size = (policy: Policy) => JSON.stringify(policy).length;

describe('the policy of an operator', () => {
  let operations: string[];
  beforeAll(async () => {
    operations = await operationsOfCommandLine();
  });

  it('covers every call of the command line, as the functions’ roles would be granted it', () => {
    const allowed = new Set(actionsIn(operatorPolicy(operations, target)));
    expect(operations.length).toBeGreaterThan(20);
    const needed = operations.flatMap((operation) => authorisedAs[operation] ?? actionsOf(operation));
    expect(needed.filter((action) => !allowed.has(action))).toEqual([]);
  });

  it('finds calls that only some commands make', () => {
    for (const operation of ['client-sqs/StartMessageMoveTask', 'client-secrets-manager/PutSecretValue']) {
      expect(operations).toContain(operation);
    }
    expect(operations).not.toContain('client-dynamodb/CreateTable');
  });

  it('is limited to the names that the deployment’s resources have', () => {
    const { Statement } = operatorPolicy(operations, target);
    const wide = Statement.filter(({ Resource }) => Resource?.includes('*')).map(({ Sid }) => Sid);
    for (const service of ['dynamodb', 'sqs', 'secretsmanager', 'scheduler', 'cloudformation', 'files', 'throttles']) {
      expect(wide).not.toContain(service);
    }
    const matches = (sid: string, name: string) =>
      (Statement.find(({ Sid }) => Sid === sid)?.Resource ?? []).some((pattern) =>
        new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(`arn:aws:${sid}:eu-west-3:111122223333:${name}`),
      );
    const deployment = deploymentOf({ region: 'eu-west-3', domains: [] });
    const [group] = deployment.properties('Scheduler::ScheduleGroup');
    expect(matches('scheduler', `schedule/${group.Name}/campaign-1`)).toBe(true);
    for (const { QueueName } of deployment.properties('SQS::Queue')) expect(matches('sqs', QueueName)).toBe(true);
    for (const { id } of deployment.resources('SecretsManager::Secret')) {
      expect(matches('secretsmanager', `secret:${id}-AbCdEf-012345`)).toBe(true);
    }
    expect(matches('sqs', 'mailroom-dev-feedback')).toBe(false);
  });

  it('fits into one managed policy', () => {
    expect(size(operatorPolicy(operations, target))).toBeLessThan(6144);
  });
});

describe('the policy of a deployer', () => {
  it('lets it take the roles that the synthesized stacks name, and list the stacks', () => {
    const policy = deployerPolicy(target);
    expect(actionsIn(policy)).toEqual(['sts:AssumeRole', 'cloudformation:DescribeStacks']);
    const named = ['deploy', 'file-publishing', 'lookup'].map(
      (role) => `arn:aws:iam::111122223333:role/cdk-hnb659fds-${role}-role-111122223333-eu-west-3`,
    );
    expect(policy.Statement[0]?.Resource).toEqual(named);
  });
});

describe('the policy with which CloudFormation deploys', () => {
  it('covers every service of the templates, with all settings, and no role of another name', () => {
    const types = [...typesOf({}), ...typesOf(fullSettings), ...typesOf({ console: { userPool: true } })];
    const policy = executionPolicy(types, target);
    const covered = new Set(policy.Statement.map(({ Sid }) => Sid));
    expect(types.map((type) => type.split('::')[1]).filter((service) => !covered.has(service ?? ''))).toEqual([]);
    expect(policy.Statement.find(({ Sid }) => Sid === 'IAM')?.Resource).toEqual([
      'arn:aws:iam::111122223333:role/mailroom-prod-*',
      'arn:aws:iam::111122223333:policy/mailroom-prod-*',
    ]);
    expect(size(policy)).toBeLessThan(6144);
  });

  it('has a statement for each type, or says so', () => {
    expect(() => executionPolicy(['AWS::Neptune::DBCluster'], target)).toThrow('resources of Neptune');
  });
});

describe('the workflow that deploys', () => {
  const workflow = readFileSync(join(root, '.github', 'workflows', 'deploy.yml'), 'utf8');

  it('takes a role without any stored key, which only this repository and environment may take', () => {
    expect(workflow).toMatch(/permissions:\n {2}contents: read\n {2}id-token: write/);
    expect(workflow).not.toMatch(/secrets\.|ACCESS_KEY/);
    const [statement] = trustPolicy('111122223333', 'acme/mailroom', 'production').Statement;
    expect(statement?.Condition?.StringEquals).toMatchObject({
      'token.actions.githubusercontent.com:sub': 'repo:acme/mailroom:environment:production',
    });
    for (const environment of ['staging', 'production']) expect(workflow).toContain(`environment: ${environment}\n`);
    expect(workflow).toMatch(/production:\n {4}needs: staging\n/);
  });

  it('runs scripts that the project has', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const run = [...workflow.matchAll(/npm run (\w+)/g)].map(([, name = '']) => name);
    expect(run).toEqual(expect.arrayContaining(['release', 'deploy']));
    expect(run.filter((name) => !(name in scripts) && name !== 'policies')).toEqual([]);
    expect('policies' in scripts).toBe(true);
  });
});
