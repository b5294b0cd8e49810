import { lambdaContext } from '../../../infra/local/lambdaContext.ts';
import { sqsEvent } from '../../../infra/local/messaging/internal/queueBatch.ts';
import type { MeteredCall } from '../counting.ts';
import { eventOf, messageOf, type SentMessage } from './sesEvents.ts';
import { engineCpuSeconds, type World } from './world.ts';

/** The work of handling some events. */
export interface FeedbackFigures {
  readonly events: number;
  readonly batches: number;
  readonly seconds: number;
  readonly cpuMilliseconds: number;
  readonly engineCpuMilliseconds: number;
  readonly calls: readonly MeteredCall[];
}

const concurrency = 2;

/** Hands batches of events to the feedback worker of campaigns, in this process. */
export async function deliver(world: World, batches: readonly (readonly string[])[]): Promise<FeedbackFigures> {
  const { load } = world;
  const [cpuBefore, engineBefore] = [process.cpuUsage(), engineCpuSeconds(world)];
  load.startCounting();
  const began = performance.now();
  const open = [...batches];
  const worker = async () => {
    for (let batch = open.shift(); batch; batch = open.shift()) await deliverBatch(load, batch);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
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
const windowMilliseconds = 10_000;
/** Lambda begins with five pollers for a queue. */
const pollers = 5;

interface TimedEvent {
  readonly body: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Batches as Lambda gathers them: each poller collects for ten seconds, up to a thousand events. */
export function gathered(events: readonly TimedEvent[]): string[][] {
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

/** `Send` at once and `Delivery` within some seconds. */
export const eventsOfSending = (messages: readonly SentMessage[]): TimedEvent[] =>
  messages.flatMap((message) => {
    const [sent, delivered] = [message.at + 200 * Math.random(), message.at + 500 + 4000 * Math.random() ** 2];
    return [
      { body: eventOf('Send', message, sent), at: sent },
      { body: eventOf('Delivery', message, delivered), at: delivered },
    ];
  });

/** Readers from anywhere in the list, an hour later and ten milliseconds apart: an open each, and a click of every eighth. */
export function eventsOfReaders(messages: readonly SentMessage[], readers: number): TimedEvent[] {
  const prime = 7919;
  return Array.from({ length: readers }, (_, index) => messages[(index * prime) % messages.length]).flatMap(
    (message, index) => {
      if (!message) return [];
      const at = message.at + 3_600_000 + index * 10;
      const open = { body: eventOf('Open', message, at), at };
      return index % 8 === 0 ? [open, { body: eventOf('Click', message, at), at }] : [open];
    },
  );
}
