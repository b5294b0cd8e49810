import { createHash } from 'node:crypto';
import type { ExpectedRecord } from '../dnsRecords.ts';

/**
 * How a workspace came to hold a domain: by its TXT record, by an operator's decision, with a parent domain, or because
 * it had the domain before domains had holders (`grandfathered`).
 */
export const domainProofs = ['dns', 'operator', 'parent', 'grandfathered'] as const;
export type DomainProof = (typeof domainProofs)[number];

/** The TXT record with which the owner of a domain names a workspace; each workspace has its own value. */
export function ownershipRecord(workspaceId: string, domain: string): ExpectedRecord {
  const token = createHash('sha256').update(`domain\n${workspaceId}`).digest('base64url');
  return { purpose: 'ownership', type: 'TXT', name: `_mailroom.${domain}`, value: `mailroom-workspace=${token}` };
}

export const isUnder = (name: string, domain: string): boolean => name === domain || name.endsWith(`.${domain}`);

/** The parents of a domain, the nearest first, down to two labels. */
export function parentsOf(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'));
}

/** The holders of a domain or of its parent; several only until an operator decides. */
export interface Holding {
  readonly domain: string;
  readonly workspaceIds: readonly string[];
}

/** The current holders of a domain, and of its nearest held parent. */
export interface DomainHoldings {
  readonly own: Holding | null;
  readonly parent: Holding | null;
}

/**
 * The ground of a claim: the workspace's TXT record, an operator's assurance, or an operator's decision between
 * workspaces.
 */
export type ClaimGround = 'dns' | 'operator' | 'decision' | null;

/**
 * `held`: the workspace already holds the domain. `claimable`: it may take it, by this proof. `unproven`: there is no
 * holder and no proof. `of_parent`: it belongs to the holder of a parent. `taken`: another workspace holds it.
 */
export type ClaimOutcome =
  | { readonly kind: 'held' | 'unproven' | 'of_parent' | 'taken' }
  | { readonly kind: 'claimable'; readonly proof: DomainProof };

export function judgeClaim(workspaceId: string, { own, parent }: DomainHoldings, claim: ClaimGround): ClaimOutcome {
  if (claim === 'decision') return { kind: 'claimable', proof: 'operator' };
  if (own) return { kind: own.workspaceIds.includes(workspaceId) ? 'held' : 'taken' };
  if (parent?.workspaceIds.includes(workspaceId)) return { kind: 'claimable', proof: 'parent' };
  if (claim === 'dns') return { kind: 'claimable', proof: 'dns' };
  if (parent) return { kind: 'of_parent' };
  return claim === 'operator' ? { kind: 'claimable', proof: 'operator' } : { kind: 'unproven' };
}
