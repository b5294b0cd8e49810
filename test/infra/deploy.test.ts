import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type DeployedStack, type DeploymentSteps, deploy, deployedStacks } from '../../infra/deploy.ts';
import { parseSettings } from '../../infra/settings.ts';
import { version } from '../../infra/version.ts';

let output: string;
beforeAll(() => {
  output = mkdtempSync(join(tmpdir(), 'mailroom-deploy-'));
  const artifacts = { 'mailroom-prod': {}, 'mailroom-prod-data': {}, 'mailroom-prod.assets': {} };
  writeFileSync(join(output, 'manifest.json'), JSON.stringify({ artifacts }));
});
afterAll(() => rmSync(output, { recursive: true }));

/** Steps that note what is done; `codes` are the exit codes of CDK's commands. */
function steps(own: Partial<DeploymentSteps> = {}, codes: Readonly<Record<string, number>> = {}) {
  const commands: string[] = [];
  const printed: string[] = [];
  const all: DeploymentSteps = {
    cdk: async (...words) => {
      commands.push(words.join(' ').replaceAll(output, 'OUT'));
      return codes[words[0] ?? ''] ?? 0;
    },
    confirm: async () => true,
    deployedStacks: async () => stacks({ Version: version, OldestRollback: '1.0.0' }),
    print: (text) => printed.push(text),
    ...own,
  };
  return { commands, printed, all };
}

/** The stacks of a deployment with a console; `outputs` are those of its API. */
const stacks = (outputs: Readonly<Record<string, string>>): DeployedStack[] =>
  ['mailroom-prod', 'mailroom-prod-data', 'mailroom-prod-console'].map((name) => ({
    name,
    region: 'eu-west-3',
    outputs: name === 'mailroom-prod' ? { PublicUrl: 'https://mail.example.com', ...outputs } : {},
  }));

const options = {
  settings: undefined,
  isConfirmed: false,
  get output() {
    return output;
  },
};
const shown = ['synth --quiet --output OUT', 'diff --app OUT --all'];
const deployed = 'deploy --app OUT --all --concurrency 8 --require-approval never';

describe('npm run deploy', () => {
  it('shows what changes before it asks, and deploys what it has shown', async () => {
    const { commands, all } = steps();
    expect(await deploy(options, all)).toBe(0);
    expect(commands).toEqual([...shown, deployed]);
  });

  it.each<[string, DeploymentSteps['confirm'], RegExp]>([
    ['the answer is no', async () => false, /^Nothing was deployed\.$/],
    ['there is no terminal', null, /Give --yes/],
  ])('deploys nothing when %s', async (_, confirm, text) => {
    const { commands, printed, all } = steps({ confirm });
    expect(await deploy(options, all)).toBe(1);
    expect([commands, printed.slice(-1)]).toEqual([shown, [expect.stringMatching(text)]]);
  });

  it('does not ask with --yes', async () => {
    const { commands, all } = steps({ confirm: null });
    expect(await deploy({ ...options, output, isConfirmed: true }, all)).toBe(0);
    expect(commands.at(-1)).toBe(deployed);
  });

  it.each(['synth', 'diff', 'deploy'])('ends with the code of a %s that fails', async (command) => {
    const { commands, printed, all } = steps({}, { [command]: 7 });
    expect(await deploy(options, all)).toBe(7);
    expect(commands.at(-1)?.split(' ')[0]).toBe(command);
    expect(printed.join()).not.toContain('delete-stack');
  });

  it('synthesizes with the settings that it was given', async () => {
    const { commands, all } = steps();
    await deploy({ ...options, output, settings: '/etc/mailroom.json' }, all);
    expect(commands[0]).toBe('synth --quiet --output OUT --context settings=/etc/mailroom.json');
  });

  it('names the stacks that are deployed and no longer part of the app', async () => {
    const { printed, all } = steps();
    await deploy(options, all);
    expect(printed.slice(-1)).toEqual([
      expect.stringContaining('delete-stack --region eu-west-3 --stack-name mailroom-prod-console'),
    ]);
  });

  it('says which release follows which, and refuses one that may misread what the deployed one wrote', async () => {
    const newer = { Version: '99.1.0', OldestRollback: '99.0.0' };
    const refused = steps({ deployedStacks: async () => stacks(newer) });
    expect(await deploy(options, refused.all)).toBe(1);
    expect(refused.commands).toEqual([]);
    expect(refused.printed[0]).toMatch(/^99\.1\.0 is deployed: .* can be rolled back to 99\.0\.0 at the earliest/);
    expect(await deploy({ ...options, output, isCheck: true }, steps().all)).toBe(0);
    expect(await deploy({ ...options, output, isCheck: true }, refused.all)).toBe(1);
    expect(refused.commands).toEqual([]);
    const forced = steps({ deployedStacks: async () => stacks(newer) });
    expect(await deploy({ ...options, output, mayMisread: true }, forced.all)).toBe(0);
    const safe = steps({ deployedStacks: async () => stacks({ Version: '99.1.0', OldestRollback: version }) });
    expect(await deploy(options, safe.all)).toBe(0);
    const unknown = steps({ deployedStacks: async () => stacks({}) });
    expect(await deploy(options, unknown.all)).toBe(0);
    expect(unknown.printed[0]).toBe(`A release without a version is deployed, and ${version} follows.`);
    const first = steps({ deployedStacks: async () => [] });
    expect(await deploy(options, first.all)).toBe(0);
    expect(first.printed).toEqual([`This is the first deployment, of ${version}.`]);
  });

  it('rejects an option that it does not know before anything happens', () => {
    const root = join(import.meta.dirname, '..', '..');
    const run = spawnSync('npm', ['run', '--silent', 'deploy', '--', '--force'], { cwd: root, encoding: 'utf8' });
    expect([run.status, run.stderr]).toEqual([1, expect.stringContaining("Unknown option '--force'")]);
  });
});

it('lets the CDK command line deploy several stacks at once, which it cannot while it asks', () => {
  const { requireApproval } = JSON.parse(readFileSync(join(import.meta.dirname, '..', '..', 'cdk.json'), 'utf8'));
  expect(requireApproval).toBe('never');
});

describe('the stacks of a deployment', () => {
  const member = (name: string, description: string, outputs = '') =>
    `<member><StackName>${name}</StackName><StackId>arn:${name}</StackId><CreationTime>2026-11-01T00:00:00Z</CreationTime>` +
    `<StackStatus>CREATE_COMPLETE</StackStatus><Description>${description}</Description><Outputs>${outputs}</Outputs></member>`;
  const version1 = '<member><OutputKey>Version</OutputKey><OutputValue>1.0.0</OutputValue></member>';
  /** CloudFormation's list in two pages, with stacks that are not of the deployment. */
  const pages: readonly string[][] = [
    [member('mailroom-prod', 'Mailroom: the API', version1), member('mailroom-dev', 'Mailroom: the API')],
    [
      member('mailroom-prod-console', 'Mailroom: functions of console'),
      member('mailroom-prod-extra', 'made by hand'),
      member('mailroom-prod2', 'Mailroom: the API'),
    ],
  ];

  it('are found in the pages of CloudFormation’s list, former ones too', async () => {
    const server = createServer(async (request, response) => {
      const page = new URLSearchParams(await text(request)).get('NextToken') ? 1 : 0;
      const next = page === 0 ? '<NextToken>more</NextToken>' : '';
      response.setHeader('content-type', 'text/xml');
      response.end(
        `<DescribeStacksResponse xmlns="http://cloudformation.amazonaws.com/doc/2010-05-15/"><DescribeStacksResult>` +
          `<Stacks>${pages[page]?.join('')}</Stacks>${next}</DescribeStacksResult></DescribeStacksResponse>`,
      );
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_CLOUDFORMATION: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
    });
    try {
      expect(await deployedStacks(parseSettings({ region: 'eu-west-3' }))).toEqual([
        { name: 'mailroom-prod', region: 'eu-west-3', outputs: { Version: '1.0.0' } },
        { name: 'mailroom-prod-console', region: 'eu-west-3', outputs: {} },
      ]);
    } finally {
      delete process.env.AWS_ENDPOINT_URL_CLOUDFORMATION;
      server.closeAllConnections();
      server.close();
    }
  });
});
