import { shardOf } from '../../domain/encoding/shard.ts';
import type { CancelReason } from '../../domain/sending/scheduled.ts';
import { DeleteCommand, GetCommand, PutCommand } from '../dynamodb/commands.ts';
import { changeItem } from '../table/change.ts';
import { conditionHolds } from '../table/conditionHolds.ts';
import { dueScheduledPartition, dueScheduledShards, scheduledKey } from '../table/keys.ts';
import { readTogether } from '../table/readTogether.ts';
import { documents, type Item, tableName } from '../table/table.ts';
import {
  attributesOfScheduled,
  listedAttributes,
  type NewScheduledEmail,
  type ScheduledEmail,
  scheduledOf,
} from './scheduledItem.ts';

export type ScheduledPosition = Pick<ScheduledEmail, 'workspaceId' | 'id'>;

const keyOf = ({ workspaceId, id }: ScheduledPosition) => scheduledKey(workspaceId, id);

/** When somebody must look after it: `far` is queued ahead of its time, `queued` is looked for when it is late. */
export interface Due {
  readonly stage: 'far' | 'queued';
  readonly at: Date;
}

const dueOf = (id: string, { stage, at }: Due): Item => ({
  due_pk: dueScheduledPartition(stage, shardOf(id, dueScheduledShards)),
  due_sk: at.toISOString(),
});

/** Writes one; false when there is one of its id. */
export async function addScheduled(email: NewScheduledEmail, due: Due): Promise<boolean> {
  return conditionHolds(() =>
    documents.send(
      new PutCommand({
        TableName: tableName(),
        Item: { ...keyOf(email), ...attributesOfScheduled(email), ...listedAttributes(email), ...dueOf(email.id, due) },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    ),
  );
}

/** Strongly consistent; null when there is none, or it is out. */
export async function getScheduled(position: ScheduledPosition): Promise<ScheduledEmail | null> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: tableName(), Key: keyOf(position), ConsistentRead: true }),
  );
  return Item ? scheduledOf(Item) : null;
}

/** Those of these emails that are scheduled, canceled or on their way; strongly consistent. */
export async function findScheduledIds(workspaceId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const items = await readTogether(ids.map((id) => scheduledKey(workspaceId, id)));
  return new Set(ids.filter((_, index) => items[index]));
}

/** Another moment for one that waits; null when it does not, or has another moment than was seen. */
export const reschedule = (seen: ScheduledEmail, scheduledAt: string, due: Due, now: Date, expiresAt: number) =>
  change(seen, {
    set: { scheduled_at: scheduledAt, updated_at: now.toISOString(), expires_at: expiresAt, ...dueOf(seen.id, due) },
    remove: ['tries'],
  });

/** The one moment that decides whether it goes out: null when it was canceled, moved, or claimed by another. */
export const claimScheduled = (seen: ScheduledEmail, inDoubt: readonly number[], now: Date, due: Due) =>
  change(seen, {
    set: { state: 'sending', claimed_at: now.getTime(), in_doubt: inDoubt, ...dueOf(seen.id, due) },
  });

/** Of a try that sent nothing: it waits again, and may be canceled; of one that sent a part, the rest is open to anybody. */
export const reopenScheduled = (own: ScheduledEmail, isUntouched: boolean, tries: number, due: Due) =>
  change(own, {
    set: { state: isUntouched ? 'scheduled' : 'sending', claimed_at: 0, tries, ...dueOf(own.id, due) },
  });

/** Looks again at a later moment. */
export const putOffScheduled = (seen: ScheduledEmail, at: Date) =>
  change(seen, { set: dueOf(seen.id, { stage: 'queued', at }) });

/** Why an email is never sent. */
export interface Ending {
  readonly reason: CancelReason;
  readonly providerCode?: string | undefined;
}

/**
 * It is never sent; null when it is on its way, or was moved meanwhile. What is left to be done then is due, should
 * whoever ends it die before it is.
 */
export const endScheduled = (
  seen: ScheduledEmail,
  { reason, providerCode }: Ending,
  now: Date,
  due: Due,
): Promise<ScheduledEmail | null> =>
  change(seen, {
    set: {
      state: 'canceled',
      reason,
      updated_at: now.toISOString(),
      ...(providerCode && { provider_code: providerCode }),
      ...listedAttributes({ ...seen, state: 'canceled' }),
      ...dueOf(seen.id, due),
    },
    remove: ['claimed_at', 'in_doubt'],
  });

/** Nothing is left to be done for one that was canceled. */
export const settleCanceled = (seen: ScheduledEmail) => change(seen, { set: {}, remove: ['due_pk', 'due_sk'] });

/** Takes away what was sent. */
export async function deleteScheduled(position: ScheduledPosition): Promise<void> {
  await documents.send(new DeleteCommand({ TableName: tableName(), Key: keyOf(position) }));
}

async function change(
  seen: ScheduledEmail,
  { set, remove = [] }: { readonly set: Item; readonly remove?: readonly string[] },
): Promise<ScheduledEmail | null> {
  const expect = { state: seen.state, scheduled_at: seen.scheduledAt, claimed_at: seen.claimedAt };
  const item = await changeItem(keyOf(seen), { set, remove, expect });
  return item && scheduledOf(item);
}
