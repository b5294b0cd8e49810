import { addressKey } from '../../../domain/address/address.ts';
import { isAlias } from '../../../domain/person/erased.ts';
import type { EmailStatus } from '../../../domain/sending/emailStatus.ts';
import { config } from '../../../platform/config.ts';
import type { Email } from '../../../store/sending/email.ts';
import { findEmail } from '../../../store/sending/emails.ts';
import { listingsOf, statusListing } from '../../../store/sending/listing.ts';
import { findAlias } from '../../../store/suppression/blocks.ts';
import { type Batch, listenersOf } from '../batch.ts';

/** Lists an email by the recipients of an envelope and by its tags, where the deployment keeps such lists. */
export async function listAccepted(email: Email, envelope: number, batch: Batch): Promise<void> {
  if (config('EMAIL_LIST') !== 'recipient-and-tag') return;
  const addresses = (email.envelopes[envelope] ?? []).map(addressKey);
  const { hasErased } = await listenersOf(batch, email.workspaceId);
  const known = hasErased ? await withoutErased(email.workspaceId, addresses) : addresses;
  batch.listings.push(...listingsOf(email, known));
}

/** Whoever was erased while the report was on its way is listed nowhere. */
async function withoutErased(workspaceId: string, addresses: readonly string[]): Promise<string[]> {
  const isKept = await Promise.all(
    addresses.map(async (address) => !isAlias(address) && (await findAlias(workspaceId, address)) === null),
  );
  return addresses.filter((_, index) => isKept[index]);
}

interface ListedReport {
  readonly workspaceId: string;
  readonly emailId: string;
  readonly expiresAt: number;
}

/** Lists an email by a status that few emails get: a unit for those few, and none for what goes well. */
export async function listStatus(report: ListedReport, status: EmailStatus, batch: Batch): Promise<void> {
  if (config('EMAIL_LIST') === 'none') return;
  const known = await findEmail(report.workspaceId, report.emailId);
  batch.listings.push(statusListing(report, status, known?.email ?? null));
}
