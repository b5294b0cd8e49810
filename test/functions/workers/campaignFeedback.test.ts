import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { SQSBatchResponse } from 'aws-lambda';
import { lambdaContext } from '../../../infra/local/lambdaContext.ts';
import { sqsEvent } from '../../../infra/local/messaging/internal/queueBatch.ts';
import { type Campaign, sizeOfSlice } from '../../../shared/domain/campaign/campaign.ts';
import { countSlice, sum, type Tally } from '../../../shared/domain/campaign/report.ts';
import { createId } from '../../../shared/domain/identifier.ts';
import { eventTypes, newWebhook } from '../../../shared/domain/webhook/webhook.ts';
import { draftCampaign } from '../../shared/domain/campaign/draftCampaign.ts';
import { collectActivity } from '../../shared/services/activityLines.ts';
import { contextOf, operatorContext } from '../../shared/services/context.ts';
import { startTestTable } from '../../shared/store/testTable.ts';

const folder = join(import.meta.dirname, '..', '..', 'fixtures', 'ses-events');
const sampleLink = 'http://docs.aws.amazon.com/ses/latest/DeveloperGuide/send-email-smtp.html';

let table: Awaited<ReturnType<typeof startTestTable>>;
let workspaceId: string;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const [worker, store, messages, slices, tallies, days, suppression, workspaces, webhooks, stats, hooks, log] =
    await Promise.all([
      import('../../../functions/workers/campaignFeedback.ts'),
      import('../../../shared/store/campaign/campaigns.ts'),
      import('../../../shared/store/campaign/frozenContent.ts'),
      import('../../../shared/store/campaign/slices.ts'),
      import('../../../shared/store/campaign/tallies.ts'),
      import('../../../shared/store/usage.ts'),
      import('../../../shared/store/person/suppressions.ts'),
      import('../../../shared/services/workspaces/workspaces.ts'),
      import('../../../shared/store/webhook/deliveries.ts'),
      import('../../../shared/services/campaigns/readCampaigns.ts'),
      import('../../../shared/store/webhook/webhooks.ts'),
      import('../../../shared/platform/logger.ts'),
    ]);
  return {
    ...log,
    ...worker,
    ...store,
    ...messages,
    ...slices,
    ...tallies,
    ...days,
    ...suppression,
    ...workspaces,
    ...webhooks,
    ...stats,
    ...hooks,
  };
}

beforeAll(async () => {
  process.env.POWERTOOLS_LOG_LEVEL = 'SILENT';
  table = await startTestTable();
  modules = await load();
});
afterAll(() => table.stop());

beforeEach(async () => {
  const workspace = { name: 'Test', plan: 'free', language: 'en' } as const;
  ({ id: workspaceId } = await modules.createWorkspace(operatorContext(), workspace));
});

/** A campaign that is being sent, with one link. */
async function sending(people: number): Promise<Campaign> {
  const now = new Date();
  const at = now.toISOString();
  const campaign = draftCampaign(workspaceId, now);
  await modules.addCampaign(campaign, { variants: [] });
  const freeze = { id: campaign.id, at, groups: [{ variant: 0, people }], runners: 1, month: at.slice(0, 7) };
  const expiresAt = Math.floor(now.getTime() / 1000) + 3600;
  const message = { subject: '', html: '', text: '', variables: [], links: [sampleLink], from: '', listId: '' };
  const place = { workspaceId, campaignId: campaign.id, freezeId: freeze.id, variant: 0 };
  await modules.putMessage(place, message, expiresAt);
  const started = await modules.startSending(campaign, { freeze, limit: 100_000, at: now, expiresAt });
  if (started.kind !== 'started') throw new Error(started.kind);
  return { ...campaign, status: 'sending', freeze };
}

/** AWS's own sample of an event, for the recipient at this position. */
function sample(type: string, campaign: Campaign, position: number, to = addressOf(position)): string {
  const text = readFileSync(join(folder, `aws-sns-${type}.json`), 'utf8').replaceAll(/recipient@example\.com/g, to);
  const event = JSON.parse(text);
  const tags = {
    mailroom_workspace: [workspaceId],
    mailroom_campaign: [campaign.id],
    mailroom_chunk: [String(Math.floor(position / 500))],
    mailroom_position: [String(position % 500)],
    mailroom_attempt: ['attempt'],
  };
  return JSON.stringify({ ...event, mail: { ...event.mail, messageId: `${campaign.id}-${position}`, tags } });
}

const addressOf = (position: number) => `p${position}@example.net`;

async function failures(bodies: readonly string[]): Promise<number[]> {
  const messages = bodies.map((Body, index) => ({ MessageId: String(index), ReceiptHandle: 'r', Body }));
  const event = sqsEvent(messages, 'arn:aws:sqs:us-east-1:000000000000:campaign-feedback');
  const answer = await modules.handler(event, lambdaContext('campaignFeedback', 60), () => {});
  return ((answer as SQSBatchResponse).batchItemFailures ?? []).map(({ itemIdentifier }) => Number(itemIdentifier));
}

const tallyOf = async ({ id }: Campaign): Promise<Tally> => {
  const { total } = await modules.readTallies(workspaceId, id, { consistent: true });
  return Object.fromEntries(Object.entries(total).filter(([, count]) => count !== 0));
};

/** The outcomes of all slices. */
async function recount({ id, freeze }: Campaign): Promise<Tally> {
  const people = freeze?.groups[0]?.people ?? 0;
  const counts: Tally[] = [];
  for (let shard = 0; shard < 16; shard += 1) {
    for await (const page of modules.slicePages(workspaceId, id, shard)) {
      for (const { state, chunk, slice } of page) {
        counts.push(countSlice(state.sets, sizeOfSlice(Math.min(500, people - chunk * 500), slice)));
      }
    }
  }
  return sum(counts);
}

const today = async () => {
  const day = new Date().toISOString().slice(0, 10);
  const [counts] = (await modules.listDays(workspaceId, day)).filter(({ date }) => date === day);
  return { bounced: counts?.bounced ?? 0, complained: counts?.complained ?? 0, delivered: counts?.delivered ?? 0 };
};

function shuffled<T>(items: readonly T[]): T[] {
  const order = items.map((item, index) => ({ item, rank: (index * 7919 + 13) % 997 }));
  return order.sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}

const types = ['Send', 'Delivery', 'Open', 'Click', 'Bounce', 'Complaint', 'DeliveryDelay', 'Reject'];

describe('the campaign feedback worker', () => {
  it("handles AWS's own samples, twice and in any order, and its counts equal a recount", async () => {
    const campaign = await sending(70);
    const before = await today();
    const activity = collectActivity(modules.logger);
    const stories = [
      ['Send', 'Delivery', 'Open', 'Click'],
      ['Send', 'Delivery', 'Complaint'],
      ['Send', 'Delivery', 'Bounce'],
      ['Open'],
      ['Reject'],
      ['Send', 'DeliveryDelay'],
      ['Send', 'RenderingFailure'],
    ];
    const bodies = Array.from({ length: 70 }, (_, position) =>
      (stories[position % stories.length] ?? []).map((type) => sample(type, campaign, position)),
    ).flat();
    expect(await failures(shuffled([...bodies, ...bodies]))).toEqual([]);
    expect(await failures(shuffled(bodies))).toEqual([]);
    const tally = await tallyOf(campaign);
    expect(tally).toEqual(await recount(campaign));
    expect(tally).toMatchObject({
      sent: 50,
      failed: 20,
      delivered: 20,
      bounced: 10,
      complained: 10,
      opened: 20,
      clicked: 10,
      'link.0': 10,
      'device.Mobile': 20,
    });
    const after = await today();
    expect({
      bounced: after.bounced - before.bounced,
      complained: after.complained - before.complained,
      delivered: after.delivered - before.delivered,
    }).toEqual({ bounced: 10, complained: 10, delivered: 30 });
    // The events prove what was sent, and so count it. A line for each batch and no more.
    expect(activity.sumOf(workspaceId)).toEqual({ sent: 60, bounced: 10, complained: 10, delivered: 30 });
    activity.stop();
    const report = await modules.campaignStats(contextOf(workspaceId), { id: campaign.id });
    expect(report.counts).toMatchObject({ recipients: 70, delivered: 20, opened: 20, clicked: 10 });
    expect(report.links).toEqual([{ url: sampleLink, clicks: 10 }]);
  });

  it.each(types)('counts a %s that is reported a day later and again on its own', async (type) => {
    const campaign = await sending(3);
    await failures([sample('Send', campaign, 1, `late-${type.toLowerCase()}@example.net`)]);
    const late = sample(type, campaign, 1, `late-${type.toLowerCase()}@example.net`);
    expect(await failures([late])).toEqual([]);
    const once = await tallyOf(campaign);
    expect(await failures([late, late])).toEqual([]);
    expect(await tallyOf(campaign)).toEqual(once);
    expect(once).toEqual(await recount(campaign));
  });

  it('leaves one bad record of a thousand on the queue, and handles the rest', async () => {
    const campaign = await sending(999);
    const good = Array.from({ length: 999 }, (_, position) => sample('Delivery', campaign, position));
    const bodies = [...good.slice(0, 500), '{"eventType":"Delivery"}', ...good.slice(500)];
    expect(await failures(bodies)).toEqual([500]);
    expect(await tallyOf(campaign)).toEqual({ sent: 999, delivered: 999 });
  });

  it('does not let an unknown position affect its neighbours', async () => {
    const campaign = await sending(20);
    const strange = ['x', '-1', '20', '1.5', '600'].map((position) => {
      const event = JSON.parse(sample('Delivery', campaign, 0));
      return JSON.stringify({
        ...event,
        mail: { ...event.mail, tags: { ...event.mail.tags, mailroom_position: [position] } },
      });
    });
    expect(await failures([...strange, sample('Delivery', campaign, 3)])).toEqual([]);
    expect(await tallyOf(campaign)).toEqual({ sent: 1, delivered: 1 });
  });

  it('suppresses recipients who bounced or complained, and names the campaign in webhook events', async () => {
    const position = { workspaceId, webhookId: createId('whk', new Date()) };
    const settings = { name: 'Hook', url: 'https://example.com/', events: [...eventTypes], enabled: true };
    await modules.addWebhook(newWebhook(position, settings, 'sealed', new Date()), 20);
    const campaign = await sending(2);
    const bodies = [sample('Bounce', campaign, 0), sample('Complaint', campaign, 1), sample('Open', campaign, 1)];
    await failures([...bodies, ...bodies]);
    const deliveries = await modules.listAnyDeliveries(position, 100);
    expect(new Set(deliveries.map(({ lane }) => lane))).toEqual(new Set(['bulk']));
    const events = deliveries.map(({ body }) => JSON.parse(body));
    const ofMessages = events.filter(({ type }) => type !== 'suppression.added');
    expect(ofMessages.map(({ type }) => type).sort()).toEqual(['email.bounced', 'email.complained', 'email.opened']);
    const suppressed = events.filter(({ type }) => type === 'suppression.added');
    expect(suppressed.map(({ data }) => data.email).sort()).toEqual([addressOf(0), addressOf(1)]);
    for (const { data } of ofMessages)
      expect(data).toMatchObject({ email_id: null, campaign_id: campaign.id, tags: [] });
    const found = await modules.findSuppressions(workspaceId, [addressOf(0), addressOf(1)]);
    expect(found.map(({ email, reason }) => [email, reason])).toEqual(
      expect.arrayContaining([
        [addressOf(0), 'bounce'],
        [addressOf(1), 'complaint'],
      ]),
    );
  });

  it('reports what SES took, delayed and gave up in the bulk lane, once for each cause', async () => {
    const position = { workspaceId, webhookId: createId('whk', new Date()) };
    const settings = { name: 'Hook', url: 'https://example.com/', events: [...eventTypes], enabled: true };
    await modules.addWebhook(newWebhook(position, settings, 'sealed', new Date()), 20);
    const campaign = await sending(6);
    const tagged = (body: string) => {
      const event = JSON.parse(body);
      return JSON.stringify({
        ...event,
        mail: { ...event.mail, tags: { ...event.mail.tags, mailroom_reports: ['sent'] } },
      });
    };
    const rejected = JSON.parse(sample('Reject', campaign, 3));
    const soft = JSON.parse(sample('Bounce', campaign, 4));
    const again = JSON.parse(sample('DeliveryDelay', campaign, 2));
    again.deliveryDelay.timestamp = '2026-11-21T11:00:00.000Z';
    const bodies = [
      tagged(sample('Send', campaign, 0)),
      // Sent while no webhook wanted to know.
      sample('Send', campaign, 1),
      sample('DeliveryDelay', campaign, 2),
      JSON.stringify(again),
      JSON.stringify({ ...rejected, mail: { ...rejected.mail, destination: [addressOf(3)] } }),
      JSON.stringify({ ...soft, bounce: { ...soft.bounce, bounceType: 'Transient' } }),
      sample('RenderingFailure', campaign, 5),
    ];
    expect(await failures([...bodies, ...bodies])).toEqual([]);
    const deliveries = await modules.listAnyDeliveries(position, 100);
    expect(new Set(deliveries.map(({ lane }) => lane))).toEqual(new Set(['bulk']));
    const told = deliveries.map(({ body }) => JSON.parse(body)).map(({ type, data }) => [type, data.recipient, data]);
    const failure = (type: string) => ({ failure: { type, diagnostic: expect.any(String) } });
    expect(told).toEqual(
      expect.arrayContaining([
        ['email.sent', addressOf(0), expect.objectContaining({ email_id: null, campaign_id: campaign.id })],
        [
          'email.delayed',
          addressOf(2),
          expect.objectContaining({ delay: { type: expect.any(String), diagnostic: expect.any(String) } }),
        ],
        ['email.failed', addressOf(3), expect.objectContaining(failure('Reject'))],
        ['email.failed', addressOf(4), expect.objectContaining(failure('Transient'))],
        ['email.failed', addressOf(5), expect.objectContaining(failure('RenderingFailure'))],
      ]),
    );
    expect(told.filter(([type]) => type === 'email.delayed')).toHaveLength(2);
    expect(told).toHaveLength(6);
    const suppressed = await modules.findSuppressions(workspaceId, [3, 4, 5].map(addressOf));
    expect(suppressed).toEqual([]);
  });

  it('raises an alarm for a second message at a position, and for nothing else', async () => {
    const { logger } = await import('../../../shared/platform/logger.ts');
    const error = jest.spyOn(logger, 'error').mockImplementation(() => {});
    try {
      const campaign = await sending(60);
      const bodies = [...Array(60).keys()].flatMap((position) => [
        sample('Send', campaign, position),
        sample('Delivery', campaign, position),
      ]);
      await failures(shuffled([...bodies, ...bodies]));
      expect(error).not.toHaveBeenCalled();
      const second = sample('Send', campaign, 52).replace(`"${campaign.id}-52"`, '"another"');
      expect(await failures([second])).toEqual([]);
      const told = expect.objectContaining({ campaign_id: campaign.id, chunk: 0, slice: 1, positions: [2] });
      expect(error.mock.calls).toEqual([['The provider took two messages of a campaign for the same person.', told]]);
      expect(await tallyOf(campaign)).toEqual({ sent: 60, delivered: 60 });
    } finally {
      error.mockRestore();
    }
  });

  it('counts mail to the SES mailbox simulator for the campaign and for no day', async () => {
    const campaign = await sending(2);
    const before = await today();
    const simulator = 'success@simulator.amazonses.com';
    await failures([sample('Delivery', campaign, 0, simulator), sample('Bounce', campaign, 1, `bounce${simulator}`)]);
    expect(await tallyOf(campaign)).toMatchObject({ sent: 2, delivered: 1, bounced: 1 });
    expect(await today()).toEqual(before);
  });
});
