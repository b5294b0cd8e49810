import * as z from 'zod';
import type { AutomationDefinition } from '../../domain/automation/automation.ts';
import { type AutomationRun, type RunPosition, stepOf } from '../../domain/automation/run.ts';
import { type FieldRules, internal } from '../table/fieldRules.ts';
import { addressPartition, waiterKey, waiterPrefix } from '../table/keys.ts';
import { queryAll, type TransactionPart } from '../table/table.ts';
import { deletePart, putPart } from '../table/write.ts';

const record = z.object({
  email: z.string(),
  automation_id: z.string(),
  run_id: z.string(),
  /** The run's when it began to wait; absent for a goal, which any state of the run reaches. */
  seq: z.number().optional(),
});

export type WaiterRecord = z.input<typeof record>;

export const waiterRules = {
  email: { erasure: 'remove', inExport: 'never', shown: 'never' },
  automation_id: internal,
  run_id: internal,
  seq: internal,
} as const satisfies FieldRules<WaiterRecord>;

/** By event name, the `seq` at which a run waits for it; null for a goal. */
type Waiters = ReadonlyMap<string, number | null>;

/** What a run waits for in this state. An event that is a goal ends the run, whatever else waits for it. */
function waitersOf(run: AutomationRun | null, definition: AutomationDefinition): Waiters {
  if (run?.status !== 'running') return new Map();
  const step = stepOf(run, definition);
  const name = run.phase === 'wait' && step?.type === 'wait_for_event' ? step.config.event_name : undefined;
  const goals = definition.goals.flatMap((goal) => ('event_name' in goal ? [goal.event_name] : []));
  return new Map([
    ...(name === undefined ? [] : [[name, run.seq] as const]),
    ...goals.map((goal) => [goal, null] as const),
  ]);
}

/** The writes by which the waiters of a run follow it from one state to the next. */
export function waiterParts(
  before: AutomationRun | null,
  after: AutomationRun,
  definition: AutomationDefinition,
): TransactionPart[] {
  const [old, own] = [waitersOf(before, definition), waitersOf(after, definition)];
  const { workspaceId, email, id, automationId } = after;
  const keyOf = (event: string) => waiterKey(workspaceId, email, event, id);
  return [
    ...[...old.keys()].filter((event) => !own.has(event)).map((event) => deletePart(keyOf(event))),
    ...[...own]
      .filter(([event, seq]) => !old.has(event) || old.get(event) !== seq)
      .map(([event, seq]) =>
        putPart<WaiterRecord>(keyOf(event), {
          ...{ email, automation_id: automationId, run_id: id },
          ...(seq !== null && { seq }),
        }),
      ),
  ];
}

/** The runs of a person that wait for an event, or whose goal it is: one strong query. */
export async function runsWaitingFor(
  workspaceId: string,
  email: string,
  event: string,
): Promise<readonly RunPosition[]> {
  const partition = addressPartition(workspaceId, email);
  const items = await queryAll({ partition, sort: { prefix: waiterPrefix(event) }, consistency: 'strong' });
  return items.map((item) => {
    const { automation_id: automationId, run_id: id } = record.parse(item);
    return { workspaceId, automationId, id };
  });
}
