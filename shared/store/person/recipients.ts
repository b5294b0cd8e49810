import type { MergePerson } from '../../domain/content/messageTemplate.ts';
import type { SubscriberStatus } from '../../domain/person/person.ts';
import { allowedTracking, type Tracking } from '../../domain/sending/email.ts';
import { findPlatformSuppressed } from '../suppression/platformSuppression.ts';
import { batchGet } from '../table/batches.ts';
import { addressItemKey, leaversPartition } from '../table/keys.ts';
import { type Item, queryAll } from '../table/table.ts';
import { personOf } from './personRecord.ts';

/** A subscriber as stored now, with the values of merge fields. */
export interface CampaignRecipient {
  readonly status: SubscriberStatus;
  /** By the workspace or the platform. */
  readonly isSuppressed: boolean;
  /** What the person does not refuse. */
  readonly allowed: Tracking;
  /** Tags of the topics that they have left. */
  readonly leftTags: readonly string[];
  readonly person: MergePerson;
}

/**
 * The subscribers among these addresses (canonical form); the workspace's items strongly consistent, the platform's
 * not: two calls in parallel, 1.5 read units per address.
 */
export async function readRecipients(
  workspaceId: string,
  emails: readonly string[],
): Promise<Map<string, CampaignRecipient>> {
  const [own, blocked] = await Promise.all([
    batchGet(
      emails.map((email) => addressItemKey(workspaceId, email)),
      { consistent: true },
    ),
    findPlatformSuppressed(emails),
  ]);
  return recipientsOf(workspaceId, own, blocked);
}

/** The subscribers among address items of a workspace; `blocked` are those on the platform's list. */
export function recipientsOf(
  workspaceId: string,
  items: readonly Item[],
  blocked: ReadonlySet<string>,
): Map<string, CampaignRecipient> {
  const found = items.flatMap((item): [string, CampaignRecipient][] => {
    const { email, subscriber, suppression, preferences } = personOf(workspaceId, item);
    if (!subscriber) return [];
    const { firstName, lastName, fields } = subscriber;
    const isSuppressed = suppression !== null || blocked.has(email);
    const { leftTags } = preferences;
    const allowed = allowedTracking([preferences]);
    const person = { email, firstName, lastName, fields };
    return [[email, { status: subscriber.status, isSuppressed, allowed, leftTags, person }]];
  });
  return new Map(found);
}

/** Addresses (canonical form) that have left a topic (`name:value`): 10,000 of them are about 1 MB, one call. */
export async function leaversOf(workspaceId: string, tag: string): Promise<Set<string>> {
  const partition = leaversPartition(workspaceId, tag);
  const items = await queryAll({ partition, attributes: [['sk']], consistency: 'strong' });
  return new Set(items.map(({ sk }) => String(sk)));
}
