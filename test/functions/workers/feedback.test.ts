import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { lambdaContext } from '../../../infra/local/lambdaContext.ts';
import { sqsEvent } from '../../../infra/local/messaging/internal/queueBatch.ts';
import { createId } from '../../../shared/domain/identifier.ts';
import type { EmailStatus } from '../../../shared/domain/sending/email.ts';
import { collectActivity } from '../../shared/services/activityLines.ts';
import { operatorContext } from '../../shared/services/context.ts';
import { aroundCalls } from '../../shared/store/aroundCalls.ts';
import { startTestTable } from '../../shared/store/testTable.ts';

const folder = join(import.meta.dirname, '..', '..', 'fixtures', 'ses-events');
const fixtures = readdirSync(folder).filter((name) => name.startsWith('aws-') && name.endsWith('.json'));
/** Events that AWS publishes in other ways than by a configuration set are refused. */
const isForeign = (name: string) => /^aws-(?:identity-feedback|inbound)-/.test(name);

let table: Awaited<ReturnType<typeof startTestTable>>;
let workspaceId: string;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [worker, emails, attempts, settlement, reservations, sweep, days, suppression, workspaces, table, log] =
    await Promise.all([
      import('../../../functions/workers/feedback.ts'),
      import('../../../shared/store/emails/email.ts'),
      import('../../../shared/store/quota/attempts.ts'),
      import('../../../shared/store/quota/settlement.ts'),
      import('../../../shared/store/quota/reservations.ts'),
      import('../../../shared/services/sweep/settleSends.ts'),
      import('../../../shared/store/usage.ts'),
      import('../../../shared/store/person/suppressions.ts'),
      import('../../../shared/services/workspaces/workspaces.ts'),
      import('../../../shared/store/table/table.ts'),
      import('../../../shared/platform/logger.ts'),
    ]);
  return {
    ...log,
    ...table,
    ...worker,
    ...emails,
    ...attempts,
    ...settlement,
    ...reservations,
    ...sweep,
    ...days,
    ...suppression,
    ...workspaces,
  };
}

beforeAll(async () => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
  table = await startTestTable();
  modules = await load();
  ({ id: workspaceId } = await modules.createWorkspace(operatorContext(), {
    name: 'Test',
    plan: 'free',
    language: 'en',
  }));
});
afterAll(() => table.stop());

/** Runs the worker on these bodies. Returns the indexes of those that it leaves on the queue. */
async function failures(bodies: readonly string[]): Promise<number[]> {
  const messages = bodies.map((Body, index) => ({ MessageId: String(index), ReceiptHandle: 'r', Body }));
  const event: SQSEvent = sqsEvent(messages, 'arn:aws:sqs:us-east-1:000000000000:feedback');
  const answer = await modules.handler(event, lambdaContext('feedback', 30), () => {});
  return ((answer as SQSBatchResponse).batchItemFailures ?? []).map(({ itemIdentifier }) => Number(itemIdentifier));
}

/** An accepted email, and the minute of its attempt. */
async function accepted(to: string): Promise<{ emailId: string; minute: number }> {
  const now = new Date();
  const email = {
    workspaceId,
    id: createId('email', now),
    from: 'a@example.com',
    to: [to],
    cc: [],
    bcc: [],
    replyTo: [],
    subject: 's',
    tags: [],
    envelopes: [[to]],
    createdAt: now.toISOString(),
    expiresAt: Math.floor(now.getTime() / 1000) + 3600,
    isQuotaExempt: false,
  };
  const reserved = await modules.reserve(email, modules.quotaOf(email, [to]), 3000, now, 'only');
  if (!reserved.ok) throw new Error('There was no room.');
  await modules.recordAcceptance(email, 0, 'm', reserved.minute, now);
  return { emailId: email.id, minute: reserved.minute };
}

/** A minute that is settled long since. */
const settledMinute = 1;

/** A fixture as SES would send it for this email: with the service's tags, about its recipient. */
function fixture(name: string, emailId: string, to: string, minute = settledMinute): string {
  const text = readFileSync(join(folder, name), 'utf8').replaceAll(/recipient@example\.com/g, to);
  const event = JSON.parse(text) as { mail?: { tags?: object } };
  const tags = {
    mailroom_workspace: [workspaceId],
    mailroom_email: [emailId],
    mailroom_envelope: ['0'],
    mailroom_minute: [String(minute)],
  };
  return JSON.stringify({ ...event, ...(event.mail ? { mail: { ...event.mail, tags } } : {}) });
}

/** As the sweeper does when the minutes are over. */
const settleAll = () => modules.sweepOpenSends(new Date(Date.now() + 3_600_000));

const statusOf = async (emailId: string): Promise<EmailStatus | undefined> =>
  (await modules.getEmail(workspaceId, emailId))?.outcomes[0]?.status;

describe('the feedback worker', () => {
  it.each(fixtures.filter((name) => !isForeign(name)))("handles AWS's own %s, twice as well as once", async (name) => {
    const to = `${name.toLowerCase().replaceAll(/[^a-z]/g, '')}@example.net`;
    const { emailId } = await accepted(to);
    const body = fixture(name, emailId, to);
    expect(await failures([body, body])).toEqual([]);
    expect(await failures([body])).toEqual([]);
    const type = /-(\w+)\.json$/.exec(name)?.[1] ?? '';
    const moved: Record<string, EmailStatus> = { Delivery: 'delivered', Bounce: 'bounced', Complaint: 'complained' };
    // Other events do not change the status.
    const statuses: Record<string, EmailStatus> = { ...moved, Open: 'sent', Click: 'sent', DeliveryDelay: 'sent' };
    expect(await statusOf(emailId)).toBe(statuses[type]);
    const [suppression] = await modules.findSuppressions(workspaceId, [to]);
    const reasons: Record<string, string> = { Bounce: 'bounce', Complaint: 'complaint' };
    expect(suppression?.reason).toBe(reasons[type]);
  });

  it('counts a bounce, a complaint and a delivery once, in any order and however often they are reported', async () => {
    const day = new Date().toISOString().slice(0, 10);
    const counted = async () => {
      const [today] = (await modules.listDays(workspaceId, day)).filter(({ date }) => date === day);
      return { bounced: today?.bounced ?? 0, complained: today?.complained ?? 0, delivered: today?.delivered ?? 0 };
    };
    await settleAll();
    const before = await counted();
    const activity = collectActivity(modules.logger);
    const to = 'disorder@example.net';
    const { emailId, minute } = await accepted(to);
    const [delivery, bounce, complaint] = ['Delivery', 'Bounce', 'Complaint'].map((type) =>
      fixture(`aws-sns-${type}.json`, emailId, to, minute),
    ) as [string, string, string];
    await failures([delivery]);
    await Promise.all([failures([bounce, bounce]), failures([bounce])]);
    await failures([complaint, delivery, bounce, complaint]);
    expect(await statusOf(emailId)).toBe('complained');
    await settleAll();
    const after = await counted();
    expect({
      bounced: after.bounced - before.bounced,
      complained: after.complained - before.complained,
      delivered: after.delivered - before.delivered,
    }).toEqual({ bounced: 1, complained: 1, delivered: 1 });
    expect(activity.sumOf(workspaceId)).toEqual({ sent: 1, bounced: 1, complained: 1, delivered: 1 });
    activity.stop();
  });

  it('counts the bounces of a batch one by one, and a failure does not block the others', async () => {
    const bounces = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const to = `bounce${index}@example.net`;
        const { emailId, minute } = await accepted(to);
        return { emailId, body: fixture('aws-sns-Bounce.json', emailId, to, minute) };
      }),
    );
    const [atOnce, made] = [new Set<number>(), { count: 0, most: 0 }];
    const restore = aroundCalls(modules.documents, (next) => async (call) => {
      if (call.operation !== 'TransactWriteItems' || !JSON.stringify(call.input).includes('"DAY#')) return next(call);
      made.count += 1;
      const own = made.count;
      atOnce.add(own);
      made.most = Math.max(made.most, atOnce.size);
      try {
        if (own === 3) throw new Error('The third is lost.');
        return await next(call);
      } finally {
        atOnce.delete(own);
      }
    });
    const failed = await failures(bounces.map(({ body }) => body));
    restore();
    expect(made).toEqual({ count: 12, most: 1 });
    expect(failed).toHaveLength(1);
    const statuses = await Promise.all(bounces.map(({ emailId }) => statusOf(emailId)));
    expect(statuses.filter((status) => status === 'bounced')).toHaveLength(11);
  });

  it('counts every delivery of a batch whose worker crashed, when it is received again', async () => {
    await settleAll();
    const day = new Date().toISOString().slice(0, 10);
    const delivered = async () =>
      (await modules.listDays(workspaceId, day)).reduce((sum, one) => sum + one.delivered, 0);
    const before = await delivered();
    const emails = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => ({
        to: `n${index}@example.net`,
        ...(await accepted(`n${index}@example.net`)),
      })),
    );
    const bodies = emails.map(({ emailId, to, minute }, index) =>
      fixture('aws-sns-Delivery.json', emailId, to, index % 2 ? minute : settledMinute),
    );
    // The first worker wrote some outcomes and crashed.
    await failures(bodies.slice(0, 7));
    await Promise.all([failures(bodies), failures(bodies)]);
    await settleAll();
    expect((await delivered()) - before).toBe(12);
    await failures(bodies);
    await settleAll();
    expect((await delivered()) - before).toBe(12);
  });

  it('leaves what it cannot read for the dead-letter queue, and handles the rest', async () => {
    const to = 'neighbour@example.net';
    const { emailId } = await accepted(to);
    const bad = ['not json', '{}', '[]', 'null', '{"eventType":"Delivery"}', '{"eventType":"Moved","mail":{}}'];
    const foreign = fixtures.filter(isForeign).map((name) => fixture(name, emailId, to));
    const good = fixture('aws-sns-Delivery.json', emailId, to);
    const bodies = [...bad, ...foreign, good];
    expect(await failures(bodies)).toEqual([...bodies.keys()].slice(0, -1));
    expect(await statusOf(emailId)).toBe('delivered');
  });

  it('does not take an event of a campaign for one of a single email, and leaves unknown origins on the queue', async () => {
    const to = 'campaign@example.net';
    const { emailId } = await accepted(to);
    const tagged = (tags: Record<string, string>) => {
      const event = JSON.parse(fixture('aws-sns-Bounce.json', emailId, to));
      const own = Object.entries({ mailroom_workspace: workspaceId, ...tags }).map(([name, value]) => [name, [value]]);
      return JSON.stringify({ ...event, mail: { ...event.mail, tags: Object.fromEntries(own) } });
    };
    const campaign = tagged({ mailroom_campaign: createId('camp', new Date()), mailroom_position: '3' });
    expect(await failures([campaign, tagged({ mailroom_digest: 'digest_1' })])).toEqual([1]);
    expect(await statusOf(emailId)).toBeUndefined();
    expect(await modules.findSuppressions(workspaceId, [to])).toEqual([]);
  });

  it("ignores SES's notice that the topic is its destination, and mail of other senders", async () => {
    const other = readFileSync(join(folder, 'aws-sns-Bounce.json'), 'utf8');
    expect(await failures(['Successfully validated SNS topic for Amazon SES event publishing.', other])).toEqual([]);
  });
});
