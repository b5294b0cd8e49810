/** A record of DNS as it is published; the value of an MX begins with its priority. */
export interface DnsRecord {
  readonly type: 'CNAME' | 'MX' | 'TXT';
  readonly name: string;
  readonly value: string;
}

export const recordPurposes = ['dkim', 'mail_from_mx', 'mail_from_spf', 'dmarc'] as const;
export type RecordPurpose = (typeof recordPurposes)[number];

/** What has become of a record, as SES has seen it; SES does not look at DMARC. */
export const recordStates = ['verified', 'pending', 'failed', 'unchecked'] as const;
export type RecordState = (typeof recordStates)[number];

/** A record that a sending domain is to have, and what for. */
export interface WantedRecord extends DnsRecord {
  readonly purpose: RecordPurpose;
}

/** Where bounces of a domain's mail go, and the region whose SES takes them. */
export interface MailFrom {
  readonly domain: string;
  readonly region: string;
}

/**
 * SES takes the bounces of a MAIL FROM domain by one MX, and may send for it by SPF:
 * https://docs.aws.amazon.com/ses/latest/dg/mail-from.html
 */
export function mailFromRecords({ domain, region }: MailFrom): WantedRecord[] {
  const mx = `10 feedback-smtp.${region}.amazonses.com`;
  return [
    { purpose: 'mail_from_mx', type: 'MX', name: domain, value: mx },
    { purpose: 'mail_from_spf', type: 'TXT', name: domain, value: 'v=spf1 include:amazonses.com ~all' },
  ];
}

/** Mailbox providers ask bulk senders for a DMARC policy; `p=none` watches and blocks nothing (RFC 7489). */
export function dmarcRecord(domain: string): WantedRecord {
  return { purpose: 'dmarc', type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none;' };
}

/** The domain and those above it, down to two labels: a policy of a domain above counts too (RFC 7489, 6.6.3). */
export function dmarcNames(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_, index) => `_dmarc.${labels.slice(index).join('.')}`);
}
