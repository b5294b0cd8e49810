import * as z from 'zod';
import { customIssue, textsOf } from '../../language/text.ts';
import {
  type AutomationDefinition,
  type AutomationStep,
  connectionTypes,
  type LiveSettings,
  type StepConnection,
} from './automation.ts';
import { type DefinitionProblem, graphProblems, type ReadParts } from './internal/graph.ts';
import { isGivenObject, type NamedElsewhere, ourStep, withTopicTag } from './internal/otherForms.ts';
import {
  duration,
  mailbox,
  maybe,
  personField,
  replyTo,
  strict,
  timeOfDay,
  topicTag,
  tracking,
  zone,
} from './internal/parts.ts';
import { goalSchema, stepSchema } from './internal/stepSchemas.ts';
import { variableOrigin } from './variables.ts';

export const automationLimits = {
  steps: 100,
  goals: 5,
  bytes: 100_000,
  nameCharacters: 200,
  reentryDays: 400,
} as const;

const texts = textsOf({
  runKey: {
    en: 'must be a value of the start, as in event.order_id',
    fr: 'doit être une valeur du départ, comme event.order_id',
  },
  reentry: {
    en: `must be "once", "always" or {"after_days": 1 to ${automationLimits.reentryDays}}`,
    fr: `doit être « once », « always » ou {"after_days": 1 à ${automationLimits.reentryDays}}`,
  },
  bytes: {
    en: `the definition must have at most ${automationLimits.bytes} bytes as JSON`,
    fr: `la définition doit compter au plus ${automationLimits.bytes} octets en JSON`,
  },
});

const key = z.string().min(1).max(64);
const connection = strict({
  from: key,
  to: key,
  type: z
    .enum(connectionTypes)
    .nullish()
    .transform((type) => type ?? 'default'),
});

const runKey = z
  .string()
  .max(200)
  .refine((path) => variableOrigin(path)?.from === 'event', { params: { text: texts.runKey } });

const isReentry = (value: unknown): boolean => {
  if (value === 'once' || value === 'always') return true;
  const { after_days: days, ...others } = isGivenObject(value) ? value : {};
  const isInBounds = Number.isInteger(days) && Number(days) >= 1 && Number(days) <= automationLimits.reentryDays;
  return Object.keys(others).length === 0 && isInBounds;
};

/** Left out, a message that is so much late is skipped; null sends it all the same. */
export const usualDelay = '48 hours';

/** The parts of a definition that stand alone. What only the whole can tell is checked in `readDefinition`. */
const fields = {
  steps: z.array(stepSchema).min(2).max(automationLimits.steps),
  connections: z.array(connection).max(2 * automationLimits.steps),
  reentry: z
    .unknown()
    .optional()
    .transform((value) => value ?? 'once')
    .refine(isReentry, { params: { text: texts.reentry } }),
  run_key: maybeNull(runKey),
  goals: z
    .array(goalSchema)
    .max(automationLimits.goals)
    .nullish()
    .transform((goals) => goals ?? []),
  from: maybeNull(mailbox),
  reply_to: maybeNull(replyTo),
  track: maybeNull(tracking),
  tag: maybeNull(topicTag),
  quiet_hours: maybeNull(strict({ from: timeOfDay, to: timeOfDay, zone, zone_field: maybe(personField) })),
  max_delay: duration(30, 60)
    .nullish()
    .transform((value) => (value === undefined ? usualDelay : value)),
};

function maybeNull<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? null);
}

const whole = strict(fields);

/** The fields of a definition and of its settings, in the order in which they are shown. */
export const definitionFields = Object.keys(fields) as readonly (keyof typeof fields)[];

/** A definition as it was written: in our form or in that of the `resend` client. */
export type GivenDefinition = Readonly<Partial<Record<keyof typeof fields | 'topic_id', unknown>>>;

/** A complete definition with the settings beside it, as far as it is without problems. */
export interface ReadDefinition {
  readonly definition: AutomationDefinition;
  readonly settings: LiveSettings;
}

export type DefinitionReading =
  | { readonly read: ReadDefinition; readonly error: null }
  | { readonly read: null; readonly error: z.ZodError };

/** Reads and completes a definition, or reports every problem of it at once, each with its path in what was written. */
export function readDefinition(given: GivenDefinition, elsewhere: NamedElsewhere): DefinitionReading {
  const { value, problems } = withTopicTag(given, elsewhere, []);
  const converted = Array.isArray(value.steps)
    ? value.steps.map((step: unknown, index) => ourStep(step, elsewhere, ['steps', index]))
    : null;
  const ours = converted ? { ...value, steps: converted.map((step) => step.value) } : value;
  const parsed = whole.safeParse(ours, { reportInput: true });
  const problemsOfForms = [...problems, ...(converted ?? []).flatMap((step) => step.problems)];
  const problemsOfGraph = graphProblems(readableParts(ours));
  const custom = [...problemsOfForms, ...problemsOfGraph].map(issueOf);
  const issues = [...(parsed.error?.issues ?? []), ...custom];
  if (!parsed.success || issues.length > 0) return { read: null, error: new z.ZodError(issues) };
  const { tag, quiet_hours: quietHours, max_delay: maxDelay, ...definition } = parsed.data;
  if (Buffer.byteLength(JSON.stringify(definition)) > automationLimits.bytes) {
    return { read: null, error: new z.ZodError([issueOf({ path: ['steps'], text: texts.bytes })]) };
  }
  // The schemas of steps are chosen by their type, which their own types do not say.
  return {
    read: {
      definition: compact(definition) as unknown as AutomationDefinition,
      settings: { tag, quietHours, maxDelay },
    },
    error: null,
  };
}

/** Stands for topics and segments where they are not known yet: `readDefinition` finds out. */
const anyTag = { get: () => 'any:tag' };

/** The problems of steps, connections and goals that can be told without the workspace. */
export const definitionIssues = (given: GivenDefinition): readonly z.core.$ZodIssue[] =>
  readDefinition(given, { tagOfTopic: anyTag, tagOfSegment: anyTag }).error?.issues ?? [];

const issueOf = ({ path, text }: DefinitionProblem): z.core.$ZodIssue => ({
  ...customIssue(text, [...path]),
  input: undefined,
});

/** Without fields that are undefined, as it is stored and read back. */
const compact = (value: object): unknown => JSON.parse(JSON.stringify(value));

/** The steps, connections and goals that can be read one by one: the problems between them are reported all the same. */
function readableParts({ steps, connections, goals }: Readonly<Record<string, unknown>>): ReadParts {
  const list = (value: unknown): readonly unknown[] =>
    Array.isArray(value) ? value.slice(0, 2 * automationLimits.steps) : [];
  return {
    steps: list(steps).flatMap((given, at) => {
      const name = isGivenObject(given) ? given.key : undefined;
      if (typeof name !== 'string') return [];
      const step = stepSchema.safeParse(given);
      return [{ at, key: name, step: step.success ? (step.data as AutomationStep) : null }];
    }),
    connections: list(connections).flatMap((given, at) => {
      const read = connection.safeParse(given);
      return read.success ? [{ at, connection: read.data as StepConnection }] : [];
    }),
    goals: list(goals).flatMap((given, at) => {
      const read = goalSchema.safeParse(given);
      return read.success ? [{ at, goal: read.data as AutomationDefinition['goals'][0] }] : [];
    }),
  };
}
