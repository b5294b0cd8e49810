import type { DnsRecord, RecordPurpose, WantedRecord } from './domainRecords.ts';

/** What DNS has under a name; null when it did not answer, which says nothing of the record. */
export interface DnsAnswer {
  readonly name: string;
  readonly values: readonly string[] | null;
}

/** `wrong`: something is there that is not it. `unknown`: DNS did not answer. */
type RecordStatus = 'found' | 'missing' | 'wrong' | 'unknown';

export interface RecordCheck {
  readonly purpose: RecordPurpose;
  readonly status: RecordStatus;
  readonly record: DnsRecord;
  /** What is published, of the kind that was looked for. */
  readonly found: readonly string[];
  readonly problem: string | null;
}

interface Judgement {
  readonly status: RecordStatus;
  readonly found: readonly string[];
  readonly problem?: string;
}

/** Whether DNS has a record that a domain is to have. Names are compared without case and final dot. */
export function checkRecord(wanted: WantedRecord, { values }: DnsAnswer): RecordCheck {
  if (values === null) return checked(wanted, unanswered);
  return checked(wanted, rules[wanted.purpose](wanted.value, values));
}

/** DMARC by the domain's own record, else by that of the nearest domain above it (RFC 7489, 6.6.3). */
export function checkDmarc(wanted: WantedRecord, answers: readonly DnsAnswer[]): RecordCheck {
  for (const { name, values } of answers) {
    if (values === null) return checked(wanted, unanswered);
    const { status, found, problem } = dmarc(wanted.value, values);
    if (status === 'missing') continue;
    const inherited = status === 'found' && name !== wanted.name ? `the policy of ${name} counts` : problem;
    return checked(wanted, { status, found, ...(inherited && { problem: inherited }) });
  }
  return checked(wanted, { status: 'missing', found: [] });
}

const unanswered: Judgement = { status: 'unknown', found: [], problem: 'DNS did not answer' };

type Rule = (wanted: string, values: readonly string[]) => Judgement;

const same = (one: string, other: string) => canonical(one) === canonical(other);
const canonical = (name: string) => name.toLowerCase().replace(/\.$/, '');

const cname: Rule = (wanted, values) => {
  if (values.length === 0) return { status: 'missing', found: [] };
  if (values.some((value) => same(value, wanted))) return { status: 'found', found: values };
  return { status: 'wrong', found: values, problem: 'it leads elsewhere' };
};

/** SES takes a MAIL FROM domain with exactly one MX, its own, whatever the priority. */
const mx: Rule = (wanted, values) => {
  if (values.length === 0) return { status: 'missing', found: [] };
  const host = (value: string) => value.split(' ').at(-1) ?? '';
  if (!values.some((value) => same(host(value), host(wanted)))) {
    return { status: 'wrong', found: values, problem: 'it leads elsewhere' };
  }
  if (values.length === 1) return { status: 'found', found: values };
  return { status: 'wrong', found: values, problem: 'SES wants it to be the only MX of this name' };
};

/** More than one SPF record is a permanent error of all (RFC 7208, 4.5). */
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

const rules: Readonly<Record<RecordPurpose, Rule>> = { dkim: cname, mail_from_mx: mx, mail_from_spf: spf, dmarc };

function checked({ purpose, ...record }: WantedRecord, { status, found, problem }: Judgement): RecordCheck {
  return { purpose, status, record, found, problem: problem ?? null };
}
