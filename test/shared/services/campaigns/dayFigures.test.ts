import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import type { FeedbackEvent } from '../../../../shared/domain/sending/feedbackEvent.ts';
import type { Feedback } from '../../../../shared/email/feedbackEvent.ts';
import type { CampaignRun } from '../../../../shared/services/campaigns/internal/campaignRun.ts';
import { aroundCalls } from '../../store/aroundCalls.ts';
import { startSendingWorld, type TakenMessage } from './sendingWorld.ts';

let world: Awaited<ReturnType<typeof startSendingWorld>>;
let modules: Awaited<ReturnType<typeof load>>;

async function load() {
  const loaded = await Promise.all([
    import('../../../../shared/services/feedback/batch.ts'),
    import('../../../../shared/services/feedback/recordFeedback.ts'),
    import('../../../../shared/services/campaigns/recount.ts'),
    import('../../../../shared/store/table/table.ts'),
    import('../../../../shared/store/usage.ts'),
    import('../../../../shared/store/campaignDays.ts'),
  ]);
  const [batch, feedback, recount, table, usage, days] = loaded;
  return { ...batch, ...feedback, ...recount, ...table, ...usage, ...days };
}

const killed = 'This process was killed.';

/** How many calls of the table a worker process still makes before it is killed. */
const life = new AsyncLocalStorage<{ left: number }>();

beforeAll(async () => {
  world = await startSendingWorld();
  modules = await load();
  aroundCalls(modules.documents, (next) => async (call) => {
    const own = life.getStore();
    if (own && own.left-- <= 0) throw new Error(killed);
    return next(call);
  });
});
afterAll(() => world.stop());

/** Runs work in a process that is killed at a call, or waits for another one's; false when it was. */
async function processOf(calls: number, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await life.run({ left: calls }, work);
    return true;
  } catch (error) {
    if ((error as Error).message !== killed) throw error;
    return false;
  }
}

/** Messages of the workspace before: from a hundred on it is judged. */
const sentBefore = 110;
const simulator = 'success@simulator.amazonses.com';
const today = () => new Date().toISOString().slice(0, 10);

/** A campaign to people of whom the first `bouncing` bounce. */
async function campaignTo(people: number, bouncing: number) {
  const workspaceId = await world.newWorkspace();
  const emails = [...Array.from({ length: people - 1 }, (_, index) => `p${index}@example.net`), simulator];
  const campaign = await world.frozen(workspaceId, emails);
  const before = { workspaceId, campaignId: 'camp_before', date: today() };
  await modules.addToCampaignDay(before, [['sent#0', sentBefore]]);
  const workspace = await world.getWorkspace(workspaceId);
  const first = world.taken.length;
  const bounced = new Set(emails.slice(0, bouncing));
  let reported = 0;

  const send = async (calls: number) => {
    const counters = new world.CounterBuffer();
    const deadline = new Date(Date.now() + 60_000);
    const run = { campaign, freeze: campaign.freeze, workspace, deadline, now: () => new Date(), counters };
    return processOf(calls, async () => {
      try {
        await world.sendChunk(run as unknown as CampaignRun, 0);
      } finally {
        await counters.write();
      }
    });
  };

  const eventsOf = ({ email: recipient }: TakenMessage): FeedbackEvent => {
    const at = new Date();
    if (!bounced.has(recipient)) return { type: 'delivered', recipient, at, answer: null };
    const bounce = { type: 'Permanent', subtype: 'General', diagnostic: null };
    return { type: 'bounced', recipient, at, byAccount: false, bounce };
  };

  /** Reports what became of messages in one batch, again and again until a worker survives it. */
  const report = async (messages: readonly TakenMessage[], lives: readonly number[]) => {
    reported += messages.filter(({ email }) => bounced.has(email)).length;
    const left = [...lives];
    for (let survived = false; !survived; ) {
      survived = await processOf(left.shift() ?? Number.POSITIVE_INFINITY, async () => {
        const batch = modules.openBatch(new Date());
        await Promise.all(
          messages.map(async (message) => {
            const { id, chunk, position, attempt } = message;
            const origin = { kind: 'campaign', workspaceId, id: campaign.id, chunk, position, attempt } as const;
            const mail = { id, sentAt: new Date(), subject: 's', tags: [] };
            const feedback = { origin, message: mail, events: [eventsOf(message)] } as unknown as Feedback;
            await modules.recordFeedback(feedback, batch);
          }),
        );
        await modules.closeBatch(batch, 0);
      });
    }
  };

  const judge = () => {
    const batch = modules.openBatch(new Date());
    batch.toJudge.add(workspaceId);
    return modules.closeBatch(batch, 0);
  };

  return {
    workspaceId,
    campaign,
    judge,
    send,
    report,
    taken: () => world.taken.slice(first),
    reported: () => reported,
    isSuspended: async () => ((await world.getWorkspace(workspaceId))?.suspension ?? null) !== null,
  };
}

const rateOf = (bounced: number, sent: number): number => bounced / (sentBefore + sent);

const dayOf = async (workspaceId: string) => (await modules.listDays(workspaceId, today()))[0];

const shards = Array.from({ length: 16 }, (_, shard) => shard);

describe('a workspace whose workers are killed at any call of the table', () => {
  it('is never suspended below its true rate, and its day is what the provider took', async () => {
    const lives = fc.array(fc.integer({ min: 4, max: 40 }), { minLength: 1, maxLength: 5 });
    const scenario = fc.record({
      people: fc.integer({ min: 110, max: 220 }),
      share: fc.double({ min: 0.03, max: 0.12, noNaN: true }),
      senders: lives,
      readers: lives,
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ people, share, senders, readers }) => {
        const bouncing = Math.floor(people * share);
        const own = await campaignTo(people, bouncing);
        let told = 0;
        const reportNew = async () => {
          const taken = own.taken();
          await own.report(taken.slice(told), readers);
          told = taken.length;
          if (await own.isSuspended()) expect(rateOf(own.reported(), taken.length)).toBeGreaterThan(0.05);
        };
        for (const calls of senders) {
          await own.send(calls);
          await reportNew();
        }
        await own.send(Number.POSITIVE_INFINITY);
        await reportNew();
        const taken = own.taken();
        // As the sweeper does when the campaign has been quiet for two minutes.
        await modules.recountShards(own.campaign, shards, () => new Date(Date.now() + 120_000));
        const counted = taken.filter(({ email }) => email !== simulator).length;
        expect(await dayOf(own.workspaceId)).toMatchObject({
          sent: sentBefore + counted,
          bounced: own.reported(),
          delivered: counted - own.reported(),
        });
        await own.judge();
        expect(await own.isSuspended()).toBe(rateOf(own.reported(), counted) > 0.05);
      }),
      { numRuns: 10, endOnFailure: true },
    );
  }, 240_000);
});
