import type { DomainIdentity } from '../../email/identity.ts';

/** A domain as the operator sees it; `dkim_status` is SES's own word. */
export function shownDomain(domain: string, { verified, dkimStatus }: DomainIdentity) {
  return { object: 'domain' as const, domain, verified, dkim_status: dkimStatus };
}

export type ShownDomain = ReturnType<typeof shownDomain>;
