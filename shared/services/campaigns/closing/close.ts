import { winnerOf } from '../../../domain/campaign/abTest.ts';
import { openPositions } from '../../../domain/campaign/attempt.ts';
import { type Campaign, chunkInfo, isForOperator, openChunks, sizeOfSlice } from '../../../domain/campaign/campaign.ts';
import type { Tally } from '../../../domain/campaign/tally.ts';
import { addSeconds } from '../../../platform/clock.ts';
import { logger } from '../../../platform/logger.ts';
import { longestDelaySeconds } from '../../../queue/delay.ts';
import { changeTest } from '../../../store/campaign/campaigns.ts';
import { getRunners, type Runner, restRunner } from '../../../store/campaign/runners.ts';
import { claimPositions, readSlices } from '../../../store/campaign/slices.ts';
import { sendChunk } from '../run/chunk.ts';
import { type Flight, workspaceOf } from '../run/flight.ts';
import { freed, hold } from '../run/obstacle.ts';
import { campaignExpiry } from '../run/retention.ts';
import { goOn, lookAgainSeconds, watch } from '../run/turn.ts';
import { wake, wakeAll } from '../run/wake.ts';
import { finish } from './finish.ts';
import { probe } from './probe.ts';
import { readHeard } from './readHeard.ts';
import { survey } from './survey.ts';

/**
 * The last runner's turn: when the others have gone all the way it counts every slice, does what was left over, and
 * ends the campaign when everybody has an outcome. Counters alone never end one. While the campaign is on its way it
 * never rests: it is due again and again, so that a wake-up call that died with its sender is made up for.
 */
export async function close(closer: Runner, found: Campaign, turn: Turn): Promise<void> {
  const { now } = turn;
  const { freeze } = found;
  const isCanceled = found.hold?.reason === 'canceled';
  const campaign = isCanceled ? found : await freed(found, now());
  if (!freeze) return void (await restRunner(closer, 0));
  if (!campaign) return lookLater(closer, found, now());
  if (!isCanceled && (await areSomeBehind(campaign))) return watch(closer, now());
  if (isTestRunning(campaign, now()) && !isCanceled) return waitForDecision(closer, campaign, now());
  const flight: Flight = { campaign, freeze, workspace: await workspaceOf(campaign), ...turn };
  if (flight.workspace.suspension && !isCanceled) {
    await hold(campaign, { reason: 'workspace_suspended', providerCode: null }, now());
    return goOn(closer, 0, lookAgainSeconds(), now());
  }
  const { unfinished, tally, variants, lacksWord, isExact } = await survey(flight, await readHeard());
  if (lacksWord) await probe(flight);
  if (unfinished.length > 0) {
    const isSoon = isCanceled ? await skipRest(flight, unfinished) : await sendRest(flight, unfinished);
    return goOn(closer, 0, isSoon ? 1 : lookAgainSeconds(), now());
  }
  if (campaign.test && campaign.test.winner === null && !isCanceled) return decide(closer, campaign, variants, now());
  if (isExact && (await finish(campaign, tally, now()))) await restRunner(closer, 0);
  else await goOn(closer, 0, 1, now());
}

type Turn = Pick<Flight, 'deadline' | 'now' | 'book'>;

/** What an operator holds back waits for them; what the service holds back is looked at again. */
async function lookLater(closer: Runner, { hold: standing }: Campaign, now: Date): Promise<void> {
  if (standing && isForOperator(standing)) return watch(closer, now);
  return goOn(closer, 0, lookAgainSeconds(), now);
}

/** Whether a runner has a way to go. One that rests there was not woken by who should have, and is now. */
async function areSomeBehind(campaign: Campaign): Promise<boolean> {
  const { freeze, workspaceId, id: campaignId } = campaign;
  const count = freeze?.runners ?? 0;
  const runners = await getRunners({ workspaceId, campaignId }, count);
  const behind = runners.filter(({ chunk }) => chunk < openChunks(campaign));
  await Promise.all(behind.map((runner) => runner.isResting && wake(runner)));
  return behind.length > 0 || runners.length < count;
}

/** What the runners left: throttled, in doubt, or claimed by one that died. True when there is more to do right away. */
async function sendRest(flight: Flight, chunks: readonly number[]): Promise<boolean> {
  let isSoon = false;
  for (const chunk of chunks) {
    if (flight.now() >= flight.deadline) return true;
    const outcome = await sendChunk(flight, chunk);
    if (outcome.kind === 'obstacle') await hold(flight.campaign, outcome.obstacle, flight.now());
    if (outcome.kind !== 'done') return outcome.kind === 'late';
    const [slices, people] = [
      await readSlices({ workspaceId: flight.campaign.workspaceId, campaignId: flight.campaign.id, chunk }),
      chunkInfo(flight.freeze, chunk)?.people ?? 0,
    ];
    isSoon ||= slices.every(
      (slice, index) => slice.attempts.length === 0 || openPositions(slice, sizeOfSlice(people, index)).length > 0,
    );
  }
  return isSoon;
}

/** Nobody else gets a cancelled campaign; what is under way or in doubt keeps its own end. True when it found somebody. */
async function skipRest(flight: Flight, chunks: readonly number[]): Promise<boolean> {
  const { campaign, freeze, book, now, deadline } = flight;
  const expiresAt = campaignExpiry(new Date(freeze.at));
  let isSoon = false;
  for (const chunk of chunks) {
    if (now() >= deadline) return true;
    const place = { workspaceId: campaign.workspaceId, campaignId: campaign.id, chunk };
    const people = chunkInfo(freeze, chunk)?.people ?? 0;
    const slices = await readSlices(place);
    await Promise.all(
      slices.map(async (slice, index) => {
        const size = sizeOfSlice(people, index);
        const skipped = { 'skip.canceled': new Set(openPositions(slice, size)) } as const;
        if (skipped['skip.canceled'].size === 0) return;
        isSoon = true;
        const position = { ...place, slice: index };
        const before = await claimPositions(position, slice.turn, { attempt: null, skipped, expiresAt });
        if (before) book.add(position, before.sets, skipped, size);
      }),
    );
  }
  return isSoon;
}

const isTestRunning = ({ test }: Campaign, now: Date): boolean =>
  test !== null && test.winner === null && test.decideAt !== null && now < new Date(test.decideAt);

async function waitForDecision(closer: Runner, { test }: Campaign, now: Date): Promise<void> {
  const left = (new Date(test?.decideAt ?? now).getTime() - now.getTime()) / 1000;
  await goOn(closer, 0, Math.min(longestDelaySeconds, Math.max(1, left)), now);
}

/** The test is out: its time to be decided begins, or is over. The operator may have decided earlier. */
async function decide(
  closer: Runner,
  campaign: Campaign,
  variants: ReadonlyMap<number | null, Tally>,
  now: Date,
): Promise<void> {
  const { test, freeze } = campaign;
  if (!test || !freeze) return;
  const decideAt = test.decideAt === null ? addSeconds(now, test.waitHours * 3600) : new Date(test.decideAt);
  if (test.decideAt === null) await changeTest(campaign, { ...test, decideAt: decideAt.toISOString() }, now);
  if (now < decideAt)
    return waitForDecision(closer, { ...campaign, test: { ...test, decideAt: decideAt.toISOString() } }, now);
  const results = Array.from({ length: test.variants }, (_, variant) => {
    const tally = variants.get(variant) ?? {};
    return { delivered: tally.delivered ?? 0, votes: (test.decideBy === 'opens' ? tally.votes : tally.clicked) ?? 0 };
  });
  const winner = winnerOf(results);
  await changeTest(campaign, { ...test, decideAt: decideAt.toISOString(), winner, results }, now);
  logger.info('A test is decided.', { campaign_id: campaign.id, winner, results });
  await watch(closer, now);
  await wakeAll(campaign);
}
