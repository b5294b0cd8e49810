import type { StackLinks } from './stackLinks.ts';

/**
 * What CloudFormation would refuse while the stacks of `next` are deployed over those of `former`, in any order that the
 * dependencies of `next` allow: that of `cdk deploy --all` is one of them, and with `--concurrency` each may happen.
 * "You can't delete a stack if another stack references one of its outputs. You can't modify or remove an output value
 * that is referenced by another stack." (CloudFormation User Guide, "Get exported outputs from a deployed CloudFormation
 * stack"). A name is exported, and given to a resource, by one stack at a time.
 */
export function refusals(former: readonly StackLinks[], next: readonly StackLinks[]): string[] {
  const before = new Map(former.map((stack) => [stack.name, stack]));
  const after = new Map(next.map((stack) => [stack.name, stack]));
  const transition = { before, after, isBefore: orderOf(next), names: new Set([...before.keys(), ...after.keys()]) };
  return next.flatMap((stack) => [
    ...lostExports(stack, transition),
    ...takenNames(stack, transition),
    ...missingValues(stack, transition),
  ]);
}

interface Transition {
  readonly before: ReadonlyMap<string, StackLinks>;
  readonly after: ReadonlyMap<string, StackLinks>;
  readonly names: ReadonlySet<string>;
  /** Whether one stack is certainly deployed before another. */
  readonly isBefore: (one: string, other: string) => boolean;
}

/** How a stack may be found while another one is deployed. The CDK deletes no stack that the app no longer has. */
function statesOf(name: string, during: string, { before, after, isBefore }: Transition): StackLinks[] {
  const [old, now] = [before.get(name), after.get(name)];
  if (!now) return old ? [old] : [];
  if (isBefore(name, during)) return [now];
  if (isBefore(during, name)) return old ? [old] : [];
  return old ? [old, now] : [now];
}

function lostExports(stack: StackLinks, transition: Transition): string[] {
  const former = Object.entries(transition.before.get(stack.name)?.exports ?? {});
  return former
    .filter(
      ([name, { value, source }]) => stack.exports[name]?.value !== value || stack.exports[name]?.source !== source,
    )
    .flatMap(([name]) =>
      others(stack, transition)
        .filter((other) => statesOf(other, stack.name, transition).some(({ imports }) => imports.includes(name)))
        .map((other) => `${stack.name} removes or changes ${name}, which ${other} imports`),
    );
}

function takenNames(stack: StackLinks, transition: Transition): string[] {
  const old = transition.before.get(stack.name);
  const given = ({ exports, named }: StackLinks) => [...Object.keys(exports), ...named];
  const known = new Set(old ? given(old) : []);
  return given(stack)
    .filter((name) => !known.has(name))
    .flatMap((name) =>
      others(stack, transition)
        .filter((other) => statesOf(other, stack.name, transition).some((state) => given(state).includes(name)))
        .map((other) => `${stack.name} makes ${name}, which ${other} may still have`),
    );
}

function missingValues(stack: StackLinks, transition: Transition): string[] {
  const isSure = (other: string, has: (state: StackLinks) => boolean) => {
    const states = statesOf(other, stack.name, transition);
    return states.length > 0 && states.every(has);
  };
  const missing = stack.imports.filter(
    (name) => !others(stack, transition).some((other) => isSure(other, ({ exports }) => name in exports)),
  );
  const unread = stack.reads.filter((read) => {
    const [other = '', output = ''] = read.split('.');
    return !isSure(other, ({ outputs }) => outputs.includes(output));
  });
  return [...missing, ...unread].map((name) => `${stack.name} needs ${name}, which may not be there by then`);
}

const others = ({ name }: StackLinks, { names }: Transition): string[] => [...names].filter((other) => other !== name);

function orderOf(stacks: readonly StackLinks[]): Transition['isBefore'] {
  const direct = new Map(stacks.map(({ name, dependencies }) => [name, dependencies]));
  const before = (name: string, found = new Set<string>()): ReadonlySet<string> => {
    for (const one of direct.get(name) ?? []) {
      if (found.has(one)) continue;
      found.add(one);
      before(one, found);
    }
    return found;
  };
  const all = new Map(stacks.map(({ name }) => [name, before(name)]));
  return (one, other) => all.get(other)?.has(one) ?? false;
}
