import * as z from 'zod';
import { addSeconds } from '../../platform/clock.ts';
import { batchGet } from '../table/batches.ts';
import { archiveBeginKey, archiveStateKey } from '../table/keys.ts';
import { type Item, keyOfItem, tableName } from '../table/table.ts';
import { changeItem, upsertItem } from '../table/write.ts';

/** How far the emails of a workspace are copied. */
const record = z.object({
  /** Everything up to here is copied, or stays in the table: a position in the list of all emails. */
  through: z.string().optional(),
  /** The table that this was written to: a restored one has another name. */
  table: z.string().optional(),
  /** The day on which expired copies were deleted last. */
  cleaned_on: z.string().optional(),
  holder: z.string().optional(),
  held_until: z.string().optional(),
});

type StateRecord = z.input<typeof record>;

export interface CopyProgress {
  readonly workspaceId: string;
  /** Null before the first run. */
  readonly through: string | null;
  /** Whether the last run was in this table, so that it knows all files. */
  readonly isOfTable: boolean;
  readonly cleanedOn: string | null;
}

function progressOf(workspaceId: string, item: Item | undefined): CopyProgress {
  const { through = null, table, cleaned_on: cleanedOn = null } = record.parse(item ?? {});
  return { workspaceId, through, isOfTable: table === tableName(), cleanedOn };
}

/** Of several workspaces, eventually consistent. */
export async function readProgress(workspaceIds: readonly string[]): Promise<CopyProgress[]> {
  const items = await batchGet(workspaceIds.map(archiveStateKey), { consistent: false });
  const known = new Map(items.map((item) => [keyOfItem(item).pk, item]));
  return workspaceIds.map((id) => progressOf(id, known.get(archiveStateKey(id).pk)));
}

/** Longer than a run of the worker may take. */
const leaseSeconds = 960;

/** Claims the copying of a workspace; null while another worker has it. */
export async function claimCopying(workspaceId: string, holder: string, now: Date): Promise<CopyProgress | null> {
  const item = await upsertItem<StateRecord>(archiveStateKey(workspaceId), {
    set: { holder, held_until: addSeconds(now, leaseSeconds).toISOString() },
    if: [
      {
        any: [
          ['held_until', 'absent'],
          ['held_until', '<=', now.toISOString()],
          ['holder', '=', holder],
        ],
      },
    ],
  });
  return item && progressOf(workspaceId, item);
}

/** Stores progress; false when another worker has taken over. */
export async function noteCopied(
  workspaceId: string,
  holder: string,
  { through, cleanedOn }: { readonly through?: string; readonly cleanedOn?: string },
): Promise<boolean> {
  const set = { through, cleaned_on: cleanedOn, table: tableName() };
  return (await changeItem<StateRecord>(archiveStateKey(workspaceId), { set, expect: { holder } })) !== null;
}

export async function releaseCopying(workspaceId: string, holder: string): Promise<void> {
  const change = { remove: ['holder', 'held_until'] as const, expect: { holder } };
  await changeItem<StateRecord>(archiveStateKey(workspaceId), change);
}

interface BeginRecord {
  readonly since: string;
}

/** Functions of one deployment change within this time: no older email is to be copied. */
const deploymentSeconds = 2 * 86_400;

/** Since when emails are copied here: the first call decides. ISO 8601 UTC. */
export async function copiedSince(now: Date): Promise<string> {
  const setIfAbsent = { since: addSeconds(now, -deploymentSeconds).toISOString() };
  const item = await upsertItem<BeginRecord>(archiveBeginKey, { setIfAbsent });
  return String(item?.since);
}
