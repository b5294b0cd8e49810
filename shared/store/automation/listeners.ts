import * as z from 'zod';
import type { Reentry, Trigger } from '../../domain/automation/automation.ts';
import type { Cause } from '../../domain/automation/cause.ts';
import { readTogether } from '../table/batches.ts';
import { listenedKey, listenerKey, listenersPartition } from '../table/keys.ts';
import { getItem, type Item, queryAll, type TransactionPart } from '../table/table.ts';
import { changePart, deletePart, putPart } from '../table/write.ts';

/** An enabled automation that a cause starts, with all that a start needs to know. */
export interface Listener {
  readonly automationId: string;
  readonly version: number;
  readonly epoch: number;
  readonly trigger: Trigger;
  readonly reentry: Reentry;
  readonly runKey: string | null;
}

const record = z.object({
  automation_id: z.string(),
  version: z.number(),
  epoch: z.number(),
  /** Trigger and re-entry as JSON. */
  start: z.string(),
  run_key: z.string().nullish(),
});

type ListenerRecord = z.input<typeof record>;

function listenerOf(item: Item): Listener {
  const { automation_id, version, epoch, start, run_key } = record.parse(item);
  const { trigger, reentry } = JSON.parse(start) as Pick<Listener, 'trigger' | 'reentry'>;
  return { automationId: automation_id, version, epoch, trigger, reentry, runKey: run_key ?? null };
}

/** The automations that a cause starts: one strong query, and nothing else. */
export async function automationsStartedBy(workspaceId: string, cause: Cause): Promise<readonly Listener[]> {
  const partition = listenersPartition(workspaceId, cause);
  return (await queryAll({ partition, consistency: 'strong' })).map(listenerOf);
}

export const listenerPart = (workspaceId: string, cause: Cause, listener: Listener): TransactionPart =>
  putPart<ListenerRecord>(listenerKey(workspaceId, cause, listener.automationId), {
    automation_id: listener.automationId,
    version: listener.version,
    epoch: listener.epoch,
    start: JSON.stringify({ trigger: listener.trigger, reentry: listener.reentry }),
    run_key: listener.runKey,
  });

export const noListenerPart = (workspaceId: string, cause: Cause, automationId: string): TransactionPart =>
  deletePart(listenerKey(workspaceId, cause, automationId));

/** By automation id, the causes that it listens to: an attribute each, so that two automations never overwrite another. */
type ListenedRecord = Readonly<Record<string, readonly Cause[] | undefined>>;

/** What an automation listens to from now on. */
export const listenedPart = (
  workspaceId: string,
  automationId: string,
  { before, after }: { readonly before: readonly Cause[]; readonly after: readonly Cause[] },
): TransactionPart =>
  changePart<ListenedRecord>(listenedKey(workspaceId), {
    ...(after.length > 0 ? { set: [[automationId, after]] } : { remove: [automationId] }),
    expect: [[automationId, before.length > 0 ? before : undefined]],
  });

const causesIn = (value: unknown): readonly Cause[] => (Array.isArray(value) ? value.map(String) : []);

/** What one automation listens to. */
export async function listenedOf(workspaceId: string, automationId: string): Promise<readonly Cause[]> {
  return causesIn((await getItem(listenedKey(workspaceId)))?.[automationId]);
}

/** What any automation of a workspace listens to: one strong read, which calls of the same moment share. */
export async function readListened(workspaceId: string): Promise<ReadonlySet<Cause>> {
  const [item] = await readTogether([listenedKey(workspaceId)]);
  return listenedIn(item);
}

/** What any automation of a workspace listens to, from the item at `listenedKey`; nothing without one. */
export function listenedIn(item: Item | null | undefined): ReadonlySet<Cause> {
  const { pk: _pk, sk: _sk, ...automations } = item ?? {};
  return new Set(Object.values(automations).flatMap(causesIn));
}
