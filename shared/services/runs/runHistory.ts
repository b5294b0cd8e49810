import type { AutomationDefinition } from '../../domain/automation/automation.ts';
import type { AutomationRun } from '../../domain/automation/run.ts';
import { type EarlierEvent, earlyEvents, messagesAskedFor, type RunHistory } from '../../domain/automation/simulate.ts';
import type { Person } from '../../domain/person/person.ts';
import { addSeconds } from '../../platform/clock.ts';
import { personEventsSince } from '../../store/personEvents/personEvents.ts';
import { mailOf, RunReader } from './internal/runFacts.ts';

const mostEvents = 100;
/** The clocks of two machines may differ by so much. */
const skewSeconds = 5;

/** What is known of an open run beside itself, as far as its definition asks for it: most runs need no read. */
export async function historyOf(
  run: AutomationRun,
  definition: AutomationDefinition,
  person: Person,
  now: Date,
): Promise<RunHistory> {
  const since = addSeconds(new Date(run.createdAt), -skewSeconds);
  const [waited, mail, events] = await Promise.all([
    new RunReader(definition, person, now).waited(run),
    Promise.all(messagesAskedFor(definition).map(async (key) => [key, await mailOf(run, definition, key)] as const)),
    Promise.all(
      earlyEvents(definition).map((name) =>
        personEventsSince(run.workspaceId, run.email, { name, since, limit: mostEvents }, now),
      ),
    ),
  ]);
  const known = events
    .flat()
    .map(({ id, name, data, createdAt }): EarlierEvent => ({ id, name, data, recordedAt: new Date(createdAt) }));
  return { waited, mail: Object.fromEntries(mail), events: known };
}
