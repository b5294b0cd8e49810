import type { AutomationDefinition } from '../../../domain/automation/automation.ts';
import { decideRule, eventsOfRule, type RuleFacts, stepsOfRule } from '../../../domain/automation/automationRule.ts';
import { type PersonUpdate, withUpdate } from '../../../domain/automation/personUpdate.ts';
import { rulePersonOf } from '../../../domain/automation/rulePerson.ts';
import type { AutomationRun } from '../../../domain/automation/run.ts';
import type { VariableFacts } from '../../../domain/automation/variables.ts';
import type { Person } from '../../../domain/person/person.ts';
import type { EventActivities } from '../../../domain/segment/segment.ts';
import { readEmail } from '../../../store/emails/email.ts';
import { outcomeWithStoryOf } from '../../../store/emails/outcomeEvents.ts';
import { getActivity, getPersonEvents } from '../../../store/personEvents/personEvents.ts';
import { emailIdOf } from './runJson.ts';

/** What rules and variables of a run are decided by, as far as they ask for it. */
export class RunReader {
  readonly #definition: AutomationDefinition;
  #person: Person;
  readonly #now: Date;
  #waited: { readonly of: string; readonly data: Promise<Record<string, unknown>> } | undefined;

  constructor(definition: AutomationDefinition, person: Person, now: Date) {
    this.#definition = definition;
    this.#person = person;
    this.#now = now;
  }

  /** As the last step has left them, which the next one reads. */
  get person(): Person {
    return this.#person;
  }

  /** Notes what a step has changed. */
  changed(update: PersonUpdate): void {
    const { subscriber } = this.#person;
    if (subscriber) this.#person = { ...this.#person, subscriber: withUpdate(subscriber, update, this.#now) };
  }

  /** Whether a rule holds. `event`: in a filter, the data of the event. */
  async passes(rule: object, run: AutomationRun, event?: unknown): Promise<boolean> {
    const steps = stepsOfRule(rule);
    const [activities, waited, mail] = await Promise.all([
      activitiesFor(rule, run),
      steps.some(({ as }) => as === 'wait') ? this.waited(run) : {},
      this.#mail(
        run,
        steps.filter(({ as }) => as === 'message').map(({ key }) => key),
      ),
    ]);
    const facts: RuleFacts = {
      ...{
        person: rulePersonOf(this.#person.subscriber, activities),
        data: run.start.data,
        waited,
        mail,
        now: this.#now,
      },
      ...(event !== undefined && { event }),
    };
    return decideRule(rule, facts);
  }

  async variables(run: AutomationRun): Promise<VariableFacts> {
    const { email, subscriber } = this.#person;
    const { firstName = null, lastName = null, fields = {} } = subscriber ?? {};
    return { contact: { email, firstName, lastName, fields }, data: run.start.data, waited: await this.waited(run) };
  }

  /** By step, the data of the event that ended its wait. */
  waited(run: AutomationRun): Promise<Record<string, unknown>> {
    const ended = run.story.flatMap(({ step, event }) => (event === undefined ? [] : [{ step, event }]));
    const of = ended.map(({ event }) => event).join();
    if (this.#waited?.of === of) return this.#waited.data;
    const read = async () => {
      if (ended.length === 0) return {};
      const events = await getPersonEvents(
        run.workspaceId,
        run.email,
        ended.map(({ event }) => event),
      );
      return Object.fromEntries(
        ended.flatMap(({ step }, index) => {
          const found = events[index];
          return found ? [[this.#definition.steps[step]?.key ?? '', found.data]] : [];
        }),
      );
    };
    this.#waited = { of, data: read() };
    return this.#waited.data;
  }

  async #mail(run: AutomationRun, keys: readonly string[]): Promise<RuleFacts['mail']> {
    const known = await Promise.all(
      [...new Set(keys)].map(async (key) => [key, await mailOf(run, this.#definition, key)] as const),
    );
    return Object.fromEntries(known);
  }
}

/** The events of a person that a rule asks for, strongly consistent: one of just now counts. */
export async function activitiesFor(
  rule: object,
  { workspaceId, email }: { readonly workspaceId: string; readonly email: string },
): Promise<EventActivities> {
  const found = await Promise.all(
    eventsOfRule(rule).map(async (name) => [name, await getActivity(workspaceId, email, name)] as const),
  );
  return new Map(found.flatMap(([name, activity]) => (activity ? [[name, activity] as const] : [])));
}

/** When its reader opened the message of a step and clicked in it, earliest first; relays that open every message left out. */
export async function mailEventsOf(run: AutomationRun, { steps }: AutomationDefinition, key: string) {
  const entry = run.story.find(({ step }) => steps[step]?.key === key);
  const known =
    entry?.outcome && (await readEmail(run.workspaceId, emailIdOf(run, key, entry.startedAt), outcomeWithStoryOf));
  const all = known ? known.outcomes.flatMap(({ story }) => story.events) : [];
  const timesOf = (events: typeof all) =>
    events.map(({ at }) => new Date(at)).sort((one, other) => one.getTime() - other.getTime());
  return {
    opened: timesOf(all.filter(({ type, text }) => type === 'opens' && text !== 'proxied')),
    clicked: timesOf(all.filter(({ type }) => type === 'clicks')),
  };
}

/** What its reader did with the message of a step; nothing without one. */
export async function mailOf(run: AutomationRun, definition: AutomationDefinition, key: string) {
  const entry = run.story.find(({ step }) => definition.steps[step]?.key === key);
  if (!entry?.outcome) return undefined;
  const { opened, clicked } = await mailEventsOf(run, definition, key);
  return { opened: opened.length > 0, clicked: clicked.length > 0 };
}
