import { call } from '../client.ts';
import { type ClockedService, startClockedService } from '../clockedService.ts';
import { newWorkspace, type TestWorkspace } from '../workspace.ts';

/** What a simulation says is held against what really happens, with a clock that is moved. */

let service: ClockedService;
let workspace: TestWorkspace;
beforeAll(async () => {
  service = await startClockedService();
});
beforeEach(async () => {
  workspace = await newWorkspace(service);
});
afterAll(() => service.stop());

const ask = async (method: string, path: string, body?: unknown) => {
  const answer = await call({ ...service, apiKey: workspace.apiKey }, method, `/api/v1${path}`, body ? { body } : {});
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};

const mail = (key: string) => ({ key, type: 'send_email', config: { subject: key, text: 'Hello' } });
const link = (from: string, to: string, type = 'default') => ({ from, to, type });

const definition = () => ({
  name: 'Orders',
  from: `hello@${workspace.domain}`,
  steps: [
    {
      ...{ key: 'start', type: 'trigger' },
      config: { event_name: 'order', filter_rule: { not: { tag: 'staff' } } },
    },
    mail('hello'),
    {
      ...{ key: 'morning', type: 'delay' },
      config: { duration: '2 days', until: { time: '09:00', zone: 'Europe/Paris', zone_field: 'zone' } },
    },
    { key: 'mark', type: 'subscriber_update', config: { add_tags: ['seen'], fields: { plan: { var: 'event.plan' } } } },
    // What the step before has changed decides, within one wake.
    { key: 'pro', type: 'condition', config: { all: [{ tag: 'seen' }, { field: 'plan', operator: 'exists' }] } },
    mail('offer'),
    { key: 'paid', type: 'wait_for_event', config: { event_name: 'paid', timeout: '30 hours' } },
    mail('thanks'),
    mail('remind'),
  ],
  connections: [
    link('start', 'hello'),
    link('hello', 'morning'),
    link('morning', 'mark'),
    link('mark', 'pro'),
    link('pro', 'offer', 'condition_met'),
    link('pro', 'paid', 'condition_not_met'),
    link('paid', 'thanks', 'event_received'),
    link('paid', 'remind', 'timeout'),
  ],
  goals: [{ rule: { tag: 'customer' } }],
  quiet_hours: { from: '21:00', to: '08:00', zone: 'UTC', zone_field: 'zone' },
});

const people = {
  ada: { fields: { zone: 'Asia/Tokyo' } },
  bob: {},
  cy: { fields: { zone: 'America/New_York' } },
  dee: { tags: ['customer'] },
  eve: { tags: ['staff'] },
} as const;
const emailOf = (name: string) => `${name}-${workspace.workspaceId.slice(-8)}@example.net`;
const emails = () => Object.keys(people).map(emailOf);

/** An hour at which no quiet hours of these zones begin or end. */
async function toHalfPastNoon(): Promise<void> {
  const now = await service.now();
  const next = new Date(now);
  next.setUTCHours(12, 30, 0, 0);
  if (next <= now) next.setUTCDate(next.getUTCDate() + 1);
  await service.advance(`${Math.ceil((next.getTime() - now.getTime()) / 1000)} seconds`);
}

interface Step {
  readonly key: string;
  readonly started_at: string;
  readonly completed_at: string | null;
  readonly status: string;
  readonly output: { readonly branch?: string; readonly outcome?: string } | null;
}
interface Run {
  readonly id: string;
  readonly email: string;
  readonly status: string;
  readonly reason: string | null;
  readonly completed_at: string | null;
  readonly steps: readonly Step[];
}

async function runsOf(id: string): Promise<Run[]> {
  const { data } = await ask('GET', `/automations/${id}/runs?limit=100`);
  return Promise.all(data.map((run: { id: string }) => ask('GET', `/automations/${id}/runs/${run.id}`)));
}

/** The minute of a moment: workers need some seconds. A deadline is decided half a minute late in both. */
const roughly = (moment: string | null) => (moment === null ? null : Math.round(Date.parse(moment) / 300_000));

/** A simulated path and a real run, in the same words. */
const wayOf = (status: string | null, reason: string | null, steps: readonly (readonly unknown[])[]) => ({
  ...{ status, reason, steps },
});
const happened = ({ status, reason, steps }: Run) =>
  wayOf(
    status,
    reason,
    steps.map((one) => [
      ...[one.key, one.status, one.output?.branch ?? null, roughly(one.started_at), roughly(one.completed_at)],
    ]),
  );

interface Path {
  readonly email: string;
  readonly excluded: string | null;
  readonly status: string | null;
  readonly reason: string | null;
  readonly steps: readonly {
    readonly step: string;
    readonly at: string;
    readonly status: string;
    readonly branch: string | null;
    readonly completed_at: string | null;
  }[];
}
const foretold = ({ status, reason, steps }: Path) =>
  wayOf(
    status,
    reason,
    steps.map((one) => [one.step, one.status, one.branch, roughly(one.at), roughly(one.completed_at)]),
  );

/** The timeline of real runs, and who was where at a moment. */
function countsOf(runs: readonly Run[], from: Date, at: Date) {
  const days = new Map<string, { people: number; messages: number }>();
  const day = (moment: string, step: string) => {
    const name = `${moment.slice(0, 10)} ${step}`;
    const known = days.get(name) ?? { people: 0, messages: 0 };
    days.set(name, known);
    return known;
  };
  const where: Record<string, number> = {};
  for (const { steps, completed_at: end } of runs) {
    for (const { key, started_at: started, completed_at: completed, output } of steps) {
      if (Date.parse(started) >= from.getTime()) day(started, key).people += 1;
      if (output?.outcome && completed && Date.parse(completed) >= from.getTime()) day(completed, key).messages += 1;
    }
    const isOver = end !== null && Date.parse(end) <= at.getTime();
    const step = steps.findLast(({ started_at }) => Date.parse(started_at) <= at.getTime());
    if (step && !isOver) where[step.key] = (where[step.key] ?? 0) + 1;
  }
  const timeline = [...days].map(([name, counts]) => ({ date: name.slice(0, 10), step: name.slice(11), ...counts }));
  return { timeline, at: where };
}

const sorted = (timeline: readonly { readonly date: string; readonly step: string }[]) =>
  [...timeline].sort((a, b) => (`${a.date} ${a.step}` < `${b.date} ${b.step}` ? -1 : 1));

const later = (from: Date, hours: number) => new Date(from.getTime() + hours * 3_600_000);

async function addPeople(): Promise<void> {
  for (const [name, values] of Object.entries(people)) {
    await ask('POST', '/subscribers', { email: emailOf(name), double_opt_in: false, ...values });
  }
}

/** Everybody has the event that starts the automation; one pays during the wait. */
const start = async (data: object = {}) => {
  for (const email of emails()) await ask('POST', '/events', { name: 'order', email, data });
};

describe('a simulation', () => {
  it('says what really happens to each person, and when', async () => {
    await toHalfPastNoon();
    await addPeople();
    const { id } = await ask('POST', '/automations', { ...definition(), status: 'enabled' });
    const now = await service.now();
    const at = later(now, 60);
    const question = { days: 6, at: at.toISOString() };
    const { paths } = await ask('POST', `/automations/${id}/simulate`, {
      ...{ ...question, population: 'emails', emails: emails() },
    });
    const everybody = await ask('POST', `/automations/${id}/simulate`, { ...question, population: 'audience' });
    await start();
    await service.advance('6 days');
    const runs = await runsOf(id);
    const real = new Map(runs.map((run) => [run.email, happened(run)]));
    // Named people are started by hand, which asks no filter.
    const played = (paths as Path[]).filter(({ email }) => email !== emailOf('eve'));
    expect([...real.keys()].sort()).toEqual(played.map(({ email }) => email).sort());
    for (const path of played) expect([path.email, real.get(path.email)]).toEqual([path.email, foretold(path)]);
    const counts = countsOf(runs, now, at);
    expect(sorted(everybody.timeline)).toEqual(sorted(counts.timeline));
    expect(everybody.at).toEqual(counts.at);
    expect(everybody).toMatchObject({ people: 4, excluded: { filtered: 1 }, sampled: false });
    expect(everybody.messages).toBe(runs.flatMap(({ steps }) => steps.filter(({ output }) => output?.outcome)).length);
  });

  it('goes on with runs from where they are', async () => {
    await toHalfPastNoon();
    await addPeople();
    const { id } = await ask('POST', '/automations', { ...definition(), status: 'enabled' });
    await start({ plan: 'pro' });
    await service.advance('1 days');
    // Those who began keep their steps; quiet hours hold at once.
    await ask('PATCH', `/automations/${id}`, {
      quiet_hours: { from: '06:00', to: '12:00', zone: 'UTC', zone_field: 'zone' },
    });
    const now = await service.now();
    const at = later(now, 30);
    const open = await ask('POST', `/automations/${id}/simulate`, {
      ...{ population: 'open_runs', days: 5, at: at.toISOString() },
    });
    await service.advance('5 days');
    const runs = await runsOf(id);
    const counts = countsOf(runs, now, at);
    expect(sorted(open.timeline)).toEqual(sorted(counts.timeline));
    expect(open.at).toEqual(counts.at);
    expect(open).toMatchObject({ people: 3, messages: 3 });
  });

  it('replays what was recorded as it happened', async () => {
    await toHalfPastNoon();
    await addPeople();
    const { id } = await ask('POST', '/automations', { ...definition(), status: 'enabled' });
    await start();
    await service.advance('6 days');
    const runs = await runsOf(id);
    const from = later(await service.now(), -7 * 24);
    const replay = await ask('POST', `/automations/${id}/simulate`, {
      ...{ population: 'replay', replay_days: 7, days: 7 },
    });
    expect(sorted(replay.timeline)).toEqual(sorted(countsOf(runs, from, from).timeline));
    expect(replay).toMatchObject({ people: 4, excluded: { filtered: 1 } });
  });
});
