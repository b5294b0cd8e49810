import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { synthesize } from '../release/synthesis.ts';
import { readSettings } from '../settings.ts';
import { operationsOfCommandLine } from './commandLine.ts';
import {
  deployerPolicy,
  executionPolicy,
  operatorPolicy,
  type Policy,
  type PolicyTarget,
  trustPolicy,
} from './policies.ts';

const help = `npm run --silent policies -- deployer|operator|execution|trust [--account ID] [--settings FILE]

Prints an IAM policy for a deployment, with the least that is needed.
  deployer   for the one who runs "npm run deploy"
  operator   for those who run "mailroom --stack": what the command line calls
  execution  for "cdk bootstrap --cloudformation-execution-policies", instead of all rights
  trust      who may take the deployer's role: GitHub Actions, with --repository OWNER/NAME --environment NAME
  --account  the AWS account, "*" by default; trust needs it`;

/** The types of all resources in the templates of a deployment. */
export const typesOf = (settings: object): string[] => [
  ...new Set(
    synthesize(settings).stacks.flatMap(({ template }) =>
      Object.values<{ Type: string }>(template.Resources).map(({ Type }) => Type),
    ),
  ),
];

async function printed(
  kind: string | undefined,
  target: PolicyTarget,
  { repository, environment = 'production' }: { repository?: string | undefined; environment?: string | undefined },
): Promise<Policy> {
  if (kind === 'deployer') return deployerPolicy(target);
  if (kind === 'operator') return operatorPolicy(await operationsOfCommandLine(), target);
  if (kind === 'execution') return executionPolicy(typesOf(target.settings), target);
  if (kind !== 'trust') throw new Error(help);
  if (!repository || target.account === '*') throw new Error('trust needs --repository OWNER/NAME and --account ID.');
  return trustPolicy(target.account, repository, environment);
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { account: text, settings: text, repository: text, environment: text, help: { type: 'boolean' } },
  });
  if (values.help) return console.log(help);
  const settings = readSettings(values.settings && resolve(values.settings));
  const policy = await printed(positionals[0], { settings, account: values.account ?? '*' }, values);
  console.log(JSON.stringify(policy, null, 2));
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error((error as Error).message);
    process.exitCode = 1;
  });
}
