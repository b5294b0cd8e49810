import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../contract/errors.ts';
import type { Input, Result } from '../contract/route.ts';
import type { getDomainRoute, listDomainsRoute } from '../contract/routes/domains.ts';
import {
  checkDmarc,
  dmarcNames,
  dmarcRecord,
  type ExpectedRecord,
  mailFromRecords,
  type RecordCheck,
  type RecordPurpose,
  type RecordState,
} from '../domain/dnsRecords.ts';
import { toAsciiDomain } from '../domain/webAddress.ts';
import { ownershipRecord } from '../domain/workspace/domainOwnership.ts';
import type { Domain } from '../domain/workspace/workspace.ts';
import { type DomainIdentity, getDomainIdentity } from '../email/domainIdentity.ts';
import { failedCall } from '../email/ses.ts';
import { dnsRecords } from '../outbound/dnsRecords.ts';
import type { Context } from './context.ts';
import { existingWorkspace } from './existingWorkspace.ts';
import { requireOperator } from './operatorVerb.ts';

/** For operators: the domains of a workspace, and whether SES has verified each. */
export async function listDomains(context: Context) {
  requireOperator(context, 'read');
  const { domains } = await existingWorkspace(context.workspaceId);
  return domains.map(({ domain, verified, proof }) => ({
    ...{ object: 'domain' as const, domain, verified },
    ...(proof === 'grandfathered' && { grandfathered: true }),
  }));
}

/** For applications: a page of the workspace's domains, by name. All of them are in the workspace's own record. */
export async function pageOfDomains(
  { workspaceId }: Context,
  { limit, after = '' }: Input<typeof listDomainsRoute>,
): Promise<Result<typeof listDomainsRoute>> {
  const { domains } = await existingWorkspace(workspaceId);
  const left = domains.filter(({ domain }) => domain > after).sort((a, b) => (a.domain < b.domain ? -1 : 1));
  const entries = left.slice(0, limit).map(domainSummary);
  return { entries, next: left.length > limit ? (entries.at(-1)?.id ?? null) : null };
}

/** A domain with its DNS records and their states as SES reports them now. Nothing is stored; see `verifyDomain`. */
export async function getDomain(
  { workspaceId }: Context,
  { id }: Input<typeof getDomainRoute>,
): Promise<Result<typeof getDomainRoute>> {
  const { domains } = await existingWorkspace(workspaceId);
  const known = domains.find(({ domain }) => domain === toAsciiDomain(id));
  const identity = known && (await whenSesAllows(getDomainIdentity(known.domain)));
  if (!known || (known.proof && !identity)) throw new ServiceError('not_found');
  const records = identity
    ? recordsToPublish(workspaceId, known, identity)
    : [ownershipRecord(workspaceId, known.domain)];
  return {
    ...domainSummary(known),
    mail_from: identity?.mailFrom?.domain ?? null,
    records: withStates(records, known, identity ?? null),
  };
}

/** A DNS record to publish, with its state. */
export interface PublishedRecord extends ExpectedRecord {
  readonly status: RecordState;
}

/** Records with their states as SES reports them. */
export const withStates = (
  records: readonly ExpectedRecord[],
  known: Pick<Domain, 'proof'>,
  identity: DomainIdentity | null,
): PublishedRecord[] =>
  records.map(({ purpose, type, name, value }) => ({
    ...{ purpose, type, name, value },
    status: stateOf(purpose, known, identity),
  }));

/** SES allows one such call a second for the whole account (SES Developer Guide, "Service quotas"). */
export async function whenSesAllows<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    if (failedCall(error).kind !== 'deferred') throw error;
    throw new ServiceError('rate_limit_exceeded', {
      text: {
        en: 'There are too many requests about domains at the moment.',
        fr: 'Il y a trop de demandes sur des domaines en ce moment.',
      },
      retryAfterSeconds: 2,
      cause: error,
    });
  }
}

/** A page waits for the answer: DNS that takes longer counts as not answering. */
const dnsTimeoutMilliseconds = 1000;

/** The DMARC policy that DNS has for a domain. */
export async function readDmarc(context: Context, { domain }: { readonly domain: string }): Promise<RecordCheck> {
  requireOperator(context, 'read');
  const expected = dmarcRecord(domain);
  const lookUp = dnsRecords();
  const timeout = sleep(dnsTimeoutMilliseconds, [{ name: expected.name, values: null }], { ref: false });
  const answers = Promise.all(dmarcNames(domain).map((name) => lookUp('TXT', name)));
  return checkDmarc(expected, await Promise.race([answers, timeout]));
}

/**
 * The record that names the workspace, unless it holds the domain by another proof; then DKIM, the MAIL FROM domain,
 * and a minimal DMARC policy.
 */
export function recordsToPublish(
  workspaceId: string,
  { domain, proof }: Pick<Domain, 'domain' | 'proof'>,
  { dkimRecords, mailFrom }: DomainIdentity,
): ExpectedRecord[] {
  const needsRecord = proof === undefined || proof === 'dns';
  const ownership = needsRecord ? [ownershipRecord(workspaceId, domain)] : [];
  return [...ownership, ...dkimRecords, ...(mailFrom ? mailFromRecords(mailFrom) : []), dmarcRecord(domain)];
}

/** The state of a record as SES reports it. SES does not check DMARC; the last check decided who holds the domain. */
function stateOf(
  purpose: RecordPurpose,
  { proof }: Pick<Domain, 'proof'>,
  identity: DomainIdentity | null,
): RecordState {
  if (purpose === 'dmarc') return 'unchecked';
  if (purpose === 'ownership') return proof ? 'verified' : 'pending';
  const status = purpose === 'dkim' ? identity?.dkimStatus : identity?.mailFrom?.status;
  if (status === 'SUCCESS') return 'verified';
  return status === 'FAILED' ? 'failed' : 'pending';
}

/** A domain as the API shows it; its name is its id. */
const domainSummary = ({ domain, verified }: Domain) => ({
  object: 'domain' as const,
  id: domain,
  name: domain,
  verified,
});
