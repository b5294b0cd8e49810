/** A DNS record as published. The value of an MX starts with its priority. */
export interface DnsRecord {
  readonly type: 'CNAME' | 'MX' | 'TXT';
  readonly name: string;
  readonly value: string;
}

export const recordPurposes = ['dkim', 'mail_from_mx', 'mail_from_spf', 'dmarc', 'ownership'] as const;
export type RecordPurpose = (typeof recordPurposes)[number];

/** The state of a record according to SES. SES does not check DMARC: `unchecked`. */
export const recordStates = ['verified', 'pending', 'failed', 'unchecked'] as const;
export type RecordState = (typeof recordStates)[number];

/** A record that a sending domain needs. */
export interface ExpectedRecord extends DnsRecord {
  readonly purpose: RecordPurpose;
}

/** The domain that bounces are sent to, and the region of the SES that receives them. */
export interface MailFrom {
  readonly domain: string;
  readonly region: string;
}

/** The MX and SPF records of a MAIL FROM domain: https://docs.aws.amazon.com/ses/latest/dg/mail-from.html */
export function mailFromRecords({ domain, region }: MailFrom): ExpectedRecord[] {
  const mx = `10 feedback-smtp.${region}.amazonses.com`;
  return [
    { purpose: 'mail_from_mx', type: 'MX', name: domain, value: mx },
    { purpose: 'mail_from_spf', type: 'TXT', name: domain, value: 'v=spf1 include:amazonses.com ~all' },
  ];
}

/** Mailbox providers require a DMARC policy of bulk senders; `p=none` blocks nothing (RFC 7489). */
export function dmarcRecord(domain: string): ExpectedRecord {
  return { purpose: 'dmarc', type: 'TXT', name: `_dmarc.${domain}`, value: 'v=DMARC1; p=none;' };
}

/** The names of the domain's and its parents' policies, down to two labels (RFC 7489, 6.6.3). */
export function dmarcNames(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_, index) => `_dmarc.${labels.slice(index).join('.')}`);
}

/** The values under a name; null when DNS did not answer. */
export interface DnsAnswer {
  readonly name: string;
  readonly values: readonly string[] | null;
}

/** `wrong`: there is another record. `unknown`: DNS did not answer. */
type RecordStatus = 'found' | 'missing' | 'wrong' | 'unknown';

export interface RecordCheck {
  readonly purpose: RecordPurpose;
  readonly status: RecordStatus;
  readonly record: DnsRecord;
  /** The published records of this kind. */
  readonly found: readonly string[];
  readonly problem: string | null;
}

interface Verdict {
  readonly status: RecordStatus;
  readonly found: readonly string[];
  readonly problem?: string;
}

/** Checks whether DNS has an expected record. Names are compared without case and final dot. */
export function checkRecord(expected: ExpectedRecord, { values }: DnsAnswer): RecordCheck {
  if (values === null) return checked(expected, unanswered);
  return checked(expected, rules[expected.purpose](expected.value, values));
}

/** Checks DMARC by the domain's own record, else by that of the nearest parent domain (RFC 7489, 6.6.3). */
export function checkDmarc(expected: ExpectedRecord, answers: readonly DnsAnswer[]): RecordCheck {
  for (const { name, values } of answers) {
    if (values === null) return checked(expected, unanswered);
    const { status, found, problem } = dmarc(expected.value, values);
    if (status === 'missing') continue;
    const inherited = status === 'found' && name !== expected.name ? `the policy of ${name} counts` : problem;
    return checked(expected, { status, found, ...(inherited && { problem: inherited }) });
  }
  return checked(expected, { status: 'missing', found: [] });
}

const unanswered: Verdict = { status: 'unknown', found: [], problem: 'DNS did not answer' };

type Rule = (expected: string, values: readonly string[]) => Verdict;

const same = (one: string, other: string) => canonical(one) === canonical(other);
const canonical = (name: string) => name.toLowerCase().replace(/\.$/, '');

const cname: Rule = (expected, values) => {
  if (values.length === 0) return { status: 'missing', found: [] };
  if (values.some((value) => same(value, expected))) return { status: 'found', found: values };
  return { status: 'wrong', found: values, problem: 'it points elsewhere' };
};

/** SES requires exactly one MX for a MAIL FROM domain, with any priority. */
const mx: Rule = (expected, values) => {
  if (values.length === 0) return { status: 'missing', found: [] };
  const host = (value: string) => value.split(' ').at(-1) ?? '';
  if (!values.some((value) => same(host(value), host(expected)))) {
    return { status: 'wrong', found: values, problem: 'it points elsewhere' };
  }
  if (values.length === 1) return { status: 'found', found: values };
  return { status: 'wrong', found: values, problem: 'SES requires it to be the only MX of this name' };
};

/** More than one SPF record is a permanent error (RFC 7208, 4.5). */
const spf: Rule = (_, values) => {
  const found = values.filter((value) => /^v=spf1(?: |$)/i.test(value));
  if (found.length === 0) return { status: 'missing', found };
  if (found.length > 1) return { status: 'wrong', found, problem: 'there may be only one SPF record' };
  if (/(?:^|\s)\+?include:amazonses\.com(?:\s|$)/i.test(found[0] ?? '')) return { status: 'found', found };
  return { status: 'wrong', found, problem: 'it lacks include:amazonses.com' };
};

/** More than one DMARC record counts as none (RFC 7489, 6.6.3). */
const dmarc: Rule = (_, values) => {
  const found = values.filter((value) => /^v=DMARC1\s*(?:;|$)/.test(value));
  if (found.length === 0) return { status: 'missing', found };
  if (found.length > 1) return { status: 'wrong', found, problem: 'there may be only one DMARC record' };
  if (/;\s*p\s*=\s*(?:none|quarantine|reject)\s*(?:;|$)/i.test(found[0] ?? '')) return { status: 'found', found };
  return { status: 'wrong', found, problem: 'it names no policy (p=none, quarantine or reject)' };
};

/**
 * The values come from the domain's DNS and may be anything: of unexpected records, a few short and printable ones are
 * shown.
 */
const ownership: Rule = (expected, values) => {
  const found = values.filter((value) => value.startsWith('mailroom-workspace='));
  if (found.includes(expected)) return { status: 'found', found: [expected] };
  const shown = found.slice(0, 5).map((value) => value.replaceAll(/[^!-~]/g, '?').slice(0, 100));
  if (shown.length === 0) return { status: 'missing', found: [] };
  return { status: 'wrong', found: shown, problem: 'it names another workspace' };
};

const rules: Readonly<Record<RecordPurpose, Rule>> = {
  dkim: cname,
  mail_from_mx: mx,
  mail_from_spf: spf,
  dmarc,
  ownership,
};

function checked({ purpose, ...record }: ExpectedRecord, { status, found, problem }: Verdict): RecordCheck {
  return { purpose, status, record, found, problem: problem ?? null };
}
