import type { MeteredCall } from '../counting.ts';
import { type ProcessorTime, timeBetween } from '../processorTime.ts';
import type { ProviderRules } from './provider.ts';
import { contextOf, draft, forgetPace, pause, send, type World } from './world.ts';

/** A campaign, observed for some seconds while it is sent. */
export interface SendingFigures {
  readonly seconds: number;
  readonly accepted: number;
  readonly perSecond: number;
  readonly entries: number;
  readonly throttled: number;
  /** AWS calls of the runners in the window, those to the provider included. */
  readonly calls: readonly MeteredCall[];
  /** Of the service and its engine, in the window. */
  readonly processor: ProcessorTime | null;
  /** Over the whole campaign: recipients with two messages, and whether the tally agrees with the provider. */
  readonly repeated: number;
  readonly isTallyExact: boolean;
}

/** A campaign of an account with this rate. */
export interface PacedSending {
  readonly perSecond: number;
  readonly sending: SendingFigures;
}

interface Window {
  readonly warmSeconds: number;
  readonly seconds: number;
}

/** Sends a campaign with a provider of these rules, observes it for the window, and stops it. */
export async function measureSending(
  world: World,
  workspaceId: string,
  rules: Partial<ProviderRules>,
  window: Window,
): Promise<SendingFigures> {
  const { service } = world;
  const id = await begin(world, workspaceId, rules);
  await pause(window.warmSeconds * 1000);
  await service.startMeter();
  const processorBefore = service.processorTime();
  const first = await world.provider.counts();
  await pause(window.seconds * 1000);
  const last = await world.provider.counts();
  const processor = timeBetween(processorBefore, service.processorTime());
  const { calls } = await service.readMeter();
  await stop(world, workspaceId, id);
  const { accepted, repeated } = await world.provider.counts();
  const { total } = await world.load.readTallies(workspaceId, id, { consistent: true });
  // From call to call, since the window begins and ends between two calls.
  const seconds = (last.lastCallAt - first.lastCallAt) / 1000;
  return {
    seconds,
    accepted: last.accepted - first.accepted,
    perSecond: (last.accepted - first.accepted) / seconds,
    entries: last.entries - first.entries,
    throttled: last.throttled - first.throttled,
    calls: calls.filter(({ worker }) => worker === 'campaign'),
    processor,
    repeated,
    isTallyExact: total.sent === accepted,
  };
}

/** Freezes a campaign and waits for its first call. The account's rate is read before, as for any but the first campaign. */
async function begin(world: World, workspaceId: string, rules: Partial<ProviderRules>): Promise<string> {
  const { load, provider } = world;
  await provider.behave(rules);
  await forgetPace(world);
  await load.currentPace(Date.now());
  const id = await draft(world, workspaceId);
  await send(world, workspaceId, id);
  while ((await provider.counts()).calls === 0) await pause(50);
  return id;
}

/** Pauses a campaign, and waits until calls in flight have ended. */
export async function stop({ load, provider }: World, workspaceId: string, id: string): Promise<void> {
  for (;;) {
    try {
      await load.pauseCampaign(contextOf(workspaceId), { id });
      break;
    } catch (error) {
      // A runner recorded an obstacle at the same moment, or the campaign has ended.
      if ((error as { code?: string }).code !== 'conflict') throw error;
      if ((await load.getCampaign({ workspaceId, id }))?.status === 'sent') return;
    }
  }
  for (let calls = -1; ; ) {
    await pause(1500);
    const counts = await provider.counts();
    if (counts.calls === calls) return;
    calls = counts.calls;
  }
}
