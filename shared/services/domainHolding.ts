import { ServiceError } from '../contract/errors.ts';
import {
  type ClaimGround,
  type ClaimOutcome,
  type DomainHoldings,
  type Holding,
  isUnder,
  judgeClaim,
  parentsOf,
} from '../domain/workspace/domainOwnership.ts';
import type { Domain } from '../domain/workspace/workspace.ts';
import { text } from '../language/text.ts';
import { inParallel } from '../platform/parallel.ts';
import {
  cedeSubdomains,
  claimDomain,
  type DomainHolder,
  findHolders,
  releaseDomain,
} from '../store/workspace/domainHolders.ts';
import { getWorkspace, listWorkspaces } from '../store/workspace/workspaces.ts';

/** A domain in the list of a workspace. */
export interface ListedDomain extends Domain {
  readonly workspaceId: string;
  readonly workspaceName: string;
  /** Its workspace is being deleted: it no longer sends, and does not prevent others from taking the domain. */
  readonly isEnded: boolean;
}

const readAtOnce = 16;

/**
 * The domains of every workspace: one query each. This is called rarely, and domains from before domains had holders
 * can only be found here.
 */
export async function listAllDomains(): Promise<ListedDomain[]> {
  const found: ListedDomain[] = [];
  await inParallel(readAtOnce, await listWorkspaces(), async ({ id, name, endedAt }) => {
    for (const domain of (await getWorkspace(id))?.domains ?? []) {
      found.push({ ...domain, workspaceId: id, workspaceName: name, isEnded: endedAt !== undefined });
    }
  });
  return found;
}

/** The data that decides a claim, as it was read. */
export interface DomainSituation {
  readonly domain: string;
  readonly holders: readonly DomainHolder[];
  readonly listed: readonly ListedDomain[];
  readonly holdings: DomainHoldings;
}

export async function readSituation(domain: string): Promise<DomainSituation> {
  const [holders, listed] = await Promise.all([findHolders(domain), listAllDomains()]);
  const ended = new Set(listed.flatMap((one) => (one.isEnded ? [one.workspaceId] : [])));
  const holdingOf = (name: string): Holding | null => {
    const holder = holders.find((one) => one.domain === name)?.workspaceId;
    if (holder && !ended.has(holder)) return { domain: name, workspaceIds: [holder] };
    // Without an item of its own it is held with a parent, or since before domains had holders.
    const workspaceIds = listed.flatMap((one) =>
      one.domain === name && one.proof && one.proof !== 'parent' && !one.isEnded ? [one.workspaceId] : [],
    );
    return workspaceIds.length > 0 ? { domain: name, workspaceIds } : null;
  };
  const parent =
    parentsOf(domain)
      .map(holdingOf)
      .find((holding) => holding !== null) ?? null;
  return { domain, holders, listed, holdings: { own: holdingOf(domain), parent } };
}

export interface TakenDomain {
  readonly outcome: ClaimOutcome;
  /** The workspace holds it now. */
  readonly isHeld: boolean;
}

/**
 * Decides a claim and, if it is granted, gives the domain to the workspace. Throws `conflict` after a concurrent
 * change.
 */
export async function takeDomain(
  workspaceId: string,
  situation: DomainSituation,
  {
    claim,
    verifiedAt,
    now,
  }: { readonly claim: ClaimGround; readonly verifiedAt: Date | null | undefined; readonly now: Date },
): Promise<TakenDomain> {
  const { domain, holders, holdings } = situation;
  const outcome = judgeClaim(workspaceId, holdings, claim);
  const isSole = holdings.own?.workspaceIds.length === 1;
  const before = holders.find((one) => one.domain === domain)?.workspaceId ?? null;
  // Held since before domains had holders, and by no other workspace: it gets an item with its holder now.
  const isGrandfathered = outcome.kind === 'held' && isSole && before === null;
  if (outcome.kind !== 'claimable' && !isGrandfathered) return { outcome, isHeld: outcome.kind === 'held' };
  const isTaken = await claimDomain(
    {
      ...{ workspaceId, domain, verifiedAt, before },
      proof: outcome.kind === 'claimable' ? outcome.proof : 'grandfathered',
      losers: losersOf(workspaceId, situation),
      ceding: othersAbove(workspaceId, situation),
      ceded: subdomainsOfOthers(workspaceId, situation),
    },
    holders,
    now,
  );
  if (!isTaken) throw overtakenClaim(domain);
  // A workspace that proved a parent between reading and writing was not among the parents' holders.
  const late = subdomainsOfOthers(workspaceId, { domain, listed: await listAllDomains() });
  if (late.length > 0) await cedeSubdomains({ workspaceId, domain }, late);
  return { outcome, isHeld: true };
}

/**
 * Takes a domain from a workspace, with the subdomains that it had as part of it. Throws `conflict` after a concurrent
 * change.
 */
export async function giveUpDomain(workspaceId: string, situation: DomainSituation): Promise<void> {
  const { domain, holders, listed } = situation;
  const isReleased = await releaseDomain({
    ...{ workspaceId, domain },
    isHolder: holders.some((one) => one.domain === domain && one.workspaceId === workspaceId),
    inherited: listed.flatMap((one) => (isPartOf(one, workspaceId, domain) ? [one.domain] : [])),
    ceding: othersAbove(workspaceId, situation),
  });
  if (!isReleased) throw overtakenClaim(domain);
}

/** Workspaces that lose the domain, or subdomains that they have only as part of it. */
const losersOf = (workspaceId: string, { domain, listed }: DomainSituation): ListedDomain[] =>
  listed.filter((one) => {
    if (one.workspaceId === workspaceId || one.proof === undefined) return false;
    if (one.domain === domain) return true;
    if (one.proof !== 'parent' || !isUnder(one.domain, domain)) return false;
    const isBetween = (other: ListedDomain) =>
      other.workspaceId === one.workspaceId &&
      other.proof !== undefined &&
      other.proof !== 'parent' &&
      other.domain !== domain &&
      isUnder(other.domain, domain) &&
      isUnder(one.domain, other.domain);
    return !listed.some(isBetween);
  });

const isPartOf = (one: ListedDomain, workspaceId: string, domain: string): boolean =>
  one.workspaceId === workspaceId && one.proof === 'parent' && one.domain !== domain && isUnder(one.domain, domain);

const othersAbove = (workspaceId: string, { domain, listed }: DomainSituation): ListedDomain[] =>
  listed.filter(
    (one) => one.workspaceId !== workspaceId && one.proof && one.domain !== domain && isUnder(domain, one.domain),
  );

/** Subdomains that others hold by their own proof; those from before domains had holders change nothing. */
const subdomainsOfOthers = (workspaceId: string, { domain, listed }: Pick<DomainSituation, 'domain' | 'listed'>) =>
  listed.flatMap((one) => {
    const isOthers = one.workspaceId !== workspaceId && one.domain !== domain && isUnder(one.domain, domain);
    return isOthers && one.proof && one.proof !== 'parent' ? [one.domain] : [];
  });

const overtakenClaim = (domain: string): ServiceError =>
  new ServiceError('conflict', {
    text: text({
      en: `Who holds "${domain}" has just changed: try again.`,
      fr: `Le détenteur de « ${domain} » a changé entre-temps : réessayez.`,
    }),
    retryAfterSeconds: 1,
  });
