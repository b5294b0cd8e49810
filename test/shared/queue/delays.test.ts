import { createHash } from 'node:crypto';
import { type Script, startJsonServer, tell } from '../platform/aws/jsonServer.ts';

/** SQS takes delays of 0 to 900 seconds (SQS API Reference, SendMessage, `DelaySeconds`). */
const longest = 900;
const now = new Date('2026-11-21T10:00:00.000Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

let server: Awaited<ReturnType<typeof startJsonServer>>;
let queues: Awaited<ReturnType<typeof load>>;

const load = async () => ({
  ...(await import('../../../shared/queue/campaign.ts')),
  ...(await import('../../../shared/queue/campaignStart.ts')),
  ...(await import('../../../shared/queue/scheduledAttempt.ts')),
  ...(await import('../../../shared/queue/scheduledEmail.ts')),
});

beforeAll(async () => {
  server = await startJsonServer();
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_SQS: server.endpoint,
    AWS_ENDPOINT_URL_SCHEDULER: server.endpoint,
    QUEUE_URL_PREFIX: 'https://sqs.us-east-1.amazonaws.com/000000000000/test-',
    QUEUE_ARN_PREFIX: 'arn:aws:sqs:us-east-1:000000000000:test-',
    SCHEDULE_GROUP: 'mailroom',
    SCHEDULER_ROLE_ARN: 'arn:aws:iam::000000000000:role/r',
  });
  queues = await load();
});
afterAll(() => server.stop());

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly DelaySeconds?: number;
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

const accepted: Script = (response, { path, input }) => {
  if (path !== '/') return tell(response, { ScheduleArn: 'arn:aws:scheduler:us-east-1:000000000000:schedule' });
  const entries = input.Entries as readonly Entry[] | undefined;
  const Successful = entries?.map(({ Id, MessageBody }) => ({ Id, MessageId: Id, MD5OfMessageBody: md5(MessageBody) }));
  tell(response, Successful ? { Successful } : { MD5OfMessageBody: md5(String(input.MessageBody)) });
};

/** The delay of what was sent, or the time of its schedule. */
async function requestedBy(send: () => Promise<void>): Promise<number | string | undefined> {
  server.answerBy(accepted);
  await send();
  const [{ input } = { input: {} as Record<string, unknown> }] = server.heard;
  const [entry] = (input.Entries ?? [input]) as readonly Entry[];
  return (input.ScheduleExpression as string | undefined) ?? entry?.DelaySeconds;
}

const run = { kind: 'run', workspace_id: 'ws_1', campaign_id: 'cmp_1', runner: 0, turn: 0 } as const;
const scheduled = { kind: 'send', workspace_id: 'ws_1', email_id: 'em_1', scheduled_at: now.toISOString() } as const;
const attempt = {
  kind: 'attempt',
  workspaceId: 'ws_1',
  webhookId: 'wh_1',
  deliveryId: 'whd_1',
  lane: 'live',
  tries: 1,
  deferrals: 0,
  twin: false,
} as const;

describe('a message for a later time', () => {
  it.each([
    ['campaign runner', (seconds: number) => queues.sendCampaignMessage(run, seconds)],
    ['scheduled email', (delaySeconds: number) => queues.sendScheduledMessages([{ entry: scheduled, delaySeconds }])],
  ])('to a %s has the longest delay at most, since its receiver looks at the time again', async (_, send) => {
    expect(await requestedBy(() => send(longest - 0.5))).toBe(longest);
    expect(await requestedBy(() => send(longest))).toBe(longest);
    expect(await requestedBy(() => send(longest + 1))).toBe(longest);
  });

  it('to a scheduled email is not delayed when its time is past', async () => {
    const past = { entry: scheduled, delaySeconds: -5 };
    expect(await requestedBy(() => queues.sendScheduledMessages([past]))).toBe(0);
  });

  it.each([
    ['start of a campaign', (at: Date) => queues.scheduleStart('ws_1', 'cmp_1', at, now)],
    ['attempt at a webhook', (at: Date) => queues.sendAttemptAt(attempt, at, now)],
  ])('for the %s is delayed by the queue up to 15 minutes, and scheduled beyond', async (_, send) => {
    expect(await requestedBy(() => send(later(longest)))).toBe(longest);
    expect(await requestedBy(() => send(later(longest + 1)))).toBe('at(2026-11-21T10:15:01)');
  });
});
