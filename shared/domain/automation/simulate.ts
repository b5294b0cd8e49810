import type { Person } from '../person/person.ts';
import { type MailAction, mailActivityName } from '../personEvents/mailActivity.ts';
import type { EventActivities } from '../segment/segment.ts';
import {
  advance,
  isAwaited,
  type NextAction,
  type RunEffects,
  type RunWorld,
  received,
  type WaitEnd,
} from './advance.ts';
import type { AutomationDefinition, LiveSettings, WaitConfig } from './automation.ts';
import { decideRule, eventsOfRule, type RuleFacts, stepsOfRule } from './automationRule.ts';
import { placedRulesOf } from './definitionRules.ts';
import { mayHold } from './internal/possibleRule.ts';
import { filledUpdate, withUpdate } from './personUpdate.ts';
import { rulePersonOf } from './rulePerson.ts';
import { type AutomationRun, completed, ended, stepOf, usedEvents } from './run.ts';

/**
 * Plays a run with a clock of its own, by the function by which the worker moves it. Nothing is read or written: messages
 * count as sent, webhooks as called, and a step that changes the person changes a copy.
 */

/** What is taken to happen. Everything else that a run could wait for does not. */
export interface Assumptions {
  /** Names of events: one comes as soon as a run waits for it, or rests and has it as a goal; rules see that it came. */
  readonly events: ReadonlySet<string>;
  /** Whether the messages that are waited for are opened, and links in them clicked. */
  readonly opened: boolean;
  readonly clicked: boolean;
}

export const noAssumptions: Assumptions = { events: new Set(), opened: false, clicked: false };

/** An event of the person that was recorded before the simulation. */
export interface EarlierEvent {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
  readonly recordedAt: Date;
}

/** What is known of a run that has begun already. */
export interface RunHistory {
  /** By step, the data of the event that ended its wait. */
  readonly waited: RuleFacts['waited'];
  /** By step, what its reader did with its message. */
  readonly mail: RuleFacts['mail'];
  /** Events that a wait could still end with, the first recorded first. */
  readonly events: readonly EarlierEvent[];
}

export const noHistory: RunHistory = { waited: {}, mail: {}, events: [] };

export interface Play {
  readonly definition: AutomationDefinition;
  readonly settings: LiveSettings;
  /** That of the automation; a run of an earlier one has ended. */
  readonly epoch: number;
  readonly person: Person;
  /** Their events, by those names that rules ask for. */
  readonly activities: EventActivities;
  readonly leaves: RunWorld['leaves'];
  readonly assumed: Assumptions;
  readonly history: RunHistory;
}

/** The run as it would be at `until`, from `from` on. What happened in between is in its story. */
export async function play(begun: AutomationRun, given: Play, from: Date, until: Date): Promise<AutomationRun> {
  const { definition, settings, epoch, leaves } = given;
  const reader = new Reader(given);
  const head = { status: 'enabled', epoch, held: null, ...settings } as const;
  let now = from;
  let run = arrived(begun, reader, now) ?? begun;
  while (run.status === 'running' && now <= until) {
    reader.now = now;
    const next = await advance(run, worldOf(now), reader);
    const { run: moved, at } = moving(run, next, definition, now);
    // Something that has come already ends a wait, or the run, before its time.
    const after = next.kind === 'rest' ? arrived(moved, reader, now) : null;
    run = after ?? moved;
    if (!after && at > now) now = at;
  }
  return run;

  function worldOf(at: Date): RunWorld {
    // A step may change the person whom the next one reads.
    const person = () => reader.person;
    return {
      ...{ definition, head, leaves, now: at },
      get person() {
        return person();
      },
    };
  }
}

/** The run after what a worker would do, and when it is looked at again. */
function moving(run: AutomationRun, next: NextAction, definition: AutomationDefinition, now: Date) {
  switch (next.kind) {
    case 'stay':
      return { run, at: next.until };
    case 'rest':
      return { run: next.run, at: new Date(next.run.wakesAt ?? now) };
    case 'send':
      return { run: completed(next.run, definition, now, { outcome: 'sent' }), at: now };
    case 'checkpoint':
    case 'end':
      return { run: next.run, at: now };
  }
}

/** The run after an event that is there already; null when none is. A goal comes before a wait. */
function arrived(run: AutomationRun, reader: Reader, now: Date): AutomationRun | null {
  if (run.phase === 'go' || run.status !== 'running') return null;
  reader.now = now;
  if (reader.hasAssumedGoal(run)) return ended(run, 'completed', 'goal', now);
  const step = stepOf(run, reader.definition);
  if (run.phase !== 'wait' || step?.type !== 'wait_for_event') return null;
  const event = reader.arrivalOf(step.config, run);
  return event === null ? null : received(run, reader.definition, event, now);
}

/** What the run reads and changes, from what is known and assumed. */
class Reader implements RunEffects {
  readonly definition: AutomationDefinition;
  readonly #assumed: Assumptions;
  readonly #history: RunHistory;
  readonly #known: EventActivities;
  person: Person;
  now = new Date(0);

  constructor({ definition, person, activities, assumed, history }: Play) {
    this.#known = activities;
    this.definition = definition;
    this.person = person;
    this.#assumed = assumed;
    this.#history = history;
  }

  async passes(rule: object, run: AutomationRun): Promise<boolean> {
    return decideRule(rule, this.#facts(rule, run));
  }

  async update({ config }: Parameters<RunEffects['update']>[0], run: AutomationRun): Promise<boolean> {
    const { subscriber, email } = this.person;
    if (!subscriber) return true;
    const { firstName, lastName, fields } = subscriber;
    const facts = {
      contact: { email, firstName, lastName, fields },
      ...{ data: run.start.data, waited: this.#waited(run) },
    };
    this.person = { ...this.person, subscriber: withUpdate(subscriber, filledUpdate(config, facts), this.now) };
    return true;
  }

  async callWebhook(): Promise<boolean> {
    return true;
  }

  async findEvent(wait: WaitConfig, run: AutomationRun): Promise<WaitEnd | null> {
    return this.arrivalOf(wait, run);
  }

  hasAssumedGoal(run: AutomationRun): boolean {
    return this.definition.goals.some(
      (goal) =>
        'event_name' in goal && this.#assumed.events.has(goal.event_name) && this.#mayPass(goal.filter_rule, run),
    );
  }

  /** The event that ends a wait: one that was recorded before, or an assumed one. */
  arrivalOf(wait: WaitConfig, run: AutomationRun): WaitEnd | null {
    const { event_name: name, step, mail } = wait;
    if (step !== undefined && mail !== undefined)
      return this.#mailOf(run, [step])[step]?.[mail] ? { id: `${mail}#${step}`, at: this.now } : null;
    if (name === undefined) return null;
    const used = usedEvents(run);
    const known = this.#history.events.find(
      (event) =>
        event.name === name &&
        !used.has(event.id) &&
        isAwaited(run, wait, event.recordedAt) &&
        (!wait.filter_rule ||
          decideRule(wait.filter_rule, { ...this.#facts(wait.filter_rule, run), event: event.data })),
    );
    if (known) return { id: known.id, at: known.recordedAt };
    const isAssumed = this.#assumed.events.has(name) && this.#mayPass(wait.filter_rule, run);
    return isAssumed ? { id: `assumed#${run.step}`, at: this.now } : null;
  }

  #mayPass(filter: object | undefined, run: AutomationRun): boolean {
    return filter === undefined || mayHold(filter, this.#facts(filter, run));
  }

  #facts(rule: object, run: AutomationRun): RuleFacts {
    const messages = stepsOfRule(rule).flatMap(({ as, key }) => (as === 'message' ? [key] : []));
    return {
      ...{ person: rulePersonOf(this.person.subscriber, this.#activities(run)), data: run.start.data, now: this.now },
      ...{ waited: this.#waited(run), mail: this.#mailOf(run, messages) },
    };
  }

  /** For rules, an assumed event has just come, and the messages of the run count as what was sent to the person. */
  #activities({ story }: AutomationRun): EventActivities {
    const { events, opened, clicked } = this.#assumed;
    const sentAt = story.findLast(({ outcome }) => outcome !== undefined)?.completedAt;
    const done: readonly MailAction[] = [
      'sent',
      ...(opened ? ['opened' as const] : []),
      ...(clicked ? ['clicked' as const] : []),
    ];
    const came = [
      ...[...events].map((name) => ({ name, at: this.now })),
      ...(sentAt === undefined ? [] : done.map((action) => ({ name: mailActivityName(action), at: new Date(sentAt) }))),
    ];
    if (came.length === 0) return this.#known;
    const assumed = came.map(({ name, at }) => {
      const { count = 0, last = '' } = this.#known.get(name) ?? {};
      return [
        name,
        { count: count + 1, last: [last, at.toISOString()].sort()[1] ?? last, expiresAt: Infinity },
      ] as const;
    });
    return new Map([...this.#known, ...assumed]);
  }

  #waited({ story }: AutomationRun): RuleFacts['waited'] {
    const { waited, events } = this.#history;
    const found = story.flatMap(({ step, event }) => {
      const known = event === undefined ? undefined : events.find(({ id }) => id === event);
      return known ? [[this.definition.steps[step]?.key ?? '', known.data] as const] : [];
    });
    return { ...waited, ...Object.fromEntries(found) };
  }

  #mailOf(run: AutomationRun, keys: readonly string[]): RuleFacts['mail'] {
    const { opened, clicked } = this.#assumed;
    return Object.fromEntries(
      keys.map((key) => {
        const isOut = run.story.some(
          (one) => this.definition.steps[one.step]?.key === key && one.outcome !== undefined,
        );
        const known = this.#history.mail[key] ?? { opened: false, clicked: false };
        return [key, isOut ? { opened: known.opened || opened, clicked: known.clicked || clicked } : undefined];
      }),
    );
  }
}

const rulesOf = (definition: AutomationDefinition): readonly object[] =>
  placedRulesOf(definition).map(({ rule }) => rule);

/** The keys of the messages of which rules and waits ask what became. */
export function messagesAskedFor(definition: AutomationDefinition): readonly string[] {
  const named = rulesOf(definition).flatMap(stepsOfRule);
  const waits = definition.steps.flatMap((step) =>
    step.type === 'wait_for_event' && step.config.step !== undefined ? [step.config.step] : [],
  );
  return [...new Set([...named.flatMap(({ as, key }) => (as === 'message' ? [key] : [])), ...waits])];
}

/** The names of the events of which rules ask whether and how often a person had them. */
export const activitiesAskedFor = (definition: AutomationDefinition): ReadonlySet<string> =>
  new Set(rulesOf(definition).flatMap(eventsOfRule));

/** The names of the events that may have come before a run waits for them. */
export const earlyEvents = ({ steps }: AutomationDefinition): readonly string[] => [
  ...new Set(
    steps.flatMap((step) =>
      step.type === 'wait_for_event' && step.config.since === 'run' && step.config.event_name !== undefined
        ? [step.config.event_name]
        : [],
    ),
  ),
];
