import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { auditRuns, scan } from '../../acceptance/audit.ts';
import { everyMessage, setFaults } from '../../acceptance/inbox.ts';
import { newWorkspace } from '../../acceptance/workspace.ts';
import { randomFrom } from './hostileSettings.ts';
import { UnsteadyService } from './unsteadyService.ts';

/**
 * Runs progress through messages, waits, events and branches for some days of the clock while the service is killed at
 * its calls, the network loses calls and answers, the queue delivers twice and the provider takes messages in silence.
 * People leave and are erased, the automation is changed, disabled and enabled, and another one is stopped. At rest
 * everything must add up.
 */
export interface StormOptions {
  readonly people: number;
  readonly kills: number;
  readonly seed: number;
  /** Of which everything has ended after ten. */
  readonly days?: number;
  /** How often the clock stops: what people do happens at these times. */
  readonly stepsPerDay?: number;
  readonly log?: (line: string) => void;
}

export interface StormResult {
  readonly kills: number;
  readonly starts: number;
  readonly runs: Readonly<Record<string, number>>;
  readonly messages: number;
  readonly unknown: number;
  readonly seconds: number;
  /** Empty when everything adds up. */
  readonly problems: readonly string[];
}

const dayMilliseconds = 86_400_000;
const atOnce = 16;
const longestKillMilliseconds = 3000;

async function until(holds: () => boolean, milliseconds: number): Promise<void> {
  for (let waited = 0; !holds() && waited < milliseconds; waited += 10) await sleep(10);
}

const welcome = 'Welcome';
const thanks = 'Thank you for your order';
const reminder = 'Are you still there?';
const other = 'From the other automation';

/** What is decided about a person before the storm. */
interface Fate {
  readonly email: string;
  /** Days after the start at which they buy, leave or are erased. */
  readonly buysAt: number | null;
  readonly leavesAt: number | null;
  readonly isErased: boolean;
}

const definition = (from: string) => ({
  name: 'Welcome',
  from,
  steps: [
    { key: 'start', type: 'trigger', config: { event_name: 'signed_up' } },
    { key: 'welcome', type: 'send_email', config: { subject: welcome, text: 'Hello {{contact.firstName|there}}.' } },
    { key: 'rest', type: 'delay', config: { duration: '3 days' } },
    { key: 'order', type: 'wait_for_event', config: { event_name: 'bought', timeout: '5 days', since: 'run' } },
    { key: 'known', type: 'condition', config: { field: 'city', operator: 'exists' } },
    { key: 'buyer', type: 'subscriber_update', config: { add_tags: ['buyer'] } },
    { key: 'silent', type: 'subscriber_update', config: { add_tags: ['silent'] } },
    { key: 'thanks', type: 'send_email', config: { subject: thanks, text: 'Thank you.' } },
    { key: 'reminder', type: 'send_email', config: { subject: reminder, text: 'Are you there?' } },
  ],
  connections: [
    { from: 'start', to: 'welcome', type: 'default' },
    { from: 'welcome', to: 'rest', type: 'default' },
    { from: 'rest', to: 'order', type: 'default' },
    { from: 'order', to: 'buyer', type: 'event_received' },
    { from: 'order', to: 'known', type: 'timeout' },
    { from: 'known', to: 'silent', type: 'condition_met' },
    { from: 'known', to: 'silent', type: 'condition_not_met' },
    { from: 'buyer', to: 'thanks', type: 'default' },
    { from: 'silent', to: 'reminder', type: 'default' },
  ],
});

const otherDefinition = (from: string) => ({
  name: 'Other',
  from,
  steps: [
    { key: 'start', type: 'trigger', config: { event_name: 'signed_up' } },
    { key: 'rest', type: 'delay', config: { duration: '10 days' } },
    { key: 'late', type: 'send_email', config: { subject: other, text: 'Hello.' } },
  ],
  connections: [
    { from: 'start', to: 'rest', type: 'default' },
    { from: 'rest', to: 'late', type: 'default' },
  ],
});

function fates(people: number, random: () => number): Fate[] {
  return Array.from({ length: people }, (_, index) => {
    const [buys, leaves] = [random() < 0.4, random() < 0.06];
    return {
      email: `person${index}@example.net`,
      buysAt: buys ? 0.2 + random() * 9 : null,
      leavesAt: leaves ? 0.5 + random() * 8 : null,
      isErased: leaves && random() < 0.2,
    };
  });
}

export async function playStorm(options: StormOptions): Promise<StormResult> {
  const { people, kills, seed, days = 20, stepsPerDay = 4, log = () => {} } = options;
  const steps = days * stepsPerDay;
  const began = performance.now();
  const dataDir = mkdtempSync(join(tmpdir(), 'mailroom-storm-'));
  const random = randomFrom(seed);
  const service = new UnsteadyService({
    ...{ dataDir, seed },
    faults: { neverSent: 0.002, answerLost: 0.002, queuedTwice: 0.02 },
  });
  try {
    await service.start();
    const { apiKey, domain } = await newWorkspace(service.place, { plan: 'scale' });
    const everyone = fates(people, random);
    const call = (method: string, path: string, body?: unknown, key?: string) =>
      service.api(apiKey, method, path, body, key);
    const made = async (method: string, path: string, body: unknown, key?: string) => {
      const answer = await call(method, path, body, key);
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    await each(everyone, ({ email }) =>
      made('POST', '/subscribers', { email, double_opt_in: false }, `person-${email}`),
    );
    const from = `hello@${domain}`;
    const main = await made('POST', '/automations', { ...definition(from), status: 'enabled' });
    const second = await made('POST', '/automations', { ...otherDefinition(from), status: 'enabled' });
    log(`${people} people, automations ${main.id} and ${second.id}`);

    await service.rage();
    await setFaults(service.place, { drop_after_accept: { skip: 20, next: Math.ceil(people / 50) } });
    // Spread over the events and the days; each at one of the next calls.
    const killings = Array.from({ length: kills }, () => Math.floor(random() * (steps + 1)));
    const killNow = async (step: number) => {
      for (const _ of killings.filter((one) => one === step)) {
        const before = service.kills;
        await service.killWithin(people);
        await until(() => service.kills > before, longestKillMilliseconds);
      }
    };
    let recorded = 0;
    const record = async (email: string, name: string) => {
      const { status, body } = await call('POST', '/events', { name, email, external_id: `${name}-${email}` });
      if (status !== 202) throw new Error(`An event was refused: ${JSON.stringify(body)}`);
      return body.recorded === true;
    };
    await Promise.all([
      killNow(0),
      each(everyone, async ({ email }) => {
        if (await record(email, 'signed_up')) recorded += 1;
      }),
    ]);
    const start = await service.now();
    const at = (day: number) => start + day * dayMilliseconds;
    log(`${recorded} events, ${service.kills} kills`);

    // What happens when, in the order of the clock.
    const leftAt = new Map<string, number>();
    const moments: { readonly day: number; readonly what: string; act(): Promise<unknown> }[] = [
      ...everyone.flatMap(({ email, buysAt }) =>
        buysAt === null ? [] : [{ day: buysAt, what: 'an order', act: () => record(email, 'bought') }],
      ),
      ...everyone.flatMap(({ email, leavesAt, isErased }) => {
        if (leavesAt === null) return [];
        const leave = async () => {
          const path = `/subscribers/${encodeURIComponent(email)}`;
          if (isErased) await made('POST', `${path}/erase`, { confirm: email }, `erase-${email}`);
          else await made('DELETE', path, undefined, `leave-${email}`);
          leftAt.set(email, await service.now());
        };
        return [{ day: leavesAt, what: 'somebody leaves', act: leave }];
      }),
      {
        day: 1,
        what: 'a new version',
        act: () => made('PATCH', `/automations/${main.id}`, { goals: [{ event_name: 'never' }] }, 'edit'),
      },
      {
        day: 2.5,
        what: 'disabled',
        act: () => made('PATCH', `/automations/${main.id}`, { status: 'disabled' }, 'disable'),
      },
      {
        day: 3.5,
        what: 'enabled',
        act: () => made('PATCH', `/automations/${main.id}`, { status: 'enabled' }, 'enable'),
      },
      {
        day: 6,
        what: 'the other is stopped',
        act: () => made('POST', `/automations/${second.id}/stop`, undefined, 'stop'),
      },
    ];
    moments.sort((one, next) => one.day - next.day);
    // Each advance goes through every hop.
    for (let step = 1; step <= steps; step += 1) {
      const day = step / stepsPerDay;
      const due = moments.filter((moment) => moment.day > day - 1 / stepsPerDay && moment.day <= day);
      await Promise.all([
        killNow(step),
        (async () => {
          await service.advanceTo(at(day));
          await each(due, ({ act }) => act());
        })(),
      ]);
      if (day % 2 === 0) log(`day ${day}: ${service.kills} kills, ${Math.round((performance.now() - began) / 1000)} s`);
    }
    await service.calm();
    await setFaults(service.place);
    // What a broken call left in doubt is decided after a day.
    await service.advanceTo(at(days + 5));
    const stats = async (id: string, version: number): Promise<Stats> =>
      (await call('GET', `/automations/${id}/stats?version=${version}`)).body;
    const problems: string[] = [];
    const versions = [await stats(main.id, 1), await stats(main.id, 2)];
    const stopped = await stats(second.id, 1);
    problems.push(...identityProblems(versions, recorded), ...identityProblems([stopped], recorded));
    const runs = addedRuns(versions);
    const messages = await messagesOf(service);
    problems.push(...messageProblems(everyone, messages, leftAt, { start, dayMilliseconds }));
    const unknown = versions
      .flatMap(({ steps }) => steps)
      .reduce((total, { email }) => total + (email?.unknown ?? 0), 0);
    problems.push(...outcomeProblems([...versions, stopped], messages), ...auditRuns(await scan(service.place)));
    if (runs.running > 0) problems.push(`${runs.running} runs still run: ${JSON.stringify(versions)}`);
    if (stopped.runs.running > 0) problems.push(`${stopped.runs.running} runs of the stopped automation still run.`);
    return {
      kills: service.kills,
      starts: service.starts,
      runs,
      messages: messages.length,
      unknown,
      seconds: Math.round((performance.now() - began) / 1000),
      problems,
    };
  } finally {
    await service.stop();
    if (!process.env.KEEP_STORM) rmSync(dataDir, { recursive: true, force: true });
    else log(`The data are in ${dataDir}.`);
  }
}

async function each<Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await act(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

interface Stats {
  readonly automation_id: string;
  readonly version: number;
  readonly runs: Readonly<Record<'started' | 'running' | 'completed' | 'cancelled' | 'failed', number>>;
  readonly not_started: Readonly<Record<string, number>>;
  readonly steps: readonly {
    readonly key: string;
    readonly entered: number;
    readonly waiting: number;
    readonly completed: number;
    readonly skipped: Readonly<Record<string, number>>;
    readonly failed: number;
    readonly left: number;
    readonly email?: { readonly sent: number; readonly unknown: number };
  }[];
}

const addedRuns = (versions: readonly Stats[]): Stats['runs'] =>
  versions.reduce(
    (total, { runs }) => ({
      started: total.started + runs.started,
      running: total.running + runs.running,
      completed: total.completed + runs.completed,
      cancelled: total.cancelled + runs.cancelled,
      failed: total.failed + runs.failed,
    }),
    { started: 0, running: 0, completed: 0, cancelled: 0, failed: 0 },
  );

const sum = (numbers: Readonly<Record<string, number>>) =>
  Object.values(numbers).reduce((total, one) => total + one, 0);

/** Of all versions of one automation. */
function identityProblems(versions: readonly Stats[], events: number): string[] {
  const problems: string[] = [];
  const { started } = addedRuns(versions);
  const refused = versions.reduce((total, { not_started }) => total + sum(not_started), 0);
  if (started + refused !== events)
    problems.push(`${started} started and ${refused} not, of ${events} events: ${JSON.stringify(versions)}`);
  for (const { automation_id, version, runs, steps } of versions) {
    const id = `${automation_id}, version ${version}`;
    if (runs.started !== runs.running + runs.completed + runs.cancelled + runs.failed)
      problems.push(`${id}: runs ${JSON.stringify(runs)}`);
    if (runs.failed > 0) problems.push(`${id}: ${runs.failed} runs failed`);
    for (const step of steps) {
      const { entered, waiting, completed, skipped, failed, left } = step;
      if (entered !== waiting + completed + sum(skipped) + failed + left)
        problems.push(`${id}: step ${JSON.stringify(step)}`);
    }
  }
  return problems;
}

const subjects: Readonly<Record<string, string>> = { welcome, thanks, reminder, late: other };

/** What the counters say of messages against those that are out: each is told as sent, or as unknown. */
function outcomeProblems(versions: readonly Stats[], messages: readonly StormMessage[]): string[] {
  return Object.entries(subjects).flatMap(([key, subject]) => {
    const emails = versions.flatMap(({ steps }) => steps.filter((step) => step.key === key).map(({ email }) => email));
    const sent = emails.reduce((total, email) => total + (email?.sent ?? 0), 0);
    const unknown = emails.reduce((total, email) => total + (email?.unknown ?? 0), 0);
    const out = messages.filter((message) => message.subject === subject).length;
    return sent <= out && out <= sent + unknown
      ? []
      : [`"${subject}": ${out} are out, ${sent} are told as sent and ${unknown} as unknown`];
  });
}

interface StormMessage {
  readonly recipient: string;
  readonly subject: string;
  readonly at: number;
}

async function messagesOf(service: UnsteadyService): Promise<StormMessage[]> {
  const messages: StormMessage[] = [];
  for await (const message of everyMessage(service.place)) {
    const { recipients, subject, created_at } = message as typeof message & { readonly created_at: string };
    messages.push({ recipient: recipients[0] ?? '', subject, at: Date.parse(created_at) });
  }
  return messages;
}

/** A send that had begun when the person left may still go out. */
const beginningMilliseconds = 60_000;

function messageProblems(
  everyone: readonly Fate[],
  messages: readonly StormMessage[],
  leftAt: ReadonlyMap<string, number>,
  { start, dayMilliseconds: day }: { readonly start: number; readonly dayMilliseconds: number },
): string[] {
  const problems: string[] = [];
  const of = Map.groupBy(messages, ({ recipient }) => recipient);
  for (const fate of everyone) {
    const own = of.get(fate.email) ?? [];
    const count = (subject: string) => own.filter((message) => message.subject === subject).length;
    for (const subject of [welcome, thanks, reminder, other])
      if (count(subject) > 1) problems.push(`${fate.email} got "${subject}" ${count(subject)} times`);
    if (count(thanks) + count(reminder) > 1) problems.push(`${fate.email} went through both branches`);
    if (count(other) > 0) problems.push(`${fate.email} got a message of the stopped automation`);
    const left = leftAt.get(fate.email);
    const late = left === undefined ? [] : own.filter(({ at }) => at > left + beginningMilliseconds);
    if (late.length > 0) problems.push(`${fate.email} got "${late[0]?.subject}" after leaving`);
    if (left !== undefined) continue;
    if (count(welcome) === 0) problems.push(`${fate.email} got no "${welcome}"`);
    // Around the deadline of the wait either branch is right.
    const isNearDeadline = fate.buysAt !== null && Math.abs(fate.buysAt - 8) < 1.5;
    const wanted = fate.buysAt !== null && fate.buysAt < 8 ? thanks : reminder;
    if (count(thanks) + count(reminder) === 0)
      problems.push(`${fate.email} got no last message (buys at ${fate.buysAt})`);
    else if (!isNearDeadline && count(wanted) === 0)
      problems.push(`${fate.email} took the wrong branch (buys at ${fate.buysAt}; ${(own[0]?.at ?? 0 - start) / day})`);
  }
  return problems;
}
