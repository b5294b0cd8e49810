import { nowMilliseconds } from '../../../shared/platform/clock.ts';
import { type Advance, advance, type Hop } from './advance.ts';
import { ClockRefusal, type ClockState, type ServiceClock } from './clockRoute.ts';
import type { ClockedPart, DueMoment } from './due.ts';
import { aheadMilliseconds, moveClock } from './sharedClock.ts';

export interface ServiceClockOptions {
  readonly dataDir: string;
  /** What does things by itself; the cheapest to ask first. */
  readonly parts: readonly ClockedPart[];
}

/** The clock of a service that was started with `--clock`. `stop` ends an advance that is under way. */
export function serviceClock({ dataDir, parts }: ServiceClockOptions): NonNullable<ServiceClock> & { stop(): void } {
  const stopping = new AbortController();
  let under: { readonly to: number; hops: number; log: readonly Hop[] } | null = null;

  async function move(milliseconds: number): Promise<Advance> {
    if (under) {
      throw new ClockRefusal(409, `The clock is being advanced to ${iso(under.to)}: wait for the end of that call.`);
    }
    const own = { to: nowMilliseconds() + milliseconds, hops: 0, log: [] as readonly Hop[] };
    under = own;
    try {
      return await advance(own.to, {
        parts,
        now: nowMilliseconds,
        moveTo: (to) => moveClock(dataDir, to),
        signal: stopping.signal,
        onHop: (log, hops) => Object.assign(own, { log, hops }),
      });
    } finally {
      under = null;
    }
  }

  const next = async (): Promise<ClockState['next']> => {
    const pending = await Promise.all(parts.map((part) => part.pending(true)));
    return upcoming(pending.flatMap(({ due }) => due));
  };

  return {
    state: async () => ({
      now: iso(nowMilliseconds()),
      ahead_seconds: Math.round(aheadMilliseconds() / 1000),
      // While the clock is moved, its engines are asked often enough.
      next: under ? [] : await next(),
      advancing: under && { to: iso(under.to), hops: under.hops, log: under.log },
    }),
    advance: async (milliseconds) => {
      const { hops, log, overdue } = await move(milliseconds);
      return { now: iso(nowMilliseconds()), hops, idle: true, log, overdue, next: await next() };
    },
    stop: () => stopping.abort(),
  };
}

const longestList = 20;
const minuteMilliseconds = 60_000;

/** Those of one kind in one minute are one entry. */
function upcoming(due: readonly DueMoment[]): ClockState['next'] {
  const groups = Map.groupBy(due, ({ at, kind }) => `${Math.floor(at / minuteMilliseconds)} ${kind}`);
  return [...groups.values()]
    .flatMap(([first, ...rest]) => {
      if (!first) return [];
      const at = rest.reduce((earliest, one) => Math.min(earliest, one.at), first.at);
      return [{ at: iso(at), kind: first.kind, count: rest.length + 1 }];
    })
    .sort((one, other) => one.at.localeCompare(other.at))
    .slice(0, longestList);
}

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();
