import { dmarcRecord, mailFromRecords, type WantedRecord } from '../../domain/dns/domainRecords.ts';
import type { DomainIdentity } from '../../email/identity.ts';

/** What to publish for a domain: DKIM first, then its MAIL FROM domain, then a DMARC policy to start with. */
export function wantedRecords(domain: string, { dkimRecords, mailFrom }: DomainIdentity): WantedRecord[] {
  return [...dkimRecords, ...(mailFrom ? mailFromRecords(mailFrom) : []), dmarcRecord(domain)];
}
