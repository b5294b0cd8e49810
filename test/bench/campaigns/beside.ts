import { percentiles } from '../load.ts';
import { begin, stop } from './sending.ts';
import { pause, type World } from './world.ts';

/** Single emails at a steady beat. */
interface SinglesFigures {
  readonly calls: number;
  readonly failures: number;
  readonly milliseconds: ReturnType<typeof percentiles>;
}

export interface BesideFigures {
  readonly alone: SinglesFigures;
  readonly beside: SinglesFigures;
  /** Single emails that the provider refused for the rate, campaign under way. */
  readonly refused: number;
  /** Of the campaign meanwhile. */
  readonly campaignPerSecond: number;
}

const singlesPerSecond = 10;

/** Single emails by the API, without a campaign and beside one that has its whole share of the rate. */
export async function measureBeside(
  world: World,
  workspaceId: string,
  perSecond: number,
  seconds: number,
): Promise<BesideFigures> {
  const { provider, service, load } = world;
  await load.updateSettings(service.dev.workspace_id, { plan: 'scale' });
  const rules = { latencyMilliseconds: 50, perSecond, isLimited: true };
  await provider.behave(rules);
  await singles(world, 3);
  const alone = await singles(world, seconds);
  const id = await begin(world, workspaceId, rules);
  await pause(2000);
  const before = await provider.counts();
  const beside = await singles(world, seconds);
  const after = await provider.counts();
  await stop(world, workspaceId, id);
  return {
    alone,
    beside,
    refused: after.singlesRefused,
    campaignPerSecond: (after.accepted - before.accepted) / ((after.lastCallAt - before.lastCallAt) / 1000),
  };
}

/** One every tenth of a second, whether or not those before are answered. */
async function singles({ service: { dev } }: World, seconds: number): Promise<SinglesFigures> {
  const times: number[] = [];
  let failures = 0;
  const one = async (index: number) => {
    const began = performance.now();
    const response = await fetch(`${dev.base_url}/api/v1/emails`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${dev.api_key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        from: 'hello@example.com',
        to: `single${index}@example.net`,
        subject: 'Your receipt',
        text: 'Thank you.',
      }),
    });
    await response.arrayBuffer();
    if (response.status !== 202) failures += 1;
    times.push(performance.now() - began);
  };
  const under: Promise<void>[] = [];
  for (let index = 0; index < seconds * singlesPerSecond; index += 1) {
    under.push(one(index));
    await pause(1000 / singlesPerSecond);
  }
  await Promise.all(under);
  return { calls: times.length, failures, milliseconds: percentiles(times) };
}
