import { applyFeedback, leave } from '../../domain/person/consent.ts';
import type { KnownAddress, Via } from '../../domain/person/subscriber.ts';
import type { SuppressionReason } from '../../domain/person/suppression.ts';
import type { Lane } from '../../domain/webhook/delivery.ts';
import { putPlatformSuppression } from '../../store/suppression/platformSuppression.ts';
import { changePerson } from '../subscribers/change.ts';

/**
 * Puts an address on the list of a workspace, or of the platform when `workspaceId` is null. Idempotent: the first date
 * stays, and a reason only gives way to one that outranks it. In a workspace a subscriber moves in the same transaction:
 * a bounce (from feedback) to `bounced`, a complaint to `complained`, any other reason to `unsubscribed`.
 */
export async function suppress(
  workspaceId: string | null,
  email: string,
  reason: SuppressionReason,
  at: Date,
  via: Via = 'feedback',
  lane: Lane = 'live',
): Promise<void> {
  if (workspaceId === null) {
    await putPlatformSuppression(email, reason, at);
    return;
  }
  const isFeedback = reason === 'bounce' || reason === 'complaint';
  const decide = ({ person }: KnownAddress) => ({
    person: isFeedback ? applyFeedback(person, reason, at) : leave(person, reason, at),
    result: undefined,
  });
  await changePerson({ workspaceId, email }, via, at, decide, { lane });
}
