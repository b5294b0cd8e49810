import { countedLinks, shownWindows } from '../../../shared/domain/campaign/slice.ts';
import type { Tally } from '../../../shared/domain/campaign/tally.ts';
import { percentiles } from '../load.ts';
import { sentCampaign } from './feedback.ts';
import { unitsOf } from './freeze.ts';
import { contextOf, type World } from './world.ts';

export interface ReportFigures {
  readonly people: number;
  readonly looks: number;
  readonly milliseconds: ReturnType<typeof percentiles>;
  readonly calls: number;
  readonly readUnits: number;
  readonly tallyBytes: number;
}

const shards = 16;

/** The report of a campaign to a million whose every counter is used: its slices are not there, since it reads none. */
export async function measureReport(world: World, workspaceId: string, people: number): Promise<ReportFigures> {
  const { load } = world;
  const { id } = await sentCampaign(world, workspaceId, people, { withSlices: false });
  const tally = fullTally(people / shards);
  for (let shard = 0; shard < shards; shard += 1) await load.addToTally({ workspaceId, campaignId: id, shard }, tally);
  const looks = 20;
  const times: number[] = [];
  let calls: ReturnType<typeof load.endCounting> = [];
  for (let look = 0; look < looks; look += 1) {
    load.startCounting();
    const began = performance.now();
    const { counts } = await load.campaignStats(contextOf(workspaceId), { id });
    times.push(performance.now() - began);
    calls = load.endCounting();
    if (counts.delivered !== people) throw new Error(`The report says ${counts.delivered} instead of ${people}.`);
  }
  const { readUnits } = unitsOf(calls);
  const tallyBytes = JSON.stringify(tally).length;
  return { people, looks, milliseconds: percentiles(times), calls: calls.length, readUnits, tallyBytes };
}

/** Every counter that a shard can have: windows, links, and as many labels as the library of user agents knows. */
function fullTally(people: number): Tally {
  const windows = Array.from({ length: shownWindows + 1 }, (_, window) => window);
  const labels = (breakdown: string, count: number) =>
    Array.from({ length: count }, (_, index): [string, number] => [`${breakdown}.A name of some length ${index}`, 100]);
  return {
    ...{
      sent: people,
      delivered: people,
      opened: 20_000,
      clicked: 2000,
      unsubscribed: 50,
      complained: 5,
      relayed: 9000,
    },
    ...Object.fromEntries(
      windows.flatMap((window) => [`opened.${window}`, `clicked.${window}`].map((name) => [name, 99])),
    ),
    ...Object.fromEntries(Array.from({ length: countedLinks }, (_, index) => [`link.${index}`, 20])),
    ...Object.fromEntries([...labels('device', 5), ...labels('os', 15), ...labels('client', 30)]),
  };
}
