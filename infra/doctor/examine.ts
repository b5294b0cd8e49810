import { resolve } from 'node:path';
import { CloudFormationClient, paginateDescribeStacks, type Stack } from '@aws-sdk/client-cloudformation';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetAccountCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { paginateListSubscriptions, SNSClient } from '@aws-sdk/client-sns';
import { connection } from '../../shared/platform/aws/clients.ts';
import { type DeployedRelease, readChangelog, releaseStep } from '../release/changes.ts';
import { concurrencyOf, queues } from '../resources.ts';
import { readSettings, type Settings, serviceName } from '../settings.ts';

/** `problem`: it does not work like this. `warning`: it works, but not as it should. `unknown`: it could not be looked at. */
type Severity = 'good' | 'unknown' | 'warning' | 'problem';

export interface Finding {
  readonly check: string;
  readonly severity: Severity;
  readonly found: string;
  /** What to do about it. */
  readonly mend?: string | undefined;
}

/** CDK's own stack in each region, and the oldest version of it that the app can be deployed with. */
const bootstrapStack = 'CDKToolkit';
const oldestBootstrap = 6;

/** Lambda's limit of a new account, of which its other functions need some, too. */
const fewExecutions = 10;
/** Executions for the API beside the workers of the queues. */
const executionsOfApi = 20;

/** What was examined, and what was found. */
export interface Diagnosis {
  /** Of the stack with the API. */
  readonly stack: string;
  readonly region: string;
  readonly isDeployed: boolean;
  readonly findings: Finding[];
}

/** The deployment of a settings file, by default the usual one; `region` instead of the one that it names. */
export async function diagnose(file: string | undefined, region: string | undefined): Promise<Diagnosis> {
  const settings = readSettings(file && resolve(file));
  const target = { ...settings, ...(region && { region }) };
  const findings = await examine(target);
  const isDeployed = findings.some(({ check }) => check === 'release');
  return { stack: serviceName(target), region: target.region, isDeployed, findings };
}

/**
 * Looks at what may be in the way of a deployment, before the first one and at any time. Reads only. A check that fails
 * says so and does not stop the others.
 */
export async function examine(settings: Settings): Promise<Finding[]> {
  const client = <Kind>(Client: new (options: object) => Kind): Kind =>
    new Client({ ...connection(), region: settings.region });
  const stacks = readStacks(client(CloudFormationClient));
  const found = await Promise.all([
    looked('credentials', 'cloudformation:DescribeStacks', settings, async () => {
      await stacks;
      return [{ check: 'credentials', severity: 'good', found: `AWS accepts them in ${settings.region}` }];
    }),
    looked('bootstrap', null, settings, async () => [bootstrapFinding(await stacks, settings)]),
    looked('stacks', null, settings, async () => stackFindings(await stacks, settings)),
    looked('release', null, settings, async () => releaseFindings(await stacks, settings)),
    looked('SES', 'ses:GetAccount', settings, () => examineSes(client(SESv2Client))),
    looked('Lambda', 'lambda:GetAccountSettings', settings, () => examineLambda(client(LambdaClient), settings)),
    looked('alarms', 'sns:ListSubscriptions', settings, async () =>
      examineAlarms(client(SNSClient), settings, await stacks),
    ),
  ]);
  return found.flat();
}

/** `action`: what the role must allow; null for a check that only reads what another one got, whose error is reported once. */
async function looked(
  check: string,
  action: string | null,
  { region }: Settings,
  look: () => Promise<Finding[]>,
): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    if (action === null) return [];
    const { name, message } = error as Error;
    const code =
      (error as { code?: string; cause?: { code?: string } }).cause?.code ?? (error as { code?: string }).code;
    if (/AccessDenied|NotAuthorized|AuthorizationError/.test(name)) {
      return [{ check, severity: 'unknown', found: `the role may not look: ${name}`, mend: `Allow ${action}.` }];
    }
    if (code === 'ENOTFOUND') {
      const mend = 'Choose a region that has the service, or check the network.';
      return [{ check, severity: 'problem', found: `${region} has no such service`, mend }];
    }
    if (/Credential|Token|UnrecognizedClient|SignatureDoesNotMatch/.test(name)) {
      // True of every check: said once.
      if (check !== 'credentials') return [];
      const mend = 'Sign in to AWS, for instance with "aws sso login", or set AWS_PROFILE.';
      return [{ check, severity: 'problem', found: `${name}: ${message}`, mend }];
    }
    return [{ check, severity: 'unknown', found: `${name}: ${message}` }];
  }
}

async function readStacks(client: CloudFormationClient): Promise<readonly Stack[]> {
  const found: Stack[] = [];
  for await (const { Stacks = [] } of paginateDescribeStacks({ client }, {})) found.push(...Stacks);
  return found;
}

const outputOf = ({ Outputs = [] }: Stack, name: string): string | undefined =>
  Outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue;

function bootstrapFinding(stacks: readonly Stack[], { region }: Settings): Finding {
  const toolkit = stacks.find(({ StackName }) => StackName === bootstrapStack);
  const version = Number(toolkit && outputOf(toolkit, 'BootstrapVersion'));
  const mend = `npx cdk bootstrap aws://ACCOUNT/${region}`;
  if (!toolkit) return { check: 'bootstrap', severity: 'problem', found: `CDK is not set up in ${region}`, mend };
  if (version >= oldestBootstrap)
    return { check: 'bootstrap', severity: 'good', found: `CDK is set up (version ${version})` };
  return { check: 'bootstrap', severity: 'problem', found: 'CDK is set up in a version that is too old', mend };
}

function ownStacks(stacks: readonly Stack[], settings: Settings): readonly Stack[] {
  const name = serviceName(settings);
  const isOwn = ({ StackName = '' }: Stack) => StackName === name || StackName.startsWith(`${name}-`);
  return stacks.filter((stack) => isOwn(stack) && stack.Description?.startsWith('Mailroom: '));
}

/** What to do about a stack in such a state (CloudFormation User Guide, "Stack status codes"). */
const stackMends: readonly (readonly [RegExp, string])[] = [
  [/^UPDATE_ROLLBACK_FAILED$/, 'aws cloudformation continue-update-rollback --stack-name '],
  [
    /^(?:ROLLBACK_COMPLETE|ROLLBACK_FAILED|CREATE_FAILED|DELETE_FAILED)$/,
    'aws cloudformation delete-stack --stack-name ',
  ],
];

function stackFindings(stacks: readonly Stack[], settings: Settings): Finding[] {
  const own = ownStacks(stacks, settings);
  const failed = own.flatMap(({ StackName = '', StackStatus = '' }): Finding[] => {
    const command = stackMends.find(([states]) => states.test(StackStatus))?.[1];
    if (!command) return [];
    const mend = `${command}${StackName}, then npm run deploy`;
    return [{ check: 'stacks', severity: 'problem', found: `${StackName} is in ${StackStatus}`, mend }];
  });
  if (failed.length > 0) return failed;
  const found = own.length === 0 ? 'nothing is deployed yet' : `${own.length} stacks are deployed`;
  return [{ check: 'stacks', severity: 'good', found }];
}

function releaseFindings(stacks: readonly Stack[], settings: Settings): Finding[] {
  const api = ownStacks(stacks, settings).find((stack) => outputOf(stack, 'PublicUrl'));
  if (!api) return [];
  const deployed: DeployedRelease = {
    version: outputOf(api, 'Version') ?? null,
    oldestRollback: outputOf(api, 'OldestRollback') ?? null,
  };
  const { lines, isSafe } = releaseStep(deployed, readChangelog());
  const mend = isSafe ? undefined : '"Roll back" in docs/upgrade.md';
  return [{ check: 'release', severity: isSafe ? 'good' : 'warning', found: lines[0] ?? '', mend }];
}

/** From this share of the day's recipients on. */
const nearlyUsed = 0.8;

async function examineSes(client: SESv2Client): Promise<Finding[]> {
  const account = await client.send(new GetAccountCommand({}));
  const { MaxSendRate = 0, Max24HourSend = 0, SentLast24Hours = 0 } = account.SendQuota ?? {};
  const findings: Finding[] = [];
  const add = (severity: Severity, found: string, mend?: string) =>
    findings.push({ check: 'SES', severity, found, mend });
  if (!account.ProductionAccessEnabled) {
    add(
      'warning',
      'The account is in the sandbox: SES sends to verified addresses only',
      'Request production access in the SES console ("Get set up"); AWS answers within a day.',
    );
  }
  if (account.SendingEnabled === false)
    add('problem', 'SES has paused sending', 'Reputation metrics in the SES console say why.');
  if (account.EnforcementStatus && account.EnforcementStatus !== 'HEALTHY') {
    const severity = account.EnforcementStatus === 'SHUTDOWN' ? 'problem' : 'warning';
    add(
      severity,
      `SES has put the account under review: ${account.EnforcementStatus}`,
      'Answer the case in the SES console.',
    );
  }
  if (Max24HourSend > 0 && SentLast24Hours >= nearlyUsed * Max24HourSend) {
    const found = `${SentLast24Hours} of ${Max24HourSend} recipients of a day are used`;
    add('warning', found, 'Request a higher sending quota: Service Quotas, Amazon SES.');
  }
  if (findings.length > 0) return findings;
  const day = Max24HourSend === -1 ? 'any number of' : String(Max24HourSend);
  return [{ check: 'SES', severity: 'good', found: `${MaxSendRate} recipients a second, ${day} a day` }];
}

async function examineLambda(client: LambdaClient, settings: Settings): Promise<Finding[]> {
  const { AccountLimit } = await client.send(new GetAccountSettingsCommand({}));
  const limit = AccountLimit?.ConcurrentExecutions ?? 0;
  const workers = Object.values(queues).reduce((sum, queue) => sum + concurrencyOf(queue, settings), 0);
  if (limit >= workers + executionsOfApi) {
    return [
      { check: 'Lambda', severity: 'good', found: `${limit} executions at once; the queues take ${workers} at most` },
    ];
  }
  const share = Math.max(2 * Object.keys(queues).length, Math.floor(limit / 2));
  const request = 'Request 1,000 in Service Quotas: Lambda, "Concurrent executions" (free).';
  return [
    {
      check: 'Lambda',
      severity: limit <= fewExecutions ? 'problem' : 'warning',
      found: `The account may run ${limit} executions at once, and the queues alone take up to ${workers}: requests get 5xx while a campaign is sent`,
      mend: `${request} Until then: "concurrency": ${share} in the settings.`,
    },
  ];
}

/** An address that was not confirmed gets no alarm. */
async function examineAlarms(
  client: SNSClient,
  { alarmEmail, ...settings }: Settings,
  stacks: readonly Stack[],
): Promise<Finding[]> {
  const check = 'alarms';
  if (alarmEmail === undefined) {
    return [{ check, severity: 'warning', found: 'Nobody gets the alarms', mend: 'Set "alarmEmail" in the settings.' }];
  }
  if (ownStacks(stacks, settings as Settings).length === 0) {
    return [{ check, severity: 'good', found: `AWS will ask ${alarmEmail} to confirm after the deployment` }];
  }
  for await (const { Subscriptions = [] } of paginateListSubscriptions({ client }, {})) {
    const own = Subscriptions.find(
      ({ Endpoint, TopicArn }) =>
        Endpoint === alarmEmail && TopicArn?.includes(`:${serviceName(settings as Settings)}-`),
    );
    if (!own) continue;
    if (own.SubscriptionArn?.startsWith('arn:')) return [{ check, severity: 'good', found: `${alarmEmail} gets them` }];
    const mend =
      'Open the link in the mail "AWS Notification - Subscription Confirmation"; a new one comes with the next deployment after three days.';
    return [{ check, severity: 'warning', found: `${alarmEmail} has not confirmed and gets no alarm`, mend }];
  }
  return [{ check, severity: 'warning', found: `${alarmEmail} is not subscribed`, mend: 'npm run deploy' }];
}
