import { type Text, textsOf } from '../../../language/text.ts';
import { type AutomationDefinition, type AutomationStep, connectionsOf } from '../automation.ts';
import { type NamedStep, stepsOfRule } from '../automationRule.ts';
import { variableOrigin, variablesIn } from '../variables.ts';

/** A problem of a definition, by its place in it. */
export interface DefinitionProblem {
  readonly path: readonly (string | number)[];
  readonly text: Text;
}

const texts = textsOf({
  first: { en: 'must be a step of the type trigger', fr: 'doit être une étape de type trigger' },
  single: { en: 'only the first step may be a trigger', fr: 'seule la première étape peut être un trigger' },
  twice: { en: 'is the key of an earlier step', fr: 'est la clé d’une étape précédente' },
  unknownStep: { en: 'is not the key of a step', fr: 'n’est pas la clé d’une étape' },
  toTrigger: { en: 'must not be the trigger', fr: 'ne doit pas être le trigger' },
  sameType: {
    en: 'is the type of another connection from this step',
    fr: 'est le type d’une autre connexion de cette étape',
  },
  noConnection: { en: 'is an exit, which has no connection', fr: 'est une sortie (exit), sans connexion' },
  unreachable: {
    en: 'cannot be reached: no connection leads here from the trigger',
    fr: 'ne peut pas être atteinte : aucune connexion n’y mène depuis le trigger',
  },
  cycle: {
    en: 'leads back to itself: an automation has no loops',
    fr: 'ramène à elle-même : une automatisation n’a pas de boucle',
  },
  message: { en: 'is not the key of a send_email step', fr: 'n’est pas la clé d’une étape send_email' },
  wait: {
    en: 'is not the key of a wait_for_event step with an event',
    fr: 'n’est pas la clé d’une étape wait_for_event avec un événement',
  },
});

const named = (name: string, text: Text): Text => ({ en: `"${name}" ${text.en}`, fr: `« ${name} » ${text.fr}` });

/** What of a definition could be read, with the place that each part has in what was written. */
export interface ReadParts {
  readonly steps: readonly { readonly at: number; readonly key: string; readonly step: AutomationStep | null }[];
  readonly connections: readonly { readonly at: number; readonly connection: AutomationDefinition['connections'][0] }[];
  readonly goals: readonly { readonly at: number; readonly goal: AutomationDefinition['goals'][0] }[];
}

/** Everything that is wrong between the parts of a definition: a step that could not be read counts as one of any type. */
export function graphProblems(parts: ReadParts): readonly DefinitionProblem[] {
  return [...stepProblems(parts), ...connectionProblems(parts), ...pathProblems(parts), ...nameProblems(parts)];
}

function stepProblems({ steps }: ReadParts): DefinitionProblem[] {
  const keys = steps.map(({ key }) => key);
  return steps.flatMap(({ at, key, step }, index): DefinitionProblem[] => [
    ...(at === 0 && step && step.type !== 'trigger' ? [{ path: ['steps', at, 'type'], text: texts.first }] : []),
    ...(at > 0 && step?.type === 'trigger' ? [{ path: ['steps', at, 'type'], text: texts.single }] : []),
    ...(keys.indexOf(key) < index ? [{ path: ['steps', at, 'key'], text: texts.twice }] : []),
  ]);
}

function connectionProblems({ steps, connections }: ReadParts): DefinitionProblem[] {
  return connections.flatMap(({ at, connection }, index): DefinitionProblem[] => {
    const { from, to, type } = connection;
    const [source, target] = [from, to].map((key) => steps.find((step) => step.key === key));
    const allowed = source?.step ? connectionsOf[source.step.type] : null;
    const isRepeated = connections
      .slice(0, index)
      .some(({ connection: other }) => other.from === from && other.type === type);
    const path = ['connections', at];
    return [
      ...(source ? [] : [{ path: [...path, 'from'], text: texts.unknownStep }]),
      ...(target ? [] : [{ path: [...path, 'to'], text: texts.unknownStep }]),
      ...(target?.at === 0 ? [{ path: [...path, 'to'], text: texts.toTrigger }] : []),
      ...(allowed?.length === 0 ? [{ path: [...path, 'from'], text: texts.noConnection }] : []),
      ...(allowed && allowed.length > 0 && !allowed.includes(type)
        ? [{ path: [...path, 'type'], text: oneOf(allowed) }]
        : []),
      ...(isRepeated ? [{ path: [...path, 'type'], text: texts.sameType }] : []),
    ];
  });
}

const oneOf = (types: readonly string[]): Text => ({
  en: `must be one of: ${types.join(', ')}`,
  fr: `doit être l’une des valeurs : ${types.join(', ')}`,
});

function pathProblems({ steps, connections }: ReadParts): DefinitionProblem[] {
  const next = (key: string) => connections.flatMap(({ connection: { from, to } }) => (from === key ? [to] : []));
  const reachableFrom = (keys: readonly string[]) => {
    const found = new Set<string>();
    const open = [...keys];
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      if (found.has(key)) continue;
      found.add(key);
      open.push(...next(key));
    }
    return found;
  };
  const [first] = steps;
  const reached = first ? reachableFrom([first.key]) : new Set<string>();
  const unreachable = steps
    .filter(({ key }) => !reached.has(key))
    .map(({ at }) => ({ path: ['steps', at], text: texts.unreachable }));
  const looping = steps
    .filter(({ key }) => reachableFrom(next(key)).has(key))
    .map(({ at }) => ({ path: ['steps', at], text: texts.cycle }));
  return [...unreachable, ...looping.slice(0, 1)];
}

/** The steps that rules, waits and variables name. */
function nameProblems({ steps, goals }: ReadParts): DefinitionProblem[] {
  const fits = ({ key, as }: NamedStep) => {
    const found = steps.find((step) => step.key === key);
    if (!found?.step) return found !== undefined;
    const { type, config } = found.step;
    return as === 'message' ? type === 'send_email' : type === 'wait_for_event' && config.event_name !== undefined;
  };
  const check = (path: DefinitionProblem['path'], names: readonly NamedStep[]) =>
    names
      .filter((name) => !fits(name))
      .map(({ key, as }) => ({ path, text: named(key, as === 'wait' ? texts.wait : texts.message) }));
  const ofSteps = steps.flatMap(({ at, step }) => {
    if (!step) return [];
    const path = ['steps', at, 'config'];
    return [
      ...namesOf(step).flatMap(({ place, names }) => check([...path, ...place], names)),
      ...variables(step, path),
    ];
  });
  const ofGoals = goals.flatMap(({ at, goal }) => {
    const [place, rule] =
      'rule' in goal ? (['rule', goal.rule] as const) : (['filter_rule', goal.filter_rule] as const);
    return rule ? check(['goals', at, place], stepsOfRule(rule)) : [];
  });
  return [...ofSteps, ...ofGoals];

  function variables(step: AutomationStep, path: (string | number)[]): DefinitionProblem[] {
    return valuesOf(step).flatMap(({ place, value }) =>
      variablesIn(value).flatMap((name): DefinitionProblem[] => {
        if (name === 'unsubscribe_url') return [];
        const origin = variableOrigin(name);
        if (!origin) return [{ path: [...path, place], text: unknownVariable(name) }];
        return origin.from === 'step' ? check([...path, place], [{ key: origin.key, as: 'wait' }]) : [];
      }),
    );
  }
}

function namesOf(step: AutomationStep): { readonly place: string[]; readonly names: readonly NamedStep[] }[] {
  if (step.type === 'condition') return [{ place: [], names: stepsOfRule(step.config) }];
  if (step.type === 'trigger') {
    return 'event_name' in step.config && step.config.filter_rule
      ? [{ place: ['filter_rule'], names: stepsOfRule(step.config.filter_rule) }]
      : [];
  }
  if (step.type !== 'wait_for_event') return [];
  const { step: message, filter_rule } = step.config;
  return [
    ...(message === undefined ? [] : [{ place: ['step'], names: [{ key: message, as: 'message' as const }] }]),
    ...(filter_rule ? [{ place: ['filter_rule'], names: stepsOfRule(filter_rule) }] : []),
  ];
}

/** The values of a step in which variables stand. */
function valuesOf(step: AutomationStep): { readonly place: string; readonly value: unknown }[] {
  switch (step.type) {
    case 'send_email': {
      const { subject, html, text, template } = step.config;
      const inline = Object.entries({ subject, html, text }).map(([place, value]) => ({ place, value }));
      return [...inline, { place: 'template', value: template?.variables }];
    }
    case 'subscriber_update': {
      const { fields, firstName, lastName } = step.config;
      const own = (value: unknown) => (typeof value === 'string' ? undefined : value);
      return Object.entries({ fields, firstName: own(firstName), lastName: own(lastName) }).map(([place, value]) => ({
        ...{ place, value },
      }));
    }
    case 'webhook':
      return [{ place: 'data', value: step.config.data }];
    default:
      return [];
  }
}

const unknownVariable = (name: string): Text => ({
  en: `"${name}" is no variable: use event.NAME, contact.email, contact.firstName, contact.lastName, contact.fields.NAME or steps.KEY.event.NAME`,
  fr: `« ${name} » n’est pas une variable : utilisez event.NOM, contact.email, contact.firstName, contact.lastName, contact.fields.NOM ou steps.CLÉ.event.NOM`,
});
