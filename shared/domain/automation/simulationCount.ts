import { wallTimeAt } from '../zonedTime.ts';
import type { AutomationDefinition } from './automation.ts';
import type { AutomationRun, StoryEntry } from './run.ts';

/** What runs that were played come to: how many people are where, and what goes out on which day. */
export interface SimulationCount {
  readonly people: number;
  readonly messages: number;
  /** By the key of a step, the people at it at the moment that was asked for. */
  readonly at: Readonly<Record<string, number>>;
  readonly timeline: readonly TimelineEntry[];
  /** People or events that started no run, by the reason. */
  readonly excluded: Readonly<Record<string, number>>;
}

interface TimelineEntry {
  /** `2026-11-24` in the zone that was asked for. */
  readonly date: string;
  readonly step: string;
  /** Who reached the step on this day. */
  readonly people: number;
  /** What the step sent on this day. */
  readonly messages: number;
}

export interface SimulatedWindow {
  readonly from: Date;
  readonly until: Date;
  /** The moment that `at` is about. */
  readonly at: Date;
  readonly zone: string;
}

interface DayCount {
  people: number;
  messages: number;
}

/** Adds up played runs: of each only the person is kept. */
export class SimulationCounter {
  readonly #window: SimulatedWindow;
  readonly #at = new Map<string, number>();
  readonly #excluded = new Map<string, number>();
  readonly #days = new Map<string, DayCount>();
  /** Keys in the order of their steps; those of other versions come last. */
  readonly #order: ReadonlyMap<string, number>;
  readonly #people = new Set<string>();
  #messages = 0;

  constructor(window: SimulatedWindow, { steps }: AutomationDefinition) {
    this.#window = window;
    this.#order = new Map(steps.map(({ key }, index) => [key, index]));
  }

  exclude(reason: string): void {
    this.#excluded.set(reason, (this.#excluded.get(reason) ?? 0) + 1);
  }

  addRun(run: AutomationRun, { steps }: AutomationDefinition): void {
    const { from, until, at, zone } = this.#window;
    this.#people.add(run.email);
    const isWithin = (time: number) => time >= from.getTime() && time <= until.getTime();
    const step = stepAt(run, at);
    const key = (index: number) => steps[index]?.key ?? String(index);
    if (step !== null) this.#at.set(key(step), (this.#at.get(key(step)) ?? 0) + 1);
    for (const entry of run.story) {
      if (isWithin(entry.startedAt)) this.#day(entry.startedAt, key(entry.step), zone).people += 1;
      const sentAt = sentAtOf(entry);
      if (sentAt === null || !isWithin(sentAt)) continue;
      this.#day(sentAt, key(entry.step), zone).messages += 1;
      this.#messages += 1;
    }
  }

  #day(time: number, step: string, zone: string): DayCount {
    const name = `${dateIn(zone, time)} ${step}`;
    const known = this.#days.get(name);
    if (known) return known;
    const fresh = { people: 0, messages: 0 };
    this.#days.set(name, fresh);
    return fresh;
  }

  /** `scale`: how many people each of a sample stands for. */
  result(scale = 1): SimulationCount {
    const scaled = (count: number) => Math.round(count * scale);
    const counts = (of: ReadonlyMap<string, number>) =>
      Object.fromEntries([...of].map(([name, count]) => [name, scaled(count)] as const));
    const placed = [...this.#days].map(([name, day]) => ({ date: name.slice(0, 10), step: name.slice(11), day }));
    const orderOf = (step: string) => `${String(this.#order.get(step) ?? 999).padStart(3, '0')} ${step}`;
    const sorted = <Entry>(entries: readonly Entry[], textOf: (entry: Entry) => string) =>
      entries
        .map((entry) => [textOf(entry), entry] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, entry]) => entry);
    const days = sorted(placed, ({ date, step }) => `${date} ${orderOf(step)}`);
    const at = sorted([...this.#at], ([step]) => orderOf(step));
    const excluded = sorted([...this.#excluded], ([reason]) => reason);
    return {
      ...{ people: scaled(this.#people.size), messages: scaled(this.#messages), at: counts(new Map(at)) },
      timeline: days.map(({ date, step, day }) => ({
        ...{ date, step, people: scaled(day.people), messages: scaled(day.messages) },
      })),
      excluded: counts(new Map(excluded)),
    };
  }
}

/** The step that a run is at; null before its start and after its end. */
function stepAt({ story, endedAt, createdAt }: AutomationRun, at: Date): number | null {
  const time = at.getTime();
  if (Date.parse(createdAt) > time || (endedAt !== null && Date.parse(endedAt) <= time)) return null;
  return story.findLast(({ startedAt }) => startedAt <= time)?.step ?? null;
}

/** When the message of a step left; null where none did. */
const sentAtOf = ({ outcome, completedAt }: StoryEntry): number | null =>
  outcome !== undefined && completedAt !== undefined ? completedAt : null;

function dateIn(zone: string, time: number): string {
  return new Date(wallTimeAt(new Date(time), zone).asUtc).toISOString().slice(0, 10);
}
