import { setTimeout as sleep } from 'node:timers/promises';
import { stopwatch } from '../../../shared/platform/clock.ts';
import type { ClockedPart, DueMoment, PendingWork } from './due.ts';

/** One stop of the clock at which something was done. */
export interface Hop {
  readonly at: string;
  /** What was due there, by kind. */
  readonly due: Readonly<Record<string, number>>;
  /** What was done until all was idle, by name. */
  readonly done: Readonly<Record<string, number>>;
}

export interface Advance {
  readonly hops: number;
  /** The stops at which something was done, the first ones of them. */
  readonly log: readonly Hop[];
  /** What did not happen although its time has come, by kind. */
  readonly overdue: Readonly<Record<string, number>>;
}

/** Something stays due or under way: the clock stands where it was met. */
export class NeverIdle extends Error {
  override readonly name = 'NeverIdle';
}

export interface AdvanceOptions {
  readonly parts: readonly ClockedPart[];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly moveTo: (milliseconds: number) => void;
  readonly signal: AbortSignal;
  /** Called with the log after each hop. */
  readonly onHop?: (log: readonly Hop[], hops: number) => void;
  /** The longest real time until all is idle again. */
  readonly patienceMilliseconds?: number;
  /** More stops within an hour of the clock are an endless loop. */
  readonly hopsAnHour?: number;
}

const secondMilliseconds = 1000;
const hourMilliseconds = 3_600_000;
const longestLog = 2000;

/**
 * Moves the clock to a time by hops: each to the next moment at which anything is due, where it waits until all is idle. So
 * everything happens in the order of real life, and at its own time. Throws `NeverIdle`.
 */
export async function advance(target: number, options: AdvanceOptions): Promise<Advance> {
  const { now, signal } = options;
  const log: Hop[] = [];
  const watch = loopWatch(options.hopsAnHour ?? 3000);
  let hops = 0;
  let state = await settled(options);
  const hop = async (at: number, due: readonly DueMoment[], isEnd: boolean) => {
    options.moveTo(at);
    await Promise.all(options.parts.map((part) => part.look(isEnd)));
    const before = state.done;
    state = await settled(options);
    const done = difference(before, state.done);
    if (Object.keys(done).length > 0 && log.length < longestLog) {
      log.push({ at: new Date(at).toISOString(), due: countKinds(due), done });
    }
    hops += 1;
    options.onHop?.(log, hops);
  };
  for (;;) {
    const next = Math.min(...state.due.map(({ at }) => at));
    if (next > target || now() >= target) break;
    // Whole seconds gather what lies close together. What stays due although its time has come waits a second more.
    const at = Math.min(target, Math.ceil(Math.max(next, now() + 1) / secondMilliseconds) * secondMilliseconds);
    const met = state.due.filter((moment) => moment.at <= at);
    watch(at, met);
    await hop(at, met, false);
  }
  await hop(
    target,
    state.due.filter(({ at }) => at <= target),
    true,
  );
  signal.throwIfAborted();
  const overdue = state.due.filter(({ at, since = at }) => since < target - secondMilliseconds);
  return { hops, log, overdue: countKinds(overdue) };
}

/** Throws when more than so many hops lie within an hour of the clock. */
function loopWatch(hopsAnHour: number) {
  const recent: { readonly at: number; readonly due: readonly DueMoment[] }[] = [];
  return (at: number, due: readonly DueMoment[]) => {
    recent.push({ at, due });
    while ((recent[0]?.at ?? at) < at - hourMilliseconds) recent.shift();
    if (recent.length > hopsAnHour) throw new NeverIdle(loop(recent.flatMap((one) => one.due)));
  };
}

const loop = (due: readonly DueMoment[]): string => {
  const most = Object.entries(countKinds(due)).sort(([, one], [, other]) => other - one);
  const named = most.slice(0, 5).map(([kind, count]) => `${kind} (${count} times)`);
  return `Something is always due, so that the clock does not get on. In its last hour: ${named.join(', ')}.`;
};

interface Settled {
  readonly due: readonly DueMoment[];
  readonly done: Readonly<Record<string, number>>;
}

/** Waits until no part does anything. Two looks one after another agree, so that nothing was on its way between parts. */
async function settled({ parts, signal, patienceMilliseconds = 600_000 }: AdvanceOptions): Promise<Settled> {
  const elapsed = stopwatch();
  let before: string | null = null;
  for (let wait = 1; ; wait = Math.min(wait * 2, 25)) {
    signal.throwIfAborted();
    const pending: PendingWork[] = [];
    for (const part of parts) {
      const own = await part.pending(before !== null);
      pending.push(own);
      if (own.busy.length > 0) break;
    }
    const busy = pending.flatMap((part) => part.busy);
    const done: Record<string, number> = Object.assign({}, ...pending.map((part) => part.done));
    const counts = JSON.stringify(done);
    if (busy.length === 0 && counts === before) return { due: pending.flatMap((part) => part.due), done };
    before = busy.length === 0 ? counts : null;
    if (elapsed() > patienceMilliseconds) {
      const seconds = Math.round(patienceMilliseconds / secondMilliseconds);
      throw new NeverIdle(`After ${seconds} seconds the service still works: ${[...new Set(busy)].join(', ')}.`);
    }
    if (busy.length > 0) await sleep(wait);
  }
}

function difference(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>) {
  const grown = Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, count]) => count > 0));
}

const countKinds = (due: readonly DueMoment[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(due, ({ kind }) => kind)].map(([kind, all]) => [kind, all.length]));
