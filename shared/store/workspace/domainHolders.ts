import * as z from 'zod';
import { type DomainProof, domainProofs, parentsOf } from '../../domain/workspace/domainOwnership.ts';
import { epochSeconds } from '../../platform/clock.ts';
import { batchGet } from '../table/batches.ts';
import { domainHolderKey, domainKey, rateWindowKey } from '../table/keys.ts';
import type { TransactionPart } from '../table/table.ts';
import { transact } from '../table/transaction.ts';
import { changeItem, changePart, checkPart, deletePart, upsertItem } from '../table/write.ts';
import type { DomainRecord } from './workspaces.ts';

/** One item for each domain of the deployment, so that two workspaces can never hold one. */
const record = z.object({
  domain: z.string(),
  /** Absent while no workspace holds it. */
  workspace_id: z.string().optional(),
  proof: z.enum(domainProofs).optional(),
  since: z.string().optional(),
  /** This deployment registered it with SES, so that it may delete it there. */
  identity_created: z.boolean().optional(),
});

type HolderRecord = z.input<typeof record>;

export interface DomainHolder {
  readonly domain: string;
  readonly workspaceId: string | null;
  readonly isIdentityOurs: boolean;
}

/** The items of a domain and its parents, strongly consistent, in one call. */
export async function findHolders(domain: string): Promise<DomainHolder[]> {
  const items = await batchGet([domain, ...parentsOf(domain)].map(domainHolderKey), { consistent: true });
  return items.map((item) => {
    const { domain: name, workspace_id = null, identity_created = false } = record.parse(item);
    return { domain: name, workspaceId: workspace_id, isIdentityOurs: identity_created };
  });
}

/** A domain in a workspace. */
interface WorkspaceDomain {
  readonly workspaceId: string;
  readonly domain: string;
}

interface DomainClaim extends WorkspaceDomain {
  readonly proof: DomainProof;
  /** Undefined leaves it unchanged. */
  readonly verifiedAt: Date | null | undefined;
  /** The current holder; null for none. */
  readonly before: string | null;
  /** Workspaces that have it until now, or as part of a parent, and lose it. */
  readonly losers: readonly WorkspaceDomain[];
  /** Parents that other workspaces hold. */
  readonly ceding: readonly WorkspaceDomain[];
  /** Subdomains that other workspaces hold. */
  readonly ceded: readonly string[];
}

/** More than any domain in use has; a transaction has at most 100 parts. */
const checkedParents = 20;

/**
 * Gives a domain to a workspace in one transaction: the domain's own item, the workspace's list, and the lists of those
 * that had it or hold a parent. False when a holder of the domain or of a parent has changed since it was read.
 */
export async function claimDomain(claim: DomainClaim, holders: readonly DomainHolder[], now: Date): Promise<boolean> {
  const { workspaceId, domain, proof, verifiedAt, before, losers, ceding, ceded } = claim;
  const verified = verifiedAt === undefined ? {} : { verified_at: verifiedAt?.toISOString() ?? null };
  const holderOf = (name: string) => holders.find((one) => one.domain === name)?.workspaceId ?? undefined;
  const own: TransactionPart[] =
    // A domain that is held with its parent has no holder of its own.
    proof === 'parent'
      ? [checkPart<HolderRecord>(domainHolderKey(domain), { expect: { workspace_id: undefined } })]
      : [
          changePart<HolderRecord>(domainHolderKey(domain), {
            set: { domain, workspace_id: workspaceId, proof, since: now.toISOString() },
            expect: { workspace_id: before ?? undefined },
          }),
        ];
  const refused = await transact([
    ...own,
    changePart<DomainRecord>(domainKey(workspaceId, domain), {
      set: { domain, proof, ...verified },
      setIfAbsent: { created_at: now.toISOString() },
      add: { ceded: new Set(ceded) },
    }),
    ...losers.map((place) =>
      changePart<DomainRecord>(domainKey(place.workspaceId, place.domain), {
        set: { verified_at: null },
        remove: ['proof'],
        if: [['pk', 'exists']],
      }),
    ),
    ...ceding.map((place) =>
      changePart<DomainRecord>(domainKey(place.workspaceId, place.domain), {
        add: { ceded: new Set([domain]) },
        if: [['pk', 'exists']],
      }),
    ),
    ...parentsOf(domain)
      .slice(0, checkedParents)
      .map((parent) =>
        checkPart<HolderRecord>(domainHolderKey(parent), { expect: { workspace_id: holderOf(parent) } }),
      ),
  ]);
  return refused === null;
}

/** Stores that SES has not verified a domain of a workspace. `proof` is stored where no item of the domain exists. */
export async function putUnverified(
  { workspaceId, domain }: WorkspaceDomain,
  proof?: DomainProof | undefined,
): Promise<void> {
  await changeItem<DomainRecord>(domainKey(workspaceId, domain), { set: { verified_at: null, proof } });
}

/**
 * Stores that a domain is verified, with the events that report it; false when it was verified already, or has become
 * another workspace's.
 */
export async function putVerified(
  { workspaceId, domain }: WorkspaceDomain,
  verifiedAt: Date,
  events: readonly TransactionPart[],
): Promise<boolean> {
  const verified = changePart<DomainRecord>(domainKey(workspaceId, domain), {
    set: { verified_at: verifiedAt.toISOString() },
    if: [
      ['proof', 'exists'],
      {
        any: [
          ['verified_at', 'absent'],
          ['verified_at', 'is null'],
        ],
      },
    ],
  });
  return (await transact([verified, ...events])) === null;
}

/** Adds subdomains that others hold to a domain of a workspace. */
export async function cedeSubdomains(
  { workspaceId, domain }: WorkspaceDomain,
  ceded: readonly string[],
): Promise<void> {
  await upsertItem<DomainRecord>(domainKey(workspaceId, domain), {
    add: { ceded: new Set(ceded) },
    if: [['pk', 'exists']],
  });
}

interface DomainRelease extends WorkspaceDomain {
  readonly isHolder: boolean;
  /** Subdomains that the workspace has as part of the domain. */
  readonly inherited: readonly string[];
  /** Parents to whose holders the domain returns. */
  readonly ceding: readonly WorkspaceDomain[];
}

/**
 * Takes a domain, and everything that depends on it, from a workspace in one transaction. False when its holder has
 * changed.
 */
export async function releaseDomain({ workspaceId, domain, ...release }: DomainRelease): Promise<boolean> {
  const refused = await transact([
    deletePart<DomainRecord>(domainKey(workspaceId, domain)),
    ...(release.isHolder
      ? [
          changePart<HolderRecord>(domainHolderKey(domain), {
            remove: ['workspace_id', 'proof', 'since'],
            expect: { workspace_id: workspaceId },
          }),
        ]
      : []),
    ...release.inherited.map((name) =>
      changePart<DomainRecord>(domainKey(workspaceId, name), {
        set: { verified_at: null },
        remove: ['proof'],
        if: [['pk', 'exists']],
      }),
    ),
    ...release.ceding.map((place) =>
      changePart<DomainRecord>(domainKey(place.workspaceId, place.domain), {
        takeOut: { ceded: new Set([domain]) },
        if: [['pk', 'exists']],
      }),
    ),
  ]);
  return refused === null;
}

const hourSeconds = 3600;

/** Counts a call about domains in the current hour. One write unit. */
export async function countDomainCall(
  subject: string,
  now: Date,
): Promise<{ readonly count: number; readonly resetsAt: number }> {
  const hour = Math.floor(epochSeconds(now) / hourSeconds);
  const change = { add: { calls: 1 }, set: { expires_at: (hour + 2) * hourSeconds } } as const;
  const item = await upsertItem<CallsRecord>(rateWindowKey(`domain#${subject}`, hour), change);
  return { count: Number(item?.calls ?? 1), resetsAt: (hour + 1) * hourSeconds };
}

/** Calls of an hour. */
interface CallsRecord {
  readonly calls: number;
  /** Unix seconds. */
  readonly expires_at: number;
}

/** Records that this deployment registered a domain with SES, or that SES no longer has it. */
export async function noteIdentity(domain: string, isOurs: boolean): Promise<void> {
  await upsertItem<HolderRecord>(domainHolderKey(domain), { set: { domain, identity_created: isOurs } });
}
