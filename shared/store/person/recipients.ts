import type { MergePerson } from '../../domain/campaign/content/mergeField.ts';
import type { SubscriberStatus } from '../../domain/person/subscriber.ts';
import { findPlatformSuppressed } from '../suppression/platformSuppression.ts';
import { addressItemKey } from '../table/keys.ts';
import { batchGet, type Item } from '../table/table.ts';
import { personOf } from './personItem.ts';

/** A subscriber as they stand now, with what merge fields show of them. */
export interface CampaignRecipient {
  readonly status: SubscriberStatus;
  /** In the workspace or on the platform. */
  readonly isSuppressed: boolean;
  readonly isUntracked: boolean;
  /** Kinds of mail that they have left. */
  readonly leftTags: readonly string[];
  readonly person: MergePerson;
}

/**
 * The subscribers among these addresses (canonical form), the workspace's items strongly consistent, the platform's not:
 * two calls side by side, 1.5 read units an address.
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

/** The subscribers among address items of a workspace; `blocked` are those whom the platform has suppressed. */
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
    const { isUntracked, leftTags } = preferences;
    const person = { email, firstName, lastName, fields };
    return [[email, { status: subscriber.status, isSuppressed, isUntracked, leftTags, person }]];
  });
  return new Map(found);
}
