import { campaignShardPartition } from '../../../shared/store/table/keys.ts';
import { itemsUnder, type Stored, storedOf } from '../costs/storage.ts';
import type { MeteredCall } from '../counting.ts';
import { deliver, eventsOfReaders, eventsOfSending, type FeedbackFigures, gathered } from './feedback.ts';
import { unitsOf } from './freeze.ts';
import { contextOf, draft, forgetPace, send, untilSent, type World } from './world.ts';

const shards = 16;
const readers = 1000;

/** Calls of AWS and units of the table, per recipient. */
interface PerRecipient {
  readonly calls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** One campaign from its freeze to its report, stage by stage; the cost sheet is made from it. */
export interface WholeFigures {
  readonly people: number;
  /** The campaign's share of the account's rate. */
  readonly perSecond: number;
  readonly stages: Readonly<Record<'freeze' | 'sending' | 'feedback' | 'report', PerRecipient>>;
  /** `Send` and `Delivery` of each message. */
  readonly deliveries: FeedbackFigures;
  /** `Open` and `Click` of readers an hour later. */
  readonly engagement: FeedbackFigures;
  readonly stored: Stored;
  readonly isExact: boolean;
}

/** Sends to all people of a workspace, then hands the worker the events that SES would publish. */
export async function measureWhole(world: World, workspaceId: string, perSecond: number): Promise<WholeFigures> {
  const { load, provider, service } = world;
  await provider.behave({ latencyMilliseconds: 50, perSecond, isLimited: true, isKept: true });
  await forgetPace(world);
  await load.currentPace(Date.now());
  const id = await draft(world, workspaceId);
  await service.startMeter();
  load.startCounting();
  const people = await send(world, workspaceId, id);
  const freeze = load.endCounting();
  await untilSent(world, workspaceId, id, 600);
  const sending = (await service.readMeter()).calls.filter(({ worker }) => worker === 'campaign');
  const messages = await provider.taken();
  const deliveries = await deliver(world, gathered(eventsOfSending(messages)));
  load.startCounting();
  const { counts } = await load.campaignStats(contextOf(workspaceId), { id });
  const report = load.endCounting();
  const engagement = await deliver(world, gathered(eventsOfReaders(messages, readers)));
  const partitions = Array.from({ length: shards }, (_, shard) => campaignShardPartition(workspaceId, id, shard));
  const stored = storedOf(await itemsUnder(service, partitions), people, (_, sk) => sk.split('#')[0]?.toLowerCase());
  const per = (calls: readonly MeteredCall[]): PerRecipient => {
    const { readUnits, writeUnits } = unitsOf(calls);
    return { calls: calls.length / people, readUnits: readUnits / people, writeUnits: writeUnits / people };
  };
  const { repeated, throttled } = await provider.counts();
  return {
    people,
    perSecond: Math.floor(perSecond * 0.9),
    stages: { freeze: per(freeze), sending: per(sending), feedback: per(deliveries.calls), report: per(report) },
    deliveries,
    engagement,
    stored,
    isExact: counts.recipients === people && counts.delivered === people && repeated === 0 && throttled === 0,
  };
}
