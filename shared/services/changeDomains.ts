import { ServiceError, ValidationError } from '../contract/errors.ts';
import { domainOf } from '../domain/address.ts';
import { checkDmarc, checkRecord, dmarcNames, type ExpectedRecord, type RecordCheck } from '../domain/dnsRecords.ts';
import { toAsciiDomain } from '../domain/webAddress.ts';
import {
  type ClaimGround,
  type ClaimOutcome,
  isUnder,
  judgeClaim,
  ownershipRecord,
} from '../domain/workspace/domainOwnership.ts';
import type { Domain } from '../domain/workspace/workspace.ts';
import {
  type DomainIdentity,
  deleteDomainIdentity,
  ensureDomainIdentity,
  getDomainIdentity,
  setMailFrom,
  stopForwardingFeedback,
} from '../email/domainIdentity.ts';
import { type Text, text } from '../language/text.ts';
import { dnsRecords } from '../outbound/dnsRecords.ts';
import { withoutCredentials } from '../platform/logger.ts';
import { deliveryParts } from '../store/webhook/deliveries.ts';
import { listWebhooks } from '../store/webhook/webhooks.ts';
import { noteIdentity, putUnverified, putVerified } from '../store/workspace/domainHolders.ts';
import { putDomain } from '../store/workspace/workspaces.ts';
import type { Actor, Context, DeploymentContext } from './context.ts';
import {
  type DomainSituation,
  giveUpDomain,
  type ListedDomain,
  listAllDomains,
  readSituation,
  takeDomain,
} from './domainHolding.ts';
import { recordsToPublish, withStates } from './domains.ts';
import { dispatchDeliveries, newDeliveries } from './events.ts';
import { existingWorkspace } from './existingWorkspace.ts';
import { audited, mayDo, operatorVerb, requireOperator, requireRole } from './operatorVerb.ts';

export interface AddDomainInput {
  readonly name: string;
  /** Undefined: the one at SES, else `mail.<domain>`. Null: SES's own domain. */
  readonly mailFrom?: string | null | undefined;
}

/**
 * Registers a domain with SES and the workspace, turns off feedback by mail and sets a MAIL FROM domain. Idempotent. An
 * operator of the whole deployment gives the workspace the domain by this call; for others it stays unverified until
 * its owner has published the workspace's TXT record, for keys a subdomain of its own domains too. If SES refuses one of the last two steps, mail can be sent all
 * the same, so they are returned as `problems`.
 */
export const addDomain = /* @__PURE__ */ operatorVerb(
  { action: 'domain.add', needs: 'own', subject: ({ name }) => name, byKeys: 'audited' },
  async (context: Context, input: AddDomainInput) => {
    const { actor, now } = context;
    const domain = domainName(input.name);
    const mailFrom = input.mailFrom && mailFromName(input.mailFrom, domain);
    const workspace = await existingWorkspace(context.workspaceId);
    const isByPlatform = actor.kind === 'operator' && mayDo(actor, 'platform');
    const claim = isByPlatform ? ('operator' as const) : null;
    const situation = await readSituation(domain);
    const { kind } = judgeClaim(workspace.id, situation.holdings, claim);
    if (kind === 'taken' || (kind === 'of_parent' && isByPlatform)) throw heldElsewhere(situation, isByPlatform);
    // The identity is that of the parent's holder, who alone may change it.
    if (kind === 'of_parent') {
      await putDomain(workspace.id, domain, null, now);
      const records = withStates([ownershipRecord(workspace.id, domain)], {}, null);
      return { ...unknownStatus(domain), records, problems: [] };
    }
    const identity = await registeredIdentity(domain);
    const known = workspace.domains.find((one) => one.domain === domain);
    // That it is verified is stored afterwards, with the event that reports it.
    const verifiedAt = identity.verified ? undefined : null;
    const isLeft = isUnshown(actor, kind, claim);
    const { isHeld } = isLeft
      ? { isHeld: false }
      : await takeDomain(workspace.id, situation, { claim, verifiedAt, now });
    const isVerified = isHeld && identity.verified;
    if (!isHeld) await putDomain(workspace.id, domain, null, now);
    else if (!isVerified) await putUnverified({ workspaceId: workspace.id, domain });
    else if (!known?.verified) await storeVerified(workspace.id, domain, identity, now);

    const newMailFrom = mailFrom === undefined ? (identity.mailFrom?.domain ?? `mail.${domain}`) : mailFrom || null;
    // An identity that existed at SES before may serve others: it is configured once ownership is proved.
    const problems = isHeld || identity.isNew ? await configureIdentity(domain, identity, newMailFrom) : [];
    const configured = (await getDomainIdentity(domain)) ?? identity;
    const { domains } = await existingWorkspace(workspace.id);
    const listed = { domain, ...domains.find((one) => one.domain === domain) };
    const records = withStates(recordsToPublish(workspace.id, listed, configured), listed, configured);
    return { ...domainStatus(domain, { ...configured, verified: isVerified }), records, problems };
  },
);

/** A key shows the workspace's TXT record for every domain: holding a parent is not enough. */
const isUnshown = (actor: Actor, kind: ClaimOutcome['kind'], claim: ClaimGround): boolean =>
  actor.kind === 'key' && kind === 'claimable' && claim === null;

/** The identity at SES. Only one that this deployment registered may be deleted there later. */
async function registeredIdentity(domain: string): Promise<DomainIdentity & { readonly isNew: boolean }> {
  const identity = await ensureDomainIdentity(domain);
  if (identity.isNew) await noteIdentity(domain, true);
  return identity;
}

/** Assigns a domain to a workspace, even if another one has it: a decision of an operator of the whole deployment. */
export const assignDomain = /* @__PURE__ */ operatorVerb(
  { action: 'domain.assign', needs: 'platform', subject: ({ name }) => name },
  async (context: Context, { name }: { readonly name: string }) => {
    const { now } = context;
    const domain = domainName(name);
    const workspace = await existingWorkspace(context.workspaceId);
    const situation = await readSituation(domain);
    const identity = await registeredIdentity(domain);
    const verifiedAt = identity.verified ? undefined : null;
    await takeDomain(workspace.id, situation, { claim: 'decision', verifiedAt, now });
    const isKnown = workspace.domains.some((one) => one.domain === domain && one.verified);
    if (identity.verified && !isKnown) await storeVerified(workspace.id, domain, identity, now);
    return domainStatus(domain, identity);
  },
);

/**
 * For operators of the whole deployment: domains that several workspaces have, and subdomains of another workspace's
 * domain, from the time before domains had holders. Nothing changes for them until `assignDomain` is called.
 */
export async function listDomainConflicts(context: DeploymentContext) {
  requireOperator(context, 'platform');
  const held = (await listAllDomains()).filter(({ proof, isEnded }) => proof !== undefined && !isEnded);
  const shown = ({ workspaceId, workspaceName, domain }: ListedDomain) => ({
    id: workspaceId,
    name: workspaceName,
    domain,
  });
  return [...new Set(held.map(({ domain }) => domain))].sort().flatMap((domain) => {
    const own = held.filter((one) => one.domain === domain);
    const above = held.filter(
      (one) =>
        one.domain !== domain &&
        isUnder(domain, one.domain) &&
        !one.ceded?.some((subdomain) => isUnder(domain, subdomain)) &&
        own.some(({ workspaceId, proof }) => workspaceId !== one.workspaceId && proof === 'grandfathered'),
    );
    if (own.length < 2 && above.length === 0) return [];
    return [{ object: 'domain_conflict' as const, domain, workspaces: [...own, ...above].map(shown) }];
  });
}

/** Returns a sentence for each step that SES refused. */
async function configureIdentity(domain: string, identity: DomainIdentity, mailFrom: string | null): Promise<string[]> {
  const steps = [
    identity.forwardsFeedback && (['feedback forwarding by mail is still on', stopForwardingFeedback(domain)] as const),
    (identity.mailFrom?.domain ?? null) !== mailFrom &&
      (['the MAIL FROM domain was not set', setMailFrom(domain, mailFrom)] as const),
  ].filter((step) => step !== false);
  const results = await Promise.allSettled(steps.map(([, done]) => done));
  return results.flatMap((result, index) =>
    result.status === 'rejected'
      ? [`${steps[index]?.[0]}: ${withoutCredentials((result.reason as Error).message)}`]
      : [],
  );
}

export interface VerifyDomainInput {
  readonly name: string;
  /** Address of the DNS server to use instead of the system's resolver. */
  readonly resolver?: string | undefined;
  /** Whether to look up the other records too. */
  readonly isFull?: boolean;
}

/**
 * Looks for the workspace's TXT record, reads from SES whether the domain is verified, stores both (also when SES's
 * verification was lost), and looks up all records in DNS. A resolver that fails proves nothing and changes nothing.
 */
export async function verifyDomain(context: Context, { name, resolver, isFull = true }: VerifyDomainInput) {
  requireRole(context, 'change');
  const { now } = context;
  const domain = domainName(name);
  const workspace = await existingWorkspace(context.workspaceId);
  const known = workspace.domains.find((one) => one.domain === domain);
  if (!known) throw notAdded(domain);
  const lookUp = dnsRecords(resolver);
  const ownership = ownershipRecord(workspace.id, domain);
  const proved = checkRecord(ownership, await lookUp('TXT', ownership.name));
  const claim = proved.status === 'found' ? ('dns' as const) : null;
  const isHeld = await provedNow(context, known, claim);
  const identity = (await getDomainIdentity(domain)) ?? (isHeld ? await registeredIdentity(domain) : null);
  if (!identity) {
    if (known.proof !== undefined) throw notAdded(domain);
    const records = withStates([ownership], known, null);
    return { ...unknownStatus(domain), records, complete: false, checks: [proved] };
  }
  const isVerified = identity.verified && isHeld;
  if (isVerified && !known.verified) await storeVerified(workspace.id, domain, identity, now);
  // A domain that several workspaces have from before domains had holders stays theirs while SES has lost it.
  if (!isVerified && known.verified)
    await putUnverified({ workspaceId: workspace.id, domain }, isHeld ? known.proof : undefined);
  if (isHeld && known.proof === undefined) {
    await configureIdentity(domain, identity, identity.mailFrom?.domain ?? `mail.${domain}`);
  }
  const check = async (record: ExpectedRecord): Promise<RecordCheck> =>
    record.purpose === 'dmarc'
      ? checkDmarc(record, await Promise.all(dmarcNames(domain).map((one) => lookUp('TXT', one))))
      : checkRecord(record, await lookUp(record.type, record.name));
  const { domains } = await existingWorkspace(workspace.id);
  const listed = { domain, ...domains.find((one) => one.domain === domain) };
  const expected = recordsToPublish(workspace.id, listed, identity);
  const looked = isFull ? expected : expected.filter(({ purpose }) => purpose === 'ownership');
  const checks = await Promise.all(looked.map((one) => (one.purpose === 'ownership' ? proved : check(one))));
  const complete = isFull && isVerified && checks.every(({ status }) => status === 'found');
  const records = withStates(expected, listed, identity);
  return { ...domainStatus(domain, { ...identity, verified: isVerified }), records, complete, checks };
}

/** Stores that a domain is verified, with its event. */
async function storeVerified(workspaceId: string, domain: string, identity: DomainIdentity, now: Date): Promise<void> {
  const listed = { domain, ...(await existingWorkspace(workspaceId)).domains.find((one) => one.domain === domain) };
  const records = withStates(recordsToPublish(workspaceId, listed, identity), listed, identity);
  const data = {
    ...{ object: 'domain', id: domain, name: domain, verified: true },
    ...{ mail_from: identity.mailFrom?.domain ?? null, records },
  };
  const event = {
    type: 'domain.verified',
    cause: `${workspaceId}#${domain}#${now.toISOString()}`,
    data,
    at: now,
  } as const;
  const deliveries = await newDeliveries(workspaceId, [event], () => listWebhooks(workspaceId));
  if (await putVerified({ workspaceId, domain }, now, deliveryParts(deliveries))) await dispatchDeliveries(deliveries);
}

/** Whether the workspace holds the domain, or holds it now because of a new proof, which the audit log records. */
async function provedNow(context: Context, { domain, proof }: Domain, claim: 'dns' | null): Promise<boolean> {
  const { actor, workspaceId, now } = context;
  if (proof !== undefined && proof !== 'grandfathered') return true;
  const situation = await readSituation(domain);
  const take = async () => (await takeDomain(workspaceId, situation, { claim, verifiedAt: undefined, now })).isHeld;
  const { kind } = judgeClaim(workspaceId, situation.holdings, claim);
  if (isUnshown(actor, kind, claim)) return false;
  if (kind !== 'claimable' || (actor.kind !== 'operator' && actor.kind !== 'key')) return take();
  return audited({ actor, workspaceId, now }, { action: 'domain.prove', subject: domain }, take);
}

/**
 * Releases a domain: the workspace can no longer send from it, and another may prove it. It is deleted at SES if this
 * deployment registered it and no held domain sends by it. Its senders must be removed first.
 */
export const removeDomain = /* @__PURE__ */ operatorVerb(
  { action: 'domain.remove', needs: 'own', subject: ({ name }) => name, byKeys: 'audited' },
  async (context: Context, input: { readonly name: string }) => {
    const domain = domainName(input.name);
    const { id, domains, senders } = await existingWorkspace(context.workspaceId);
    if (!domains.some((one) => one.domain === domain)) throw notAdded(domain);
    const left = domains.filter((one) => one.domain !== domain);
    const own = senders.filter(
      ({ email }) => isUnder(domainOf(email), domain) && !left.some((one) => isUnder(domainOf(email), one.domain)),
    );
    if (own.length > 0) throw hasSenders(domain, own.map(({ email }) => email).join(', '));
    const situation = await readSituation(domain);
    await giveUpDomain(id, situation);
    if (await isUnused(situation)) {
      await deleteDomainIdentity(domain);
      await noteIdentity(domain, false);
    }
    return { object: 'domain' as const, domain, deleted: true };
  },
);

/** Whether a released domain may be deleted at SES. Subdomains may need their parent's identity. */
async function isUnused({ domain, holders }: DomainSituation): Promise<boolean> {
  if (!holders.some((one) => one.domain === domain && one.isIdentityOurs)) return false;
  const left = await listAllDomains();
  return !left.some((one) => one.domain === domain || (one.proof !== undefined && isUnder(one.domain, domain)));
}

const notAdded = (domain: string) =>
  new ServiceError('not_found', {
    text: text({
      en: `The domain "${domain}" was not added to this workspace.`,
      fr: `Le domaine « ${domain} » n’a pas été ajouté à cet espace.`,
    }),
  });

const hasSenders = (domain: string, senders: string) =>
  new ServiceError('conflict', {
    text: text({
      en: `"${domain}" still has senders, remove them first: ${senders}.`,
      fr: `« ${domain} » a encore des expéditeurs, retirez-les d’abord : ${senders}.`,
    }),
  });

/** The ASCII form of a domain. Throws `validation_error`. */
function domainName(name: string): string {
  const domain = toAsciiDomain(name.trim());
  if (domain?.includes('.')) return domain;
  throw invalid('', {
    en: `"${name}" is not a domain name such as example.com`,
    fr: `« ${name} » n’est pas un nom de domaine comme example.com`,
  });
}

/** The ASCII form of a MAIL FROM domain, which must be a subdomain for SES. Throws `validation_error`. */
function mailFromName(name: string, domain: string): string {
  const mailFrom = domainName(name);
  if (mailFrom.endsWith(`.${domain}`)) return mailFrom;
  throw invalid('mail_from', {
    en: `"${name}" is not a subdomain of ${domain}, such as mail.${domain}`,
    fr: `« ${name} » n’est pas un sous-domaine de ${domain}, comme mail.${domain}`,
  });
}

const invalid = (path: string, text: Text) => new ValidationError([{ path, text }]);

const heldElsewhere = ({ domain, holdings }: DomainSituation, isByPlatform: boolean) => {
  const holders = (holdings.own ?? holdings.parent)?.workspaceIds.join(', ') ?? '';
  return new ServiceError('conflict', {
    text: isByPlatform
      ? text({
          en: `"${domain}" belongs to ${holders}: remove it there, or decide with "domain assign ${domain}".`,
          fr: `« ${domain} » appartient à ${holders} : retirez-le là-bas, ou décidez avec « domain assign ${domain} ».`,
        })
      : text({
          en: `"${domain}" belongs to another workspace of this deployment, which must remove it first.`,
          fr: `« ${domain} » appartient à un autre espace de ce déploiement, qui doit d’abord le retirer.`,
        }),
    details: { status: 'held' },
  });
};

/** A domain that SES does not know, or whose status is not this workspace's. */
const unknownStatus = (domain: string) => ({
  object: 'domain' as const,
  domain,
  verified: false,
  dkim_status: 'NOT_STARTED',
  mail_from: null,
  forwards_feedback: true,
});

/** A domain as operators see it. Statuses are SES's own: `PENDING`, `SUCCESS`, `FAILED` … */
function domainStatus(domain: string, identity: DomainIdentity) {
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
