import {
  type AutomationStep,
  type ConnectionType,
  connectionsOf,
  type StepConnection,
} from '../../../../domain/automation/automation.ts';

/** The steps of an automation and how they are connected. */
export interface Flow {
  readonly steps: readonly AutomationStep[];
  readonly connections: readonly StepConnection[];
}

/** Where each connection of a step leads; a type that is left out ends the run. */
export type Targets = Readonly<Partial<Record<ConnectionType, string>>>;

export const stepWith = ({ steps }: Flow, key: string): AutomationStep | undefined =>
  steps.find((step) => step.key === key);

export const nextOf = ({ connections }: Flow, key: string, type: ConnectionType): string | undefined =>
  connections.find((connection) => connection.from === key && connection.type === type)?.to;

/** The keys of the steps that can be reached from these, which are among them. */
function reachableFrom({ connections }: Pick<Flow, 'connections'>, keys: readonly string[]): Set<string> {
  const found = new Set<string>();
  const open = [...keys];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (found.has(key)) continue;
    found.add(key);
    open.push(...connections.flatMap(({ from, to }) => (from === key ? [to] : [])));
  }
  return found;
}

/** The steps that may follow a step: no trigger, and none that leads back to it. */
export const possibleTargets = (flow: Flow, key: string | null): readonly AutomationStep[] =>
  flow.steps.filter((step) => step.type !== 'trigger' && (key === null || !reachableFrom(flow, [step.key]).has(key)));

const leading = (key: string, targets: Targets): StepConnection[] =>
  Object.entries(targets).map(([type, to]) => ({ from: key, to, type: type as ConnectionType }));

/** The place of the first replaced connection is that of the new ones, so that a definition changes where it was edited. */
function replaced(
  connections: readonly StepConnection[],
  isOld: (connection: StepConnection) => boolean,
  fresh: readonly StepConnection[],
): StepConnection[] {
  const at = connections.findIndex(isOld);
  const place = at < 0 ? connections.length : at;
  const others = (part: readonly StepConnection[]) => part.filter((one) => !isOld(one));
  return [...others(connections.slice(0, place)), ...fresh, ...others(connections.slice(place))];
}

export const withTargets = (flow: Flow, key: string, targets: Targets): Flow => ({
  ...flow,
  connections: replaced(flow.connections, ({ from }) => from === key, leading(key, targets)),
});

/** The connection of a step behind which another is put. */
export interface StepPlace {
  readonly after: string;
  readonly branch: ConnectionType;
}

/** The flow with a new step at a place, which leads on to the targets. */
export function withStepAt(
  { steps, connections }: Flow,
  { after, branch }: StepPlace,
  step: object,
  targets: Targets,
): Flow {
  const { key } = step as AutomationStep;
  const at = steps.findIndex((one) => one.key === after) + 1;
  const isOld = ({ from, type }: StepConnection) => from === after && type === branch;
  const fresh = [{ from: after, to: key, type: branch }, ...leading(key, targets)];
  return {
    steps: [...steps.slice(0, at), step as AutomationStep, ...steps.slice(at)],
    connections: replaced(connections, isOld, fresh),
  };
}

/** One way to close the gap that a removed step leaves: its predecessors lead to where this connection of it led. */
export interface Joining {
  readonly branch: ConnectionType | null;
  /** Undefined: the run ends there. */
  readonly next: string | undefined;
  /** The steps that nothing leads to any more, which are removed with it. */
  readonly lost: readonly string[];
  readonly flow: Flow;
}

/** The ways to remove a step: more than one where its branches lead to different steps. */
export function joiningsOf(flow: Flow, key: string): readonly Joining[] {
  const step = stepWith(flow, key);
  const branches: readonly (ConnectionType | null)[] = step ? connectionsOf[step.type] : [];
  const all = (branches.length > 0 ? branches : [null]).map((branch) => joining(flow, key, branch));
  return all.filter(({ next }, index) => all.findIndex((other) => other.next === next) === index);
}

function joining(flow: Flow, key: string, branch: ConnectionType | null): Joining {
  const next = branch === null ? undefined : nextOf(flow, key, branch);
  const connections = flow.connections
    .filter(({ from }) => from !== key)
    .flatMap((one) => {
      if (one.to !== key) return [one];
      return next === undefined ? [] : [{ ...one, to: next }];
    });
  const [first] = flow.steps;
  const kept = reachableFrom({ connections }, first ? [first.key] : []);
  const lost = flow.steps.flatMap((one) => (one.key === key || kept.has(one.key) ? [] : [one.key]));
  const isKept = (name: string) => name !== key && !lost.includes(name);
  return {
    ...{ branch, next, lost },
    flow: {
      steps: flow.steps.filter((one) => isKept(one.key)),
      connections: connections.filter(({ from }) => isKept(from)),
    },
  };
}
