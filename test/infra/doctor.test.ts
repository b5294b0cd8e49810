import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { examine, type Finding } from '../../infra/doctor/examine.ts';
import { concurrencyOf, queues } from '../../infra/resources.ts';
import { parseSettings } from '../../infra/settings.ts';
import { version } from '../../infra/version.ts';
import { mailroom } from '../functions/cli/mailroom.ts';

interface StubStack {
  readonly name: string;
  readonly status?: string;
  readonly description?: string;
  readonly outputs?: Readonly<Record<string, string>>;
}

/** What AWS answers; each test changes a part of it. */
const usual = {
  stacks: [{ name: 'CDKToolkit', outputs: { BootstrapVersion: '30' } }] as readonly StubStack[],
  account: {
    ProductionAccessEnabled: true,
    SendingEnabled: true,
    EnforcementStatus: 'HEALTHY',
    SendQuota: { MaxSendRate: 14, Max24HourSend: 50_000, SentLast24Hours: 10 },
  },
  concurrency: 1000,
  subscriptions: [] as readonly (readonly [endpoint: string, arn: string])[],
  /** An error by the part of AWS that answers it. */
  refused: {} as Readonly<Record<string, string>>,
};
let answers = usual;
let server: Server;
let environment: Record<string, string>;

const stackXml = ({ name, status = 'CREATE_COMPLETE', description = '', outputs = {} }: StubStack): string =>
  `<member><StackName>${name}</StackName><StackStatus>${status}</StackStatus><Description>${description}</Description>
   <CreationTime>2026-11-21T08:00:00Z</CreationTime><Outputs>${Object.entries(outputs)
     .map(([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`)
     .join('')}</Outputs></member>`;

const queryXml = (action: string, body: string): string =>
  `<${action}Response><${action}Result>${body}</${action}Result></${action}Response>`;

/** Status, type and body by the call. */
function answerTo(url: string, body: string): readonly [number, string, string] {
  const action = new URLSearchParams(body).get('Action');
  const service = url.startsWith('/v2/email') ? 'ses' : url.includes('account-settings') ? 'lambda' : String(action);
  const code = answers.refused[service];
  if (code && action)
    return [403, 'text/xml', `<ErrorResponse><Error><Code>${code}</Code><Message>no</Message></Error></ErrorResponse>`];
  if (code) return [403, 'application/json', JSON.stringify({ __type: code, message: 'no' })];
  if (service === 'ses') return [200, 'application/json', JSON.stringify(answers.account)];
  if (service === 'lambda') {
    return [200, 'application/json', JSON.stringify({ AccountLimit: { ConcurrentExecutions: answers.concurrency } })];
  }
  if (action === 'DescribeStacks')
    return [200, 'text/xml', queryXml(action, `<Stacks>${answers.stacks.map(stackXml).join('')}</Stacks>`)];
  const members = answers.subscriptions.map(
    ([endpoint, arn]) =>
      `<member><Endpoint>${endpoint}</Endpoint><SubscriptionArn>${arn}</SubscriptionArn><Protocol>email</Protocol>
       <TopicArn>arn:aws:sns:us-east-1:1:mailroom-prod-messaging-AlarmTopic</TopicArn></member>`,
  );
  return [200, 'text/xml', queryXml('ListSubscriptions', `<Subscriptions>${members.join('')}</Subscriptions>`)];
}

const calls: string[] = [];
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await text(request);
    calls.push(`${request.method} ${request.url}`);
    const [status, type, answer] = answerTo(request.url ?? '', body);
    response.writeHead(status, { 'content-type': type }).end(answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  environment = {
    AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
  Object.assign(process.env, environment);
});
afterAll(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
beforeEach(() => {
  answers = usual;
  calls.length = 0;
});

const settings = parseSettings({ alarmEmail: 'ops@example.com' });
const findingsOf = async (check: string, given = settings): Promise<Finding[]> =>
  (await examine(given)).filter((one) => one.check === check);
const api = {
  name: 'mailroom-prod',
  description: 'Mailroom: the API',
  outputs: { PublicUrl: 'https://x', Version: version },
};

describe('what is in the way of a deployment', () => {
  it('is nothing in a good account, and only read', async () => {
    const findings = await examine(settings);
    expect(findings.map(({ check, severity }) => [check, severity])).toEqual(
      ['credentials', 'bootstrap', 'stacks', 'SES', 'Lambda', 'alarms'].map((check) => [check, 'good']),
    );
    expect(calls.filter((call) => !/^(GET|POST \/$)/.test(call))).toEqual([]);
  });

  it('says all that SES lacks, each with what to do', async () => {
    answers = {
      ...usual,
      account: {
        ...{ ProductionAccessEnabled: false, SendingEnabled: false, EnforcementStatus: 'PROBATION' },
        SendQuota: { MaxSendRate: 1, Max24HourSend: 200, SentLast24Hours: 160 },
      },
    };
    const found = await findingsOf('SES');
    expect(found.map(({ severity }) => severity)).toEqual(['warning', 'problem', 'warning', 'warning']);
    expect(found.every(({ mend }) => mend)).toBe(true);
  });

  it('names a setting for a small account, with which the queues fit into it', async () => {
    answers = { ...usual, concurrency: 100 };
    const [found] = await findingsOf('Lambda');
    expect(found?.severity).toBe('warning');
    const concurrency = Number(/"concurrency": (\d+)/.exec(found?.mend ?? '')?.[1]);
    const smaller = parseSettings({ alarmEmail: 'ops@example.com', concurrency });
    expect((await findingsOf('Lambda', smaller))[0]?.severity).toBe('good');
    answers = { ...usual, concurrency: 10 };
    expect((await findingsOf('Lambda'))[0]?.severity).toBe('problem');
  });

  it('is a missing or old set-up of CDK', async () => {
    answers = { ...usual, stacks: [] };
    expect((await findingsOf('bootstrap'))[0]).toMatchObject({
      severity: 'problem',
      mend: expect.stringContaining('us-east-1'),
    });
    answers = { ...usual, stacks: [{ name: 'CDKToolkit', outputs: { BootstrapVersion: '3' } }] };
    expect((await findingsOf('bootstrap'))[0]?.severity).toBe('problem');
  });

  it('is a stack that is stuck, with the command that frees it', async () => {
    const stuck = { name: 'mailroom-prod-data', description: 'Mailroom: data', status: 'UPDATE_ROLLBACK_FAILED' };
    answers = { ...usual, stacks: [...usual.stacks, { ...stuck, name: 'other' }, stuck] };
    expect(await findingsOf('stacks')).toEqual([
      {
        check: 'stacks',
        severity: 'problem',
        found: 'mailroom-prod-data is in UPDATE_ROLLBACK_FAILED',
        mend: expect.stringContaining('continue-update-rollback --stack-name mailroom-prod-data'),
      },
    ]);
  });

  it('is an alarm that nobody gets', async () => {
    expect((await findingsOf('alarms', parseSettings({})))[0]?.severity).toBe('warning');
    answers = { ...usual, stacks: [...usual.stacks, api] };
    expect((await findingsOf('alarms'))[0]).toMatchObject({ severity: 'warning', mend: 'npm run deploy' });
    answers = { ...answers, subscriptions: [['ops@example.com', 'PendingConfirmation']] };
    expect((await findingsOf('alarms'))[0]?.found).toContain('has not confirmed');
    answers = { ...answers, subscriptions: [['ops@example.com', 'arn:aws:sns:us-east-1:1:mailroom-prod-x:1']] };
    expect((await findingsOf('alarms'))[0]?.severity).toBe('good');
  });

  it('goes on when it may not look at a part, and names the permission', async () => {
    answers = { ...usual, refused: { ses: 'AccessDeniedException', ListSubscriptions: 'AuthorizationError' } };
    expect(await findingsOf('SES')).toEqual([
      { check: 'SES', severity: 'unknown', found: expect.any(String), mend: 'Allow ses:GetAccount.' },
    ]);
    expect((await findingsOf('Lambda'))[0]?.severity).toBe('good');
  });

  it('is once that AWS does not take the credentials', async () => {
    answers = { ...usual, refused: { DescribeStacks: 'InvalidClientTokenId' } };
    const findings = await examine(settings);
    expect(findings.filter(({ severity }) => severity === 'problem')).toEqual([
      {
        check: 'credentials',
        severity: 'problem',
        found: expect.any(String),
        mend: expect.stringContaining('aws sso login'),
      },
    ]);
  });
});

describe('mailroom doctor', () => {
  it('prints what it found, and ends with 1 when there is a problem', async () => {
    const good = await mailroom(['doctor', '--json'], environment);
    expect([good.code, good.stderr]).toEqual([0, '']);
    expect(JSON.parse(good.stdout)).toMatchObject({ object: 'diagnosis', ok: true, region: 'us-east-1' });
    answers = { ...usual, stacks: [] };
    const bad = await mailroom(['doctor', '--region', 'eu-west-3'], environment);
    expect(bad.code).toBe(1);
    expect(bad.stdout).toContain('npx cdk bootstrap aws://ACCOUNT/eu-west-3');
  }, 60_000);
});

describe('how many runs of the workers there are at once', () => {
  const runs = (settings: object) => {
    const all = parseSettings(settings);
    return Object.fromEntries(Object.entries(queues).map(([name, queue]) => [name, concurrencyOf(queue, all)]));
  };
  const sum = (settings: object) => Object.values(runs(settings)).reduce((total, one) => total + one, 0);

  it('is shared by the queues, each with two at least, and changes nothing at its default', () => {
    const usual = Object.values(queues).map(({ name, maxConcurrency }) => [name, maxConcurrency]);
    expect(runs({})).toEqual(Object.fromEntries(usual));
    expect(sum({ concurrency: sum({}) })).toBe(sum({}));
    for (const total of [40, 60, 200, 1000]) expect(sum({ concurrency: total })).toBeLessThanOrEqual(total);
    expect(sum({ concurrency: 2 })).toBe(2 * Object.keys(queues).length);
  });

  it('lets two campaigns have all of their runners, and webhooks what their setting says', () => {
    expect(runs({ campaignRunners: 16 })).toMatchObject({ campaign: 36, 'webhook-delivery': 20 });
    const webhooks = { 'webhook-delivery': 101, 'webhook-delivery-bulk': 51, campaign: 20 };
    expect(runs({ webhookConcurrency: 101 })).toMatchObject(webhooks);
    expect(Math.min(...Object.values(runs({ campaignRunners: 2, webhookConcurrency: 2 })))).toBe(2);
  });

  it('is what the doctor compares with the account’s limit, and gives every queue its share of `concurrency`', async () => {
    answers = { ...usual, concurrency: 650 };
    const large = { campaignRunners: 64, webhookConcurrency: 300 };
    expect(sum(large)).toBe(sum({}) - 50 + 132 + 300 + 150);
    expect((await findingsOf('Lambda', parseSettings(large)))[0]).toMatchObject({
      severity: 'warning',
      found: expect.stringContaining(`the queues alone take up to ${sum(large)}`),
    });
    const shared = runs({ campaignRunners: 64, webhookConcurrency: 300, concurrency: 331 });
    expect(shared).toMatchObject({ campaign: 66, 'webhook-delivery': 150, 'webhook-delivery-bulk': 75 });
  });
});
