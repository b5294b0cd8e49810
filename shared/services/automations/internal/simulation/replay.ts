import type { SimulationCounter } from '../../../../domain/automation/simulationCount.ts';
import {
  type Enrolment,
  isTooOld,
  noEnrolment,
  refusalOf,
  wholeHash,
  withStart,
} from '../../../../domain/automation/starting.ts';
import { passesStartFilter } from '../../../../domain/automation/whoStarts.ts';
import type { PersonEvent } from '../../../../domain/personEvents/personEvent.ts';
import { addSeconds, secondsInDay } from '../../../../platform/clock.ts';
import { inParallel } from '../../../../platform/parallel.ts';
import { activityPages } from '../../../../store/personEvents/activityPages.ts';
import { personEventsSince } from '../../../../store/personEvents/personEvents.ts';
import type { SimulationQuestion } from './question.ts';
import type { PopulationPage } from './sampling.ts';
import { keyHashOf, notSubscribed, type PlayedPerson, playFromStart, readPeople } from './starts.ts';

/** Events of the past that are given to an automation as if it had been enabled, and new, before the first of them. */
export interface Replay {
  readonly name: string;
  /** Since when events are replayed. */
  readonly since: Date;
  /** How much later than it was recorded each event comes. */
  readonly shiftMilliseconds: number;
}

export function replayOf({ definition, window, now }: SimulationQuestion, days: number): Replay | null {
  const [{ config: trigger }] = definition.steps;
  if (!('event_name' in trigger)) return null;
  const since = addSeconds(now, -days * secondsInDay);
  return { name: trigger.event_name, since, shiftMilliseconds: window.from.getTime() - since.getTime() };
}

/** Who may have had such an event in these days. One that happened a day before it was recorded starts nothing. */
export function replayPages(
  { workspaceId }: SimulationQuestion,
  { name, since }: Replay,
): AsyncIterable<PopulationPage<string>>[] {
  const earliest = addSeconds(since, -secondsInDay).toISOString();
  return activityPages(workspaceId, name).map(async function* (pages) {
    for await (const page of pages)
      yield page.flatMap(({ email, last }) => (last >= earliest ? [{ name: email, entry: email }] : []));
  });
}

const readsAtOnce = 25;
/** More start nobody: at most twenty runs begin a day. */
const mostEvents = 2000;

export async function playReplay(
  emails: readonly string[],
  question: SimulationQuestion,
  replay: Replay,
  counter: SimulationCounter,
): Promise<void> {
  const { workspaceId, definition, now } = question;
  const people = await readPeople(workspaceId, emails, [definition]);
  await inParallel(readsAtOnce, people, async (one) => {
    const { name, since } = replay;
    const events = await personEventsSince(workspaceId, one.person.email, { name, since, limit: mostEvents }, now);
    await playEvents(one, events, question, replay, counter);
  });
}

async function playEvents(
  one: PlayedPerson,
  events: readonly PersonEvent[],
  question: SimulationQuestion,
  { shiftMilliseconds }: Replay,
  counter: SimulationCounter,
): Promise<void> {
  const { definition, window } = question;
  const { person, address } = one;
  const [{ config: trigger }] = definition.steps;
  const enrolments = new Map<string, Enrolment>();
  /** When the last run of a value of the run key ends; null while it does not. */
  const ends = new Map<string, Date | null>();
  for (const { id, data, timestamp, createdAt } of events) {
    const at = new Date(Date.parse(createdAt) + shiftMilliseconds);
    if (at > window.until) return;
    const hash = keyHashOf(definition, person, data);
    const enrolmentOf = (of: string) => enrolments.get(of) ?? noEnrolment;
    const end = ends.get(hash);
    const own =
      end !== undefined && end !== null && end <= at ? { ...enrolmentOf(hash), openRun: null } : enrolmentOf(hash);
    const whole = enrolmentOf(wholeHash);
    const refusal =
      (isTooOld(new Date(timestamp), new Date(createdAt)) ? 'too_old' : null) ??
      (passesStartFilter(trigger, one, data, at) ? null : 'filtered') ??
      notSubscribed(address) ??
      refusalOf({ own, whole }, definition.reentry, at);
    if (refusal) {
      counter.exclude(refusal);
      continue;
    }
    const run = await playFromStart(question, one, { event: id, data }, at);
    counter.addRun(run, definition);
    ends.set(hash, run.endedAt === null ? null : new Date(run.endedAt));
    if (hash !== wholeHash) enrolments.set(wholeHash, withStart(whole, id, at, false));
    enrolments.set(hash, withStart(own, id, at, true));
  }
}
