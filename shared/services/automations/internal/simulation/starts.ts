import type { AutomationDefinition } from '../../../../domain/automation/automation.ts';
import { type AutomationRun, leaveReasonOf, newRun, type RunStart } from '../../../../domain/automation/run.ts';
import { activitiesAskedFor, noHistory, play } from '../../../../domain/automation/simulate.ts';
import {
  type NotStartedReason,
  noEnrolment,
  refusalOf,
  runKeyHashOf,
  wholeHash,
} from '../../../../domain/automation/starting.ts';
import { variableValue } from '../../../../domain/automation/variables.ts';
import type { StartingPerson } from '../../../../domain/automation/whoStarts.ts';
import type { KnownAddress, Person } from '../../../../domain/person/person.ts';
import { getEnrolments } from '../../../../store/automation/enrolments.ts';
import { getAddresses } from '../../../../store/person/people.ts';
import { findActivities } from '../../../../store/personEvents/activities.ts';
import type { SimulationQuestion } from './question.ts';

/* How simulated runs start: by the decisions by which real ones do. */

/** A person as the table knows them. */
export interface PlayedPerson extends StartingPerson {
  readonly address: KnownAddress;
}

/** People with all that is read of them, in the order of their addresses. Eventually consistent. */
export async function readPeople(
  workspaceId: string,
  emails: readonly string[],
  definitions: readonly AutomationDefinition[],
): Promise<readonly PlayedPerson[]> {
  const names = new Set(definitions.flatMap((definition) => [...activitiesAskedFor(definition)]));
  const [addresses, activities] = await Promise.all([
    getAddresses(workspaceId, emails, { consistent: false }),
    findActivities(workspaceId, emails, names),
  ]);
  return [...addresses].map(([email, address]) => ({
    ...{ address, person: address.person, activities: activities.get(email) ?? new Map() },
  }));
}

/** Why a person who would start a run cannot. */
export const notSubscribed = ({ person, platform }: KnownAddress): NotStartedReason | null =>
  leaveReasonOf(person, platform) === null ? null : 'not_subscribed';

export function keyHashOf({ run_key: runKey }: AutomationDefinition, person: Person, data: RunStart['data']): string {
  if (runKey === null) return wholeHash;
  const { firstName = null, lastName = null, fields = {} } = person.subscriber ?? {};
  const contact = { email: person.email, firstName, lastName, fields };
  return runKeyHashOf(variableValue(runKey, { contact, data, waited: {} }));
}

const never = { own: noEnrolment, whole: noEnrolment };

/** Why a person who may be written to starts no run then; null when they do. What is stored decides. */
export async function storedRefusal(
  { workspaceId, head, definition }: SimulationQuestion,
  person: Person,
  data: RunStart['data'],
  at: Date,
): Promise<NotStartedReason | null> {
  const runKeyHash = keyHashOf(definition, person, data);
  const position = head && { workspaceId, email: person.email, automationId: head.id, runKeyHash };
  return refusalOf(position ? await getEnrolments(position) : never, definition.reentry, at);
}

/** Simulates a run from its start to the end of the simulation. */
export function playFromStart(
  { workspaceId, head, definition, settings, assumed, window }: SimulationQuestion,
  { person, activities }: StartingPerson,
  start: RunStart,
  at: Date,
): Promise<AutomationRun> {
  const { id: automationId, version, epoch } = head ?? { id: 'auto_', version: 1, epoch: 0 };
  const run = newRun(
    {
      ...{ workspaceId, automationId, id: 'run_', version, epoch, email: person.email },
      ...{ runKeyHash: keyHashOf(definition, person, start.data), start, depth: 0 },
    },
    definition,
    at,
  );
  const given = { definition, settings, epoch, person, activities, leaves: null, assumed, history: noHistory };
  return play(run, given, at, window.until);
}
