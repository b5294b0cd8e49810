import { lambdaContext } from '../../../infra/local/context.ts';
import { sqsEvent } from '../../../infra/local/messaging/queueBatch.ts';
import type { Campaign, Freeze } from '../../../shared/domain/campaign/campaign.ts';
import { chunkPositions, slicePositions, slicesOfChunk } from '../../../shared/domain/campaign/slice.ts';
import { createId } from '../../../shared/domain/token/identifier.ts';
import type { MeteredCall } from '../counting.ts';
import { type EventKind, eventOf, link, messageOf, type SentMessage } from './events.ts';
import { engineCpuSeconds, type World } from './world.ts';

/** What it took to deal with some events. */
export interface FeedbackFigures {
  readonly events: number;
  readonly batches: number;
  readonly seconds: number;
  readonly cpuMilliseconds: number;
  readonly engineCpuMilliseconds: number;
  readonly calls: readonly MeteredCall[];
}

/** Hands batches of events to the feedback worker of campaigns, some of them at once. */
export async function deliver(
  world: World,
  batches: readonly (readonly string[])[],
  atOnce: number,
): Promise<FeedbackFigures> {
  const { load } = world;
  const [cpuBefore, engineBefore] = [process.cpuUsage(), engineCpuSeconds(world)];
  load.startCounting();
  const began = performance.now();
  const open = [...batches];
  const worker = async () => {
    for (let batch = open.shift(); batch; batch = open.shift()) await deliverBatch(load, batch);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const seconds = (performance.now() - began) / 1000;
  const calls = load.endCounting();
  const { user, system } = process.cpuUsage(cpuBefore);
  const events = batches.reduce((sum, { length }) => sum + length, 0);
  const cpuMilliseconds = (user + system) / 1000;
  const engineCpuMilliseconds = (engineCpuSeconds(world) - engineBefore) * 1000;
  return { events, batches: batches.length, seconds, cpuMilliseconds, engineCpuMilliseconds, calls };
}

async function deliverBatch({ handler }: World['load'], bodies: readonly string[]): Promise<void> {
  const event = sqsEvent(bodies.map(messageOf), 'arn:aws:sqs:us-east-1:000000000000:campaign-feedback');
  const answer = await handler(event, lambdaContext('campaignFeedback', 60), () => {});
  const failures = (answer as { batchItemFailures?: unknown[] } | undefined)?.batchItemFailures ?? [];
  if (failures.length > 0) throw new Error(`The feedback worker failed ${failures.length} of ${bodies.length} events.`);
}

const largestBatch = 1000;

interface Timed {
  readonly body: string;
  readonly at: number;
}

/**
 * Batches as AWS gathers them: several pollers side by side, each of which takes what comes to it for ten seconds, and a
 * thousand at most. Lambda begins with five of them for a queue.
 */
export function gathered(events: readonly Timed[], pollers = 5, windowMilliseconds = 10_000): string[][] {
  const open = new Map<number, { until: number; bodies: string[] }>();
  const batches: string[][] = [];
  for (const { body, at } of [...events].sort((a, b) => a.at - b.at)) {
    const poller = Math.floor(Math.random() * pollers);
    const known = open.get(poller);
    const batch = known && at < known.until ? known : { until: at + windowMilliseconds, bodies: [] };
    if (batch !== known) batches.push(batch.bodies);
    batch.bodies.push(body);
    if (batch.bodies.length < largestBatch) open.set(poller, batch);
    else open.delete(poller);
  }
  return batches;
}

/** Send and Delivery of each message, the latter within some seconds, as mail servers are. */
export function eventsOfSending(messages: readonly SentMessage[]): Timed[] {
  return messages.flatMap((message) => {
    const [sent, delivered] = [message.at + 200 * Math.random(), message.at + 500 + 4000 * Math.random() ** 2];
    return [
      { body: eventOf('Send', message, sent), at: sent },
      { body: eventOf('Delivery', message, delivered), at: delivered },
    ];
  });
}

/**
 * Reports of what was just sent come in its order; those of readers from everywhere in the list: an hour after their
 * message, as readers do, in batches of a dozen; and so many at once that batches are full.
 */
export interface FeedbackOfList {
  readonly people: number;
  readonly deliveries: FeedbackFigures;
  readonly engagement: FeedbackFigures;
  readonly rush: FeedbackFigures;
}

/** Opens and clicks a second that come at once. */
const rushPerSecond = 500;

/** One in two hundred bounces, four in ten open, and one in eight of these clicks. */
export async function measureFeedback(
  world: World,
  workspaceId: string,
  people: number,
  sample: number,
): Promise<FeedbackOfList> {
  const campaign = await sentCampaign(world, workspaceId, people, { withSlices: true });
  const messageAt = (index: number) => sentMessage(campaign, index);
  const first = Math.floor((people - sample) / 2 / chunkPositions) * chunkPositions;
  const fresh = Array.from({ length: sample }, (_, index) => messageAt(first + index));
  const later: When = (message, index) => message.at + 3_600_000 + index * 10;
  const bounced = fresh.filter((_, index) => index % 200 === 199);
  const bounces = eventsOf('Bounce', bounced, later);
  const deliveries = await deliver(world, gathered([...eventsOfSending(fresh), ...bounces], 1), 2);
  // In a list as short as the sample they are the same people, who open once more.
  const [early, late] = [0, sample].map((from) =>
    Array.from({ length: sample }, (_, index) => messageAt(((from + index) * 7919) % people)),
  ) as [SentMessage[], SentMessage[]];
  const engagement = await deliver(world, gathered(eventsOfReaders(early, later), 1), 2);
  const evening = messageAt(people - 1).at + 86_400_000;
  const atOnce: When = (_, index) => evening + (index * 1000) / rushPerSecond;
  const rush = await deliver(world, gathered(eventsOfReaders(late, atOnce), 1), 2);
  return { people, deliveries, engagement, rush };
}

/** Unix milliseconds. */
type When = (message: SentMessage, index: number) => number;

const eventsOf = (kind: EventKind, messages: readonly SentMessage[], when: When): Timed[] =>
  messages.map((message, index) => {
    const at = when(message, index);
    return { body: eventOf(kind, message, at), at };
  });

function eventsOfReaders(readers: readonly SentMessage[], when: When): Timed[] {
  const clicking = readers.filter((_, index) => index % 8 === 0);
  return [...eventsOf('Open', readers, when), ...eventsOf('Click', clicking, when)];
}

/** A campaign that is over, every position accepted. */
export async function sentCampaign(
  { load }: World,
  workspaceId: string,
  people: number,
  { withSlices }: { readonly withSlices: boolean },
): Promise<Campaign> {
  const now = new Date();
  const at = now.toISOString();
  const campaign: Campaign = {
    ...{ workspaceId, id: createId('camp', now), name: 'Bench', subject: 'News', preheader: null },
    ...{ from: 'hello@example.com', kind: 'regular', status: 'draft', segmentId: null, test: null, freeze: null },
    ...{ hold: null, track: {}, createdAt: at, updatedAt: at, scheduledAt: null, sentAt: null },
  };
  await load.addCampaign(campaign, { variants: [] });
  const groups = [{ variant: 0, people }];
  const freeze: Freeze = { id: campaign.id, at, groups, runners: 2, month: at.slice(0, 7) };
  const expiresAt = Math.floor(now.getTime() / 1000) + 86_400;
  const place = { workspaceId, campaignId: campaign.id, freezeId: freeze.id, variant: 0 };
  const html = '<p>News</p>'.repeat(400);
  const message = { subject: 'News', html, text: 'News', variables: [], links: [link], from: '', listId: '' };
  await load.putMessage(place, message, expiresAt);
  const limit = Number.MAX_SAFE_INTEGER;
  const started = await load.startSending(campaign, { freeze, limit, at: now, expiresAt });
  if (started.kind !== 'started') throw new Error('A campaign was not started.');
  const sending: Campaign = { ...campaign, status: 'sending', freeze };
  if (!(await load.finishSending(sending, now, { unsent: 0, expiresAt }))) throw new Error('A campaign was not ended.');
  if (withSlices) await acceptAll(load, sending, expiresAt);
  return { ...sending, status: 'sent' };
}

async function acceptAll(load: World['load'], { workspaceId, id, freeze }: Campaign, expiresAt: number): Promise<void> {
  const people = freeze?.groups[0]?.people ?? 0;
  let next = 0;
  const writer = async () => {
    while (next * slicePositions < people) {
      const [chunk, slice] = [Math.floor(next / slicesOfChunk), next % slicesOfChunk];
      const size = Math.min(slicePositions, people - next * slicePositions);
      next += 1;
      const accepted = new Set(Array.from({ length: size }, (_, position) => position));
      const added = { sets: { accepted }, heard: new Set<string>(), expiresAt };
      await load.addToSlice({ workspaceId, campaignId: id, chunk, slice }, added);
    }
  };
  await Promise.all(Array.from({ length: 8 }, writer));
}

/** The person at a place of the frozen list, as if each slice had been one call. */
function sentMessage({ workspaceId, id, freeze }: Campaign, index: number): SentMessage {
  const [chunk, position] = [Math.floor(index / chunkPositions), index % chunkPositions];
  return {
    id: `${id}-${index}`,
    address: `person.${index}@example${index % 10}.com`,
    tags: {
      mailroom_workspace: workspaceId,
      mailroom_campaign: id,
      mailroom_chunk: String(chunk),
      mailroom_position: String(position),
      mailroom_attempt: `attempt${Math.floor(position / slicePositions)}`,
    },
    at: new Date(freeze?.at ?? 0).getTime() + Math.floor(index / 100) * 1000,
  };
}
