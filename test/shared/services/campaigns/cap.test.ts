import type { FrequencyCap } from '../../../../shared/domain/sending/frequencyCap.ts';
import type { CampaignRun } from '../../../../shared/services/campaigns/internal/campaignRun.ts';
import { aroundCalls } from '../../store/aroundCalls.ts';
import { contextOf } from '../context.ts';
import { startSendingWorld } from './sendingWorld.ts';

let world: Awaited<ReturnType<typeof startSendingWorld>>;
let modules: Awaited<ReturnType<typeof load>>;
let workspaceId: string;

class Dead extends Error {}
/** The process dies after this many more writes of the table; nothing that it does then reaches it. */
const death = { writes: 0, at: 0, isDead: false };
let operations: string[] = [];

const load = async () => ({
  ...(await import('../../../../shared/services/capPlaces.ts')),
  ...(await import('../../../../shared/services/campaigns/campaignRecipients.ts')),
  ...(await import('../../../../shared/store/campaign/tallies.ts')),
  ...(await import('../../../../shared/store/person/countedMessages.ts')),
  ...(await import('../../../../shared/store/workspace/workspaces.ts')),
  ...(await import('../../../../shared/domain/campaign/report.ts')),
});

beforeAll(async () => {
  world = await startSendingWorld();
  modules = await load();
  const { documents } = await import('../../../../shared/store/table/table.ts');
  aroundCalls(documents, (next) => async (call) => {
    if (death.isDead) throw new Dead();
    operations.push(call.operation);
    const answer = await next(call);
    if (!/^(?:Put|Update|Delete|Transact|BatchWrite)/.test(call.operation)) return answer;
    death.writes += 1;
    if (death.writes !== death.at) return answer;
    death.isDead = true;
    throw new Dead();
  });
});
afterAll(() => world.stop());
beforeEach(async () => {
  workspaceId = await world.newWorkspace();
});

let people = 0;
const some = (count: number) =>
  Array.from({ length: count }, () => {
    people += 1;
    return `p${people}@example.net`;
  });
const set = (cap: FrequencyCap) => modules.changeFrequencyCap(workspaceId, cap);
type Frozen = Awaited<ReturnType<typeof world.frozen>>;

async function send(campaign: Frozen) {
  const counters = new world.CounterBuffer();
  const deadline = new Date(Date.now() + 120_000);
  const workspace = await world.getWorkspace(workspaceId);
  const run = { campaign, freeze: campaign.freeze, workspace, deadline, now: () => new Date(), counters };
  return world.sendChunk(run as unknown as CampaignRun, 0);
}

const taken = ({ id }: Pick<Frozen, 'id'>) => world.taken.filter(({ campaignId }) => campaignId === id);
const totals = async ({ id }: Pick<Frozen, 'id'>) =>
  (await modules.readTallies(workspaceId, id, { consistent: true })).total;

describe('a campaign in a workspace with a frequency cap', () => {
  it('skips people who have had that many messages, with the reason, and its figures add up', async () => {
    await set({ messages: 1, days: 7 });
    const emails = some(70);
    const full = emails.slice(0, 20);
    for (const email of full) await modules.takePlace({ workspaceId, email }, 'run_1#1', new Date());
    const campaign = await world.frozen(workspaceId, emails);
    expect(await send(campaign)).toEqual({ kind: 'done' });
    expect(new Set(taken(campaign).map(({ email }) => email))).toEqual(new Set(emails.slice(20)));
    const total = await totals(campaign);
    expect(total).toMatchObject({ sent: 50, skipped: 20, 'skip.frequency_cap': 20 });
    expect(modules.progressCounts(total, 70)).toEqual({
      ...{ queued: 70, sent: 50, skipped: 20, failed: 0, uncertain: 0, waiting: 0 },
    });
    expect(modules.reportCounts(total, 70)).toMatchObject({ recipients: 50 });
    const request = { id: campaign.id, outcome: 'skipped', limit: 100 } as const;
    const { entries } = await modules.listRecipients(contextOf(workspaceId), request as never);
    expect(entries.map(({ email, reason }) => [email, reason])).toEqual(full.map((email) => [email, 'frequency_cap']));
  });

  it('counts in it, as an automation does: the next one skips them', async () => {
    await set({ messages: 1, days: 7 });
    const emails = some(10);
    await send(await world.frozen(workspaceId, emails));
    const next = await world.frozen(workspaceId, emails);
    await send(next);
    expect(taken(next)).toEqual([]);
    expect(await totals(next)).toMatchObject({ skipped: 10, 'skip.frequency_cap': 10 });
    for (const email of emails)
      expect(await modules.takePlace({ workspaceId, email }, 'run_2#1', new Date())).toMatchObject({ kind: 'full' });
    // A change holds at once.
    await modules.changeFrequencyCap(workspaceId, null);
    const last = await world.frozen(workspaceId, emails);
    await send(last);
    expect(taken(last)).toHaveLength(10);
  });

  it('of two at once, one has the last place with each person', async () => {
    await set({ messages: 1, days: 7 });
    const emails = some(40);
    const [one, other] = [await world.frozen(workspaceId, emails), await world.frozen(workspaceId, emails)];
    await Promise.all([send(one), send(other)]);
    const got = [...taken(one), ...taken(other)].map(({ email }) => email);
    expect(got.sort()).toEqual(emails.toSorted());
    const [first, second] = await Promise.all([totals(one), totals(other)]);
    expect((first['skip.frequency_cap'] ?? 0) + (second['skip.frequency_cap'] ?? 0)).toBe(40);
  });

  it('sends nobody two messages, and nobody more than the cap allows, wherever its process dies', async () => {
    await set({ messages: 1, days: 7 });
    // A place in the pace, four in the cap, the claim, the record of the call.
    for (let at = 1; at <= 7; at += 1) {
      const emails = some(6);
      const full = emails.slice(0, 2);
      for (const email of full) await modules.takePlace({ workspaceId, email }, 'run_1#1', new Date());
      const campaign = await world.frozen(workspaceId, emails);
      Object.assign(death, { writes: 0, at, isDead: false });
      await send(campaign).catch((error: unknown) => {
        if (!death.isDead) throw error;
      });
      Object.assign(death, { at: 0, isDead: false });
      await send(campaign);
      const got = taken(campaign).map(({ email }) => email);
      // After its claim a message may be out, until events prove the contrary.
      expect({ at, got }).toEqual({ at, got: at === 6 ? [] : emails.slice(2) });
      const rest = await Promise.all(
        emails.map(async (email) => (await modules.getCounted(workspaceId, email)).map(({ id }) => id)),
      );
      expect({ at, rest }).toEqual({ at, rest: emails.map((_, index) => [index < 2 ? 'run_1#1' : campaign.id]) });
    }
  });

  it('costs a read for each call and a write for each message, and nothing without a cap', async () => {
    const kinds = (names: readonly string[]) => ({
      reads: names.filter((name) => name === 'BatchGetItem').length,
      writes: names.filter((name) => name === 'UpdateItem').length,
    });
    const without = await world.frozen(workspaceId, some(50));
    operations = [];
    await send(without);
    const plain = kinds(operations);
    await set({ messages: 3, days: 7 });
    const campaign = await world.frozen(workspaceId, some(50));
    operations = [];
    await send(campaign);
    const capped = kinds(operations);
    expect([capped.reads - plain.reads, capped.writes - plain.writes]).toEqual([1, 50]);
    expect(plain.writes).toBeLessThan(10);
  });
});
