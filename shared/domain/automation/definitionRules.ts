import type { AutomationDefinition } from './automation.ts';

interface PlacedRule {
  readonly rule: object;
  /** In the definition. */
  readonly path: readonly (string | number)[];
}

/** Every rule of a definition: filters of events, conditions and goals. */
export function placedRulesOf({ steps, goals }: Pick<AutomationDefinition, 'steps' | 'goals'>): readonly PlacedRule[] {
  const placed = [
    ...goals.map((goal, at) =>
      'rule' in goal
        ? { rule: goal.rule, path: ['goals', at, 'rule'] }
        : { rule: goal.filter_rule, path: ['goals', at, 'filter_rule'] },
    ),
    ...steps.map((step, at) =>
      step.type === 'condition'
        ? { rule: step.config, path: ['steps', at, 'config'] }
        : { rule: filterOf(step.config), path: ['steps', at, 'config', 'filter_rule'] },
    ),
  ];
  return placed.flatMap(({ rule, path }) => (rule === undefined ? [] : [{ rule, path }]));
}

const filterOf = (config: object): object | undefined =>
  'filter_rule' in config ? (config.filter_rule as object | undefined) : undefined;
