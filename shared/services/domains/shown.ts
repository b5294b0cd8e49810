import type { Domain } from '../../domain/workspace/workspace.ts';
import type { DomainIdentity } from '../../email/identity.ts';

/** A domain as an application sees it; its name is its id. */
export const listedDomain = ({ domain, verified }: Domain) => ({
  object: 'domain' as const,
  id: domain,
  name: domain,
  verified,
});

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
