import {
  dmarcRecord,
  mailFromRecords,
  type RecordPurpose,
  type RecordState,
  type WantedRecord,
} from '../../domain/dns/domainRecords.ts';
import type { DomainIdentity } from '../../email/identity.ts';

/** What to publish for a domain: DKIM first, then its MAIL FROM domain, then a DMARC policy to start with. */
export function wantedRecords(domain: string, { dkimRecords, mailFrom }: DomainIdentity): WantedRecord[] {
  return [...dkimRecords, ...(mailFrom ? mailFromRecords(mailFrom) : []), dmarcRecord(domain)];
}

/** What SES says of a record of that purpose. */
export function stateOf(purpose: RecordPurpose, { dkimStatus, mailFrom }: DomainIdentity): RecordState {
  if (purpose === 'dmarc') return 'unchecked';
  const status = purpose === 'dkim' ? dkimStatus : mailFrom?.status;
  if (status === 'SUCCESS') return 'verified';
  return status === 'FAILED' ? 'failed' : 'pending';
}
