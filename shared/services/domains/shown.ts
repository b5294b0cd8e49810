import type { DomainIdentity } from '../../email/identity.ts';

/** A domain as the operator sees it; statuses are SES's own words. */
export function shownDomain(domain: string, identity: DomainIdentity) {
  const { verified, dkimStatus, mailFrom, forwardsFeedback } = identity;
  return {
    object: 'domain' as const,
    domain,
    verified,
    dkim_status: dkimStatus,
    mail_from: mailFrom && { domain: mailFrom.domain, status: mailFrom.status },
    forwards_feedback: forwardsFeedback,
  };
}
