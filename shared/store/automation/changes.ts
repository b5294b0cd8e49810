import * as z from 'zod';
import { leaveReasons } from '../../domain/automation/run.ts';
import type { PersonChange } from '../../domain/automation/starting.ts';
import type { FormerPerson } from '../../domain/automation/watching.ts';
import { shardOf } from '../../domain/encoding.ts';
import { type FieldRules, internal } from '../table/fieldRules.ts';
import { changeKey, dueAutomationPartition, dueAutomationShards, type Indexed } from '../table/keys.ts';
import { getItem, type Item, queryAll, type TransactionPart } from '../table/table.ts';
import { deletePart, putPart } from '../table/write.ts';
import { settle } from './eventWork.ts';

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

const before = z.object({
  reachable: z.boolean(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
  tags: z.array(z.string()),
  fields: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  created_at: z.string(),
  confirmed_at: z.string().nullable(),
});

const record = z.object({
  email: z.string(),
  version: z.number(),
  subscribed: z.boolean().default(false),
  by_import: z.boolean().default(false),
  added_tags: z.array(z.string()).default([]),
  changed_fields: z.array(z.object({ name: z.string(), from: value, to: value })).default([]),
  left: z.enum(leaveReasons).optional(),
  /** The person before the change, where a segment is watched; null for an address that was no subscriber's. */
  before: before.nullable().optional(),
  /** How many runs caused one another before this change. */
  depth: z.number().default(0),
  at: z.string(),
});

export interface ChangeRecord extends z.input<typeof record>, Indexed<'due'> {}

const unexported = { erasure: 'remove', inExport: 'never', shown: 'never' } as const;

/** Kept for some seconds: what it tells is in the export of the person. */
export const changeRules = {
  email: unexported,
  version: internal,
  subscribed: internal,
  by_import: internal,
  added_tags: unexported,
  changed_fields: unexported,
  left: internal,
  before: unexported,
  depth: internal,
  at: internal,
} as const satisfies FieldRules<ChangeRecord>;

export interface ChangePosition {
  readonly workspaceId: string;
  readonly email: string;
  /** The version of the person that the change made. */
  readonly version: number;
}

/** A change of a person that is to be acted on. */
export interface StoredChange extends ChangePosition, PersonChange {
  readonly before?: FormerPerson | null | undefined;
  readonly depth: number;
  readonly at: Date;
}

const padded = (version: number): string => String(version).padStart(12, '0');
const keyOf = ({ workspaceId, email, version }: ChangePosition) => changeKey(workspaceId, email, padded(version));

/** By the person, so that their events and changes are in one shard. */
const dueAt = (workspaceId: string, email: string, at: Date): Required<Indexed<'due'>> => ({
  due_pk: dueAutomationPartition('change', shardOf(`${workspaceId}#${email}`, dueAutomationShards)),
  due_sk: at.toISOString(),
});

/** Without a message, an event or a change is looked for after this time. */
const lookSeconds = 30;
export const changeDue = (workspaceId: string, email: string, at: Date): Required<Indexed<'due'>> =>
  dueAt(workspaceId, email, new Date(at.getTime() + lookSeconds * 1000));

/** A change, in the transaction that makes it. */
export const newChangePart = ({ workspaceId, email, version, at, depth, ...change }: StoredChange): TransactionPart =>
  putPart<ChangeRecord>(keyOf({ workspaceId, email, version }), {
    ...{ email, version, depth, at: at.toISOString(), subscribed: change.subscribed, by_import: change.byImport },
    ...{ added_tags: [...change.addedTags], changed_fields: [...change.changedFields], left: change.left ?? undefined },
    ...(change.before !== undefined && { before: beforeRecord(change.before) }),
    ...changeDue(workspaceId, email, at),
  });

const beforeRecord = (person: FormerPerson | null): ChangeRecord['before'] =>
  person && {
    ...{ reachable: person.isReachable, first_name: person.firstName, last_name: person.lastName },
    ...{ tags: [...person.tags], fields: { ...person.fields } },
    ...{ created_at: person.createdAt, confirmed_at: person.confirmedAt },
  };

/** Null when it was acted on. */
export async function getChange(position: ChangePosition): Promise<StoredChange | null> {
  const item = await getItem(keyOf(position));
  return item && changeOf(position.workspaceId, item);
}

/** The changes of a person that were not acted on, the oldest first: one strong query, mostly of one. */
export async function listChanges(workspaceId: string, email: string): Promise<readonly StoredChange[]> {
  const { pk: partition, sk } = changeKey(workspaceId, email, '');
  const items = await queryAll({ partition, sort: { prefix: sk }, consistency: 'strong' });
  return items.map((item) => changeOf(workspaceId, item));
}

function changeOf(workspaceId: string, item: Item): StoredChange {
  const { email, version, before: found, ...read } = record.parse(item);
  return {
    ...{ workspaceId, email, version },
    ...{ subscribed: read.subscribed, byImport: read.by_import, addedTags: read.added_tags },
    ...{ changedFields: read.changed_fields, left: read.left ?? null, depth: read.depth, at: new Date(read.at) },
    ...(found !== undefined && { before: found && formerOf(found) }),
  };
}

const formerOf = (found: z.output<typeof before>): FormerPerson => ({
  ...{ isReachable: found.reachable, firstName: found.first_name, lastName: found.last_name },
  ...{ tags: found.tags, fields: found.fields, createdAt: found.created_at, confirmedAt: found.confirmed_at },
});

/** Marks a change as acted on, with what is counted of it; false when another worker did. */
export async function settleChange(position: ChangePosition, counts: readonly TransactionPart[]): Promise<boolean> {
  return settle(deletePart<ChangeRecord>(keyOf(position), { if: [['pk', 'exists']] }), counts);
}
