import * as z from 'zod';
import type { Reentry, Trigger } from '../../domain/automation/automation.ts';
import { type Cause, causeOf, dateCause, segmentCause } from '../../domain/automation/cause.ts';
import { readTogether } from '../table/batches.ts';
import type { Condition } from '../table/expression.ts';
import { audienceShards, listenedKey, listenerKey, listenersPartition } from '../table/keys.ts';
import { getItem, type Item, queryAll, type TransactionPart } from '../table/table.ts';
import { changeItem, changePart, deletePart } from '../table/write.ts';

/** An enabled automation that a cause starts, with all that a start needs to know. */
export interface Listener {
  readonly automationId: string;
  readonly version: number;
  readonly epoch: number;
  readonly trigger: Trigger;
  readonly reentry: Reentry;
  readonly runKey: string | null;
}

/** How far the scan of the audience has come for a watch (`of`). */
export interface AudiencePass {
  readonly of: string;
  readonly shard: number;
  /** The last address of the shard that was read; empty at its beginning. */
  readonly after: string;
}

export const isPassOver = ({ shard }: AudiencePass): boolean => shard >= audienceShards;

/** An automation that a segment or a date starts. */
export interface WatchingListener extends Listener {
  /** The revision of the head since which it watches. */
  readonly revision: number;
  /** When that was written. */
  readonly since: Date;
  readonly pass: AudiencePass | null;
}

const record = z.object({
  automation_id: z.string(),
  version: z.number(),
  epoch: z.number(),
  /** Trigger and re-entry as JSON. */
  start: z.string(),
  run_key: z.string().nullish(),
  /** Of a start by segment or date. */
  watching: z.object({ revision: z.number(), since: z.string() }).nullish(),
  pass: z.object({ of: z.string(), shard: z.number(), after: z.string() }).nullish(),
});

type ListenerRecord = z.input<typeof record>;

function listenerOf(item: Item): Listener & Partial<WatchingListener> {
  const { automation_id, version, epoch, start, run_key, watching, pass = null } = record.parse(item);
  const { trigger, reentry } = JSON.parse(start) as Pick<Listener, 'trigger' | 'reentry'>;
  return {
    ...{ automationId: automation_id, version, epoch, trigger, reentry, runKey: run_key ?? null },
    ...(watching && { revision: watching.revision, since: new Date(watching.since), pass }),
  };
}

/** The automations that a cause starts: one strong query, and nothing else. */
export async function automationsStartedBy(workspaceId: string, cause: Cause): Promise<readonly Listener[]> {
  const partition = listenersPartition(workspaceId, cause);
  return (await queryAll({ partition, consistency: 'strong' })).map(listenerOf);
}

const isWatching = (listener: Listener & Partial<WatchingListener>): listener is WatchingListener =>
  listener.revision !== undefined;

/** The automations that a segment or a date starts: one strong query. */
export async function watchingAutomations(
  workspaceId: string,
  cause: typeof segmentCause | typeof dateCause,
): Promise<readonly WatchingListener[]> {
  const partition = listenersPartition(workspaceId, cause);
  return (await queryAll({ partition, consistency: 'strong' })).map(listenerOf).filter(isWatching);
}

/** How an automation watches people; null for one that is not enabled, or is started by something else. */
export async function getWatching(workspaceId: string, automationId: string): Promise<WatchingListener | null> {
  const causes = [segmentCause, dateCause];
  const items = await readTogether(causes.map((cause) => listenerKey(workspaceId, cause, automationId)));
  return items.flatMap((item) => (item ? [listenerOf(item)] : [])).find(isWatching) ?? null;
}

/**
 * Stores how far the scan of the audience has come; false when another worker has gone on with it, or the automation no
 * longer watches this.
 */
export async function notePass(
  workspaceId: string,
  { automationId, trigger, revision, pass: before }: WatchingListener,
  pass: AudiencePass,
): Promise<boolean> {
  const key = listenerKey(workspaceId, causeOf(trigger) ?? '', automationId);
  const change = { set: { pass }, expect: { pass: before ?? undefined } };
  const isSameTrigger: Condition<ListenerRecord> = [['watching', 'revision'], '=', revision];
  return (await changeItem<ListenerRecord>(key, { ...change, if: [isSameTrigger] })) !== null;
}

/** `watching`: since when people are evaluated for it, if that begins now. */
export const listenerPart = (
  workspaceId: string,
  cause: Cause,
  listener: Listener,
  watching: { readonly revision: number; readonly since: string } | null,
): TransactionPart =>
  changePart<ListenerRecord>(listenerKey(workspaceId, cause, listener.automationId), {
    set: {
      automation_id: listener.automationId,
      version: listener.version,
      epoch: listener.epoch,
      start: JSON.stringify({ trigger: listener.trigger, reentry: listener.reentry }),
      run_key: listener.runKey,
      watching: watching ?? undefined,
    },
    ...(watching && { remove: ['pass'] }),
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
