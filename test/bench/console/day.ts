import { consoleEndpoints } from '../../../infra/consoleEndpoints.ts';
import { queues } from '../../../infra/resources.ts';
import { operatorContext } from '../../shared/services/context.ts';
import { accessLogBytes } from '../costs/accessLog.ts';
import { dollarsOf, gigabyteSecondsOf } from '../costs/consumption.ts';
import prices from '../prices.json' with { type: 'json' };
import { timeBetween } from '../processorTime.ts';
import type { BenchContext, Section } from '../report.ts';
import { type BenchService, startBenchService } from '../service.ts';

/** As often as a page that is left open asks for itself when nothing happens (shared/console/assets/live.ts). */
const lookSeconds = 15;
const looksOfDay = 86_400 / lookSeconds;
const userAgent =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const budgetDollars = 0.05;

/**
 * What it costs to leave the console open for a day: each look at the overview is taken to be as dear as the whole of it,
 * each at a campaign on its way is what its page asks for.
 */
export async function benchConsole({ quick }: BenchContext): Promise<Section> {
  const service = await startBenchService();
  try {
    const looks = quick ? 100 : 400;
    const cookie = await signedIn(service);
    const overview = await measureDay(service, lookerAt(service, cookie, ''), {
      looks,
      // Asked once a minute.
      queueCalls: (Object.keys(queues).length * lookSeconds) / 60,
    });
    const campaign = await campaignOnItsWay(service);
    const live = await measureDay(service, lookerAt(service, cookie, `/campaigns/${campaign}/live`), {
      looks,
      queueCalls: 0,
    });
    return {
      title: 'Console',
      rows: [
        {
          what: `the console open for 24 hours, ${looksOfDay} looks at the overview`,
          measured: `$${overview.dollars.toFixed(4)}`,
          budget: `$${budgetDollars.toFixed(2)}`,
          ok: overview.dollars <= budgetDollars,
        },
        { what: 'read units of a look', measured: overview.one.readUnits.toFixed(1) },
        { what: 'processor time of a look', measured: `${overview.processorMilliseconds.toFixed(1)} ms` },
        { what: 'the whole page, warm, locally, median', measured: `${overview.median.toFixed(1)} ms of ${looks}` },
        {
          what: `the page of a campaign on its way open for 24 hours, ${looksOfDay} looks`,
          measured: `$${live.dollars.toFixed(4)}; a look ${live.one.readUnits.toFixed(1)} read units, ${live.processorMilliseconds.toFixed(1)} ms of processor`,
          budget: `$${budgetDollars.toFixed(2)}`,
          ok: live.dollars <= budgetDollars,
        },
      ],
      figures: { ...overview, live, looksOfDay },
    };
  } finally {
    await service.stop().catch(() => {});
  }
}

type Look = () => Promise<number>;

async function measureDay(
  service: BenchService,
  look: Look,
  { looks, queueCalls }: { readonly looks: number; readonly queueCalls: number },
) {
  for (let time = 0; time < 50; time += 1) await look();
  await service.quiet();
  const [logged, before] = [service.loggedBytes(), service.processorTime()];
  await service.startMeter();
  const times: number[] = [];
  for (let time = 0; time < looks; time += 1) times.push(await look());
  const { calls } = await service.readMeter();
  const used = timeBetween(before, service.processorTime());
  const processorMilliseconds = ((used?.['handlers, workers, gateway'] ?? 0) * 1000) / looks;
  const memoryMegabytes = consoleEndpoints[0]?.function.memoryMegabytes ?? 0;
  const one = {
    gatewayCalls: 1,
    functionCalls: 1,
    // Who it is, the workspace, what the page shows, what that leads to: one after another.
    gigabyteSeconds: gigabyteSecondsOf({
      memoryMegabytes,
      processorMilliseconds,
      waitingMilliseconds: 4 * prices.assumed.tableCallMilliseconds,
    }),
    readUnits: calls.reduce((sum, call) => sum + call.readUnits, 0) / looks,
    queueCalls,
    logBytes:
      accessLogBytes({ method: 'GET', path: '/console/{proxy+}', status: 200, userAgent }) +
      (service.loggedBytes() - logged) / looks,
  };
  const dollars = Object.values(dollarsOf(one)).reduce((sum, amount) => sum + amount, 0) * looksOfDay;
  const median = times.toSorted((a, b) => a - b)[Math.floor(looks / 2)] ?? 0;
  return { one, dollars, processorMilliseconds, median };
}

/** The cookie of an owner of everything. */
async function signedIn({ dev, runtime }: BenchService): Promise<string> {
  Object.assign(process.env, runtime.environment);
  const { createSession } = await import('../../../shared/services/operators/session.ts');
  const { actor } = operatorContext();
  return `mailroom-${new URL(dev.base_url).port}=${await createSession(actor, new Date())}`;
}

/** Looks once at a page of the workspace, and answers the milliseconds that it took. */
const lookerAt =
  ({ dev }: BenchService, cookie: string, path: string): Look =>
  async () => {
    const began = performance.now();
    const answer = await fetch(`${dev.base_url}/console/${dev.workspace_id}${path}`, { headers: { cookie } });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} answers ${answer.status}.`);
    return performance.now() - began;
  };

/** One that stays so: its test waits for days to be decided. Its people have counters in every shard. */
async function campaignOnItsWay({ dev, quiet }: BenchService): Promise<string> {
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${dev.base_url}/api/v1${path}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${dev.api_key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()) as { id: string };
  };
  for (let person = 0; person < 10; person += 1) {
    await post('/subscribers', { email: `person.${person}@people.example`, double_opt_in: false });
  }
  const variants = [{ subject: 'News' }, { subject: 'Something new' }];
  const ab_test = { variants, test_share: 0.5, decide_by: 'opens', wait_hours: 72 };
  const { id } = await post('/campaigns', { name: 'News', subject: 'News', text: 'News.', ab_test });
  await post(`/campaigns/${id}/send`, {});
  await quiet();
  const { addToTally, readTallies } = await import('../../../shared/store/campaign/tallies.ts');
  const { shards } = await readTallies(dev.workspace_id, id);
  for (const shard of shards.keys()) {
    await addToTally({ workspaceId: dev.workspace_id, campaignId: id, shard }, { 'link.0': 1 });
  }
  return id;
}
