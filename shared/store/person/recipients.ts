import type { MergePerson } from '../../domain/campaign/content/mergeField.ts';
import type { SubscriberStatus } from '../../domain/person/subscriber.ts';
import { addressItemKey } from '../table/keys.ts';
import { batchGet } from '../table/table.ts';
import { personOf } from './personItem.ts';
import { findPlatformSuppressed } from './platformSuppression.ts';

/** A subscriber as they stand now, with what merge fields show of them. */
export interface CampaignRecipient {
  readonly status: SubscriberStatus;
  /** In the workspace or on the platform. */
  readonly isSuppressed: boolean;
  readonly person: MergePerson;
}

/**
 * The subscribers among these addresses (canonical form, 50 at most): the workspace's items strongly consistent, since
 * somebody may have left a second ago, the platform's not. Two calls side by side, 1.5 read units an address; one for
 * who knows already which of them the platform has suppressed.
 */
export async function readRecipients(
  workspaceId: string,
  emails: readonly string[],
  suppressed: Promise<ReadonlySet<string>> = findPlatformSuppressed(emails),
): Promise<Map<string, CampaignRecipient>> {
  const [own, blocked] = await Promise.all([
    batchGet(
      emails.map((email) => addressItemKey(workspaceId, email)),
      { consistent: true },
    ),
    suppressed,
  ]);
  const found = own.flatMap((item): [string, CampaignRecipient][] => {
    const { email, subscriber, suppression } = personOf(workspaceId, item);
    if (!subscriber) return [];
    const { firstName, lastName, fields } = subscriber;
    const isSuppressed = suppression !== null || blocked.has(email);
    return [[email, { status: subscriber.status, isSuppressed, person: { email, firstName, lastName, fields } }]];
  });
  return new Map(found);
}
