import type { SuppressionReason } from '../../domain/suppression.ts';
import { putSuppression } from '../../store/suppression.ts';

/**
 * Puts an address on the list of a workspace, or of the platform when `workspaceId` is null. Idempotent: the first date
 * stays, and a reason only gives way to one that outranks it.
 */
export async function suppress(
  workspaceId: string | null,
  email: string,
  reason: SuppressionReason,
  at: Date,
): Promise<void> {
  await putSuppression(workspaceId, email, reason, at);
}
