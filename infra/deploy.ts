import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { CloudFormationClient, paginateDescribeStacks } from '@aws-sdk/client-cloudformation';
import { connection } from '../shared/platform/aws/clients.ts';
import { type DeployedRelease, readChangelog, releaseStep } from './release/changes.ts';
import { readSettings, type Settings, serviceName, settingsFile } from './settings.ts';

const help = `npm run deploy [-- --settings FILE] [--yes]

Synthesises the app, shows what the deployment would change, asks, and deploys all stacks.
  --settings FILE  the settings of the deployment, ${settingsFile} by default
  --yes            does not ask; needed without a terminal
  --check          only says which release follows which, and ends with 1 if that is not safe
  --roll-back      also deploys a release that may misread what the deployed one wrote`;

/** Replaceable by tests. */
export interface DeploymentSteps {
  /** Runs the CDK command line; resolves with its exit code. */
  readonly cdk: (...words: string[]) => Promise<number>;
  /** Asks for confirmation; null without a terminal. */
  readonly confirm: ((question: string) => Promise<boolean>) | null;
  /** The stacks of this deployment that exist in the account. */
  readonly deployedStacks: () => Promise<readonly DeployedStack[]>;
  readonly print: (text: string) => void;
}

export interface DeployedStack {
  readonly name: string;
  readonly region: string;
  readonly outputs: Readonly<Record<string, string>>;
}

interface DeployOptions {
  readonly settings: string | undefined;
  readonly isConfirmed: boolean;
  /** Whether to deploy a release that may misread what the deployed one wrote. */
  readonly mayMisread?: boolean;
  /** Whether to say only which release follows which. */
  readonly isCheck?: boolean;
  /** The folder of the synthesized app. */
  readonly output: string;
}

/**
 * Says which release follows which, shows the changes, asks for confirmation, deploys, and lists stacks that the app no
 * longer has. Resolves with the exit code.
 */
export async function deploy(
  { settings, isConfirmed, mayMisread = false, isCheck = false, output }: DeployOptions,
  steps: DeploymentSteps,
): Promise<number> {
  const { cdk, confirm, print } = steps;
  const context = settings ? ['--context', `settings=${resolve(settings)}`] : [];
  const app = ['--app', output, '--all'];
  const step = releaseStep(releaseOf(await steps.deployedStacks()), readChangelog());
  for (const line of step.lines) print(line);
  if (isCheck) return step.isSafe ? 0 : 1;
  if (!step.isSafe && !mayMisread) {
    print('Nothing was deployed. Give --roll-back to deploy it all the same.');
    return 1;
  }
  // Synthesized once, so that exactly what was shown is deployed.
  for (const words of [
    ['synth', '--quiet', '--output', output, ...context],
    ['diff', ...app],
  ]) {
    const code = await cdk(...words);
    if (code !== 0) return code;
  }
  if (!isConfirmed) {
    if (!confirm) {
      print('Nothing was deployed: there is no terminal to ask on. Give --yes to deploy without a question.');
      return 1;
    }
    if (!(await confirm('Deploy these changes? [y/N] '))) {
      print('Nothing was deployed.');
      return 1;
    }
  }
  const code = await cdk('deploy', ...app, '--concurrency', '8', '--require-approval', 'never');
  if (code === 0) await nameFormerStacks(output, steps);
  return code;
}

async function nameFormerStacks(output: string, { deployedStacks, print }: DeploymentSteps): Promise<void> {
  const { artifacts } = JSON.parse(readFileSync(join(output, 'manifest.json'), 'utf8'));
  const former = (await deployedStacks()).filter(({ name }) => !(name in artifacts));
  for (const { name, region } of former) {
    print(
      `The stack ${name} is deployed, but no longer part of the app: its functions keep their permissions. ` +
        `Delete it when you no longer need it: aws cloudformation delete-stack --region ${region} --stack-name ${name}`,
    );
  }
}

/** The release that the stack of the API says it is. */
function releaseOf(stacks: readonly DeployedStack[]): DeployedRelease | undefined {
  const api = stacks.find(({ outputs }) => outputs.PublicUrl);
  return api && { version: api.outputs.Version ?? null, oldestRollback: api.outputs.OldestRollback ?? null };
}

/** The deployment's own stacks, recognised by name and description. */
export async function deployedStacks(settings: Settings): Promise<DeployedStack[]> {
  const client = new CloudFormationClient({ ...connection(), region: settings.region });
  const name = serviceName(settings);
  const found: DeployedStack[] = [];
  const pages = paginateDescribeStacks({ client }, {});
  for (let page = await pages.next().catch(explained); !page.done; page = await pages.next().catch(explained)) {
    const { Stacks = [] } = page.value;
    for (const { StackName = '', Description = '', Outputs = [] } of Stacks) {
      const isOurs = StackName === name || StackName.startsWith(`${name}-`);
      const outputs = Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue]);
      if (isOurs && Description.startsWith('Mailroom: ')) {
        found.push({ name: StackName, region: settings.region, outputs: Object.fromEntries(outputs) });
      }
    }
  }
  client.destroy();
  return found;
}

/** The SDK does not say what to do. */
function explained(error: Error): never {
  if (!/Credential|Token|UnrecognizedClient|SignatureDoesNotMatch/.test(error.name)) throw error;
  throw new Error(
    `AWS was not asked, or refused the credentials (${error.message}). Sign in, for instance with "aws sso login", or set AWS_PROFILE.`,
  );
}

const root = join(import.meta.dirname, '..');

function cdk(...words: string[]): Promise<number> {
  const command = join(root, 'node_modules', 'aws-cdk', 'bin', 'cdk');
  const child = spawn(process.execPath, [command, ...words], { cwd: root, stdio: 'inherit' });
  return new Promise((done, failed) => child.once('error', failed).once('close', (code) => done(code ?? 1)));
}

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}

async function main(): Promise<number> {
  const options = {
    settings: { type: 'string' },
    yes: { type: 'boolean' },
    check: { type: 'boolean' },
    'roll-back': { type: 'boolean' },
    help: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ options });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const settings = readSettings(values.settings && resolve(values.settings));
  return deploy(
    {
      settings: values.settings,
      isConfirmed: values.yes ?? false,
      mayMisread: values['roll-back'] ?? false,
      isCheck: values.check ?? false,
      output: join(root, 'cdk.out'),
    },
    {
      cdk,
      confirm: process.stdin.isTTY ? confirm : null,
      deployedStacks: () => deployedStacks(settings),
      print: (text) => console.log(text),
    },
  );
}

if (import.meta.main) {
  process.exitCode = await main().catch((error: unknown) => {
    console.error(`error: ${(error as Error).message}`);
    return 1;
  });
}
