import { campaignShardPartition } from '../../../shared/store/table/keys.ts';
import { itemsUnder, type Stored, storedOf } from '../costs/storage.ts';
import type { MeteredCall } from '../counting.ts';
import { deliver, eventsOfSending, type FeedbackFigures, gathered } from './feedback.ts';
import { unitsOf } from './freeze.ts';
import { contextOf, draft, forgetPace, send, untilSent, type World } from './world.ts';

const shards = 16;

/** Calls of AWS and units of the table, per recipient. */
interface PerRecipient {
  readonly calls: number;
  readonly readUnits: number;
  readonly writeUnits: number;
}

/** One campaign from its freeze to its report, each stage apart; what a cost sheet can be made from. */
export interface WholeFigures {
  readonly people: number;
  /** What campaigns have of the account's rate. */
  readonly perSecond: number;
  readonly seconds: number;
  readonly freeze: PerRecipient;
  readonly sending: PerRecipient;
  /** Of Send and Delivery of each message. */
  readonly feedback: PerRecipient;
  readonly report: PerRecipient;
  readonly commands: Readonly<Record<string, number>>;
  /** Turns of runners: each is a message of the queue. */
  readonly turns: number;
  readonly feedbackRun: Omit<FeedbackFigures, 'calls'>;
  readonly stored: Stored;
  readonly isExact: boolean;
}

/** Sends to everybody of a workspace, then hands the worker what SES would publish, as AWS would gather it. */
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
  const began = performance.now();
  await untilSent(world, workspaceId, id, 600);
  const seconds = (performance.now() - began) / 1000;
  const { calls } = await service.readMeter();
  const sending = calls.filter(({ worker }) => worker === 'campaign');
  const { calls: feedback, ...feedbackRun } = await deliver(
    world,
    gathered(eventsOfSending(await provider.taken())),
    2,
  );
  load.startCounting();
  const { counts } = await load.campaignStats(contextOf(workspaceId), { id });
  const report = load.endCounting();
  const partitions = Array.from({ length: shards }, (_, shard) => campaignShardPartition(workspaceId, id, shard));
  const stored = storedOf(await itemsUnder(service, partitions), people, (_, sk) => sk.split('#')[0]?.toLowerCase());
  const per = (stage: readonly MeteredCall[]) => perRecipient(stage, people);
  return {
    people,
    perSecond: Math.floor(perSecond * 0.9),
    seconds,
    freeze: per(freeze),
    sending: per(sending),
    feedback: per(feedback),
    report: per(report),
    commands: countCommands(sending),
    turns: sending.filter(({ command }) => command === 'SendMessage').length,
    feedbackRun,
    stored,
    isExact: counts.recipients === people && counts.delivered === people && (await isOnceEach(world)),
  };
}

async function isOnceEach({ provider }: World): Promise<boolean> {
  const { repeated, throttled } = await provider.counts();
  return repeated === 0 && throttled === 0;
}

const perRecipient = (calls: readonly MeteredCall[], people: number): PerRecipient => {
  const { readUnits, writeUnits } = unitsOf(calls);
  return { calls: calls.length / people, readUnits: readUnits / people, writeUnits: writeUnits / people };
};

function countCommands(calls: readonly MeteredCall[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const { command } of calls) counts.set(command, (counts.get(command) ?? 0) + 1);
  return Object.fromEntries(counts);
}
