import type { BenchContext, Section } from '../report.ts';
import { campaignConsumption } from './consumption.ts';
import { measureFreeze } from './freeze.ts';
import { workspaceWith } from './people.ts';
import { feedbackRow, freezeRow, pacedRow, speedRow, wholeRows } from './rows.ts';
import { measureSending, type PacedSending } from './sending.ts';
import { measureWhole } from './whole.ts';
import { startWorld, type World } from './world.ts';

/** Rates of an account, and how long its campaigns are observed. */
const ratesOf = (quick: boolean) => [
  { perSecond: 14, seconds: quick ? 8 : 60 },
  { perSecond: 500, seconds: quick ? 6 : 30 },
];

/** Campaigns, from the freeze of the list to the report, with a provider that only counts. */
export async function benchCampaigns({ quick }: BenchContext): Promise<Section> {
  const world = await startWorld();
  try {
    const people = quick ? 20_000 : 200_000;
    const large = await workspaceWith(world, people);
    const freeze = await measureFreeze(world, large);
    const list = quick ? large : await workspaceWith(world, 30_000);
    const unlimited = { latencyMilliseconds: 50, perSecond: 10_000 };
    const speed = await measureSending(world, list, unlimited, { warmSeconds: 2, seconds: quick ? 5 : 10 });
    const paced = await pacedAt(world, list, ratesOf(quick));
    const [recipients, perSecond] = quick ? [6000, 450] : [12_000, 100];
    // Campaigns have nine tenths of the account's rate.
    const whole = await measureWhole(world, await workspaceWith(world, recipients), Math.ceil(perSecond / 0.9));
    return {
      title: 'Campaigns',
      rows: [
        freezeRow(freeze, people),
        speedRow(speed),
        ...paced.map(pacedRow),
        ...wholeRows(whole),
        feedbackRow('feedback on messages just sent (Send, Delivery)', whole.deliveries),
        feedbackRow('feedback of readers an hour later (Open, Click), a dozen in a batch', whole.engagement),
      ],
      figures: withoutCalls({ freeze, speed, paced, whole }),
      consumption: [campaignConsumption(freeze, whole)],
    };
  } finally {
    await world.stop();
  }
}

async function pacedAt(world: World, workspaceId: string, rates: ReturnType<typeof ratesOf>): Promise<PacedSending[]> {
  const paced: PacedSending[] = [];
  for (const { perSecond, seconds } of rates) {
    const rules = { latencyMilliseconds: 50, perSecond, isLimited: true };
    paced.push({ perSecond, sending: await measureSending(world, workspaceId, rules, { warmSeconds: 2, seconds }) });
  }
  return paced;
}

/** Lists of calls are replaced by their lengths, which would fill the report otherwise. */
const withoutCalls = (figures: object): unknown =>
  JSON.parse(
    JSON.stringify(figures, (name, value) => (name === 'calls' && Array.isArray(value) ? value.length : value)),
  );
