import { ServiceError, ValidationError } from '../contract/errors.ts';
import type { Input, Output, Result } from '../contract/route.ts';
import type { addSuppressionRoute, listSuppressionRoute } from '../contract/routes/suppression.ts';
import { canonicalAddress } from '../domain/address.ts';
import { applyFeedback, leave } from '../domain/person/consent.ts';
import type { KnownAddress, Suppression, SuppressionReason, Via } from '../domain/person/person.ts';
import { removeFromSesSuppressionList } from '../email/sesSuppressionList.ts';
import { inParallel } from '../platform/parallel.ts';
import { findSuppressions, pageOfSuppressions, suppressionPosition } from '../store/person/suppressions.ts';
import {
  deletePlatformSuppression,
  findPlatformSuppressed,
  putPlatformSuppression,
} from '../store/suppression/platformSuppression.ts';
import { listWorkspaces } from '../store/workspace/workspaces.ts';
import type { Context, DeploymentContext } from './context.ts';
import { operatorVerb, personSubject } from './operatorVerb.ts';
import { type BulkOptions, changePerson, suppressionJson } from './people.ts';

/**
 * Adds an address to a workspace's suppression list, or to the platform's when `workspaceId` is null. Idempotent: the
 * first date stays, and only a higher-ranking reason replaces a reason. A subscriber of the workspace becomes `bounced`,
 * `complained` or `unsubscribed` in the same transaction.
 */
export async function suppress(
  workspaceId: string | null,
  email: string,
  reason: SuppressionReason,
  at: Date,
  via: Via = 'feedback',
  options: Pick<BulkOptions, 'lane' | 'listeners'> = {},
): Promise<void> {
  if (workspaceId === null) {
    await putPlatformSuppression(email, reason, at);
    return;
  }
  const isFeedback = reason === 'bounce' || reason === 'complaint';
  const decide = ({ person }: KnownAddress) => ({
    person: isFeedback ? applyFeedback(person, reason, at) : leave(person, reason, at),
    result: undefined,
  });
  await changePerson({ workspaceId, email }, via, at, decide, options);
}

/** Suppresses an address and unsubscribes its subscriber, whatever the reason. Returns the stored entry. */
export const addSuppression = /* @__PURE__ */ operatorVerb(
  { action: 'suppression.add', needs: 'change', subject: ({ email }) => personSubject(email), byKeys: 'unaudited' },
  async (
    { workspaceId, now }: Context,
    input: Input<typeof addSuppressionRoute>,
  ): Promise<Output<typeof addSuppressionRoute>> => {
    const email = canonicalAddress(input.email);
    if (!email) throw new Error('A validated address did not parse.');
    const entry = await changePerson({ workspaceId, email }, 'api', now, ({ person: before }) => {
      const person = leave(before, input.reason, now);
      return { person, result: person.suppression };
    });
    if (!entry) throw new Error('A suppressed address has no suppression.');
    return suppressionJson({ email, reason: entry.reason, scope: 'organization', createdAt: entry.at });
  },
);

/** A page of the workspace's list, or the entries of one address on both lists. The platform's list has no other view. */
export async function listSuppression(
  { workspaceId }: Context,
  input: Input<typeof listSuppressionRoute>,
): Promise<Result<typeof listSuppressionRoute>> {
  const email = input.email === undefined ? null : canonicalAddress(input.email);
  const { limit, after } = input;
  const position = after === undefined || email ? undefined : await suppressionPosition(workspaceId, after);
  if (position === null) throw new ValidationError([{ path: 'after', text: unknownEntry }]);
  const page = email
    ? { entries: ownFirst(await findSuppressions(workspaceId, [email])), next: null }
    : await pageOfSuppressions(workspaceId, { limit, after: position });
  return { entries: page.entries.map(suppressionJson), next: page.next };
}

const unknownEntry = {
  en: 'is not an address of this list',
  fr: 'n’est pas une adresse de cette liste',
};

const ownFirst = (entries: Suppression[]): Suppression[] =>
  entries.sort((a, b) => Number(a.scope === 'platform') - Number(b.scope === 'platform'));

/**
 * Removes an address (canonical form) from the workspace's list and returns its reason. It is removed at SES first,
 * whose list would put it back with the next send. But SES's list belongs to the account, so an entry that another
 * workspace or the platform relies on stays (`kept_at_ses`). The subscriber's status stays, and no event is emitted.
 * Throws `not_found`.
 */
export const removeSuppression = /* @__PURE__ */ operatorVerb(
  {
    action: 'suppression.remove',
    needs: 'change',
    subject: ({ email }) => personSubject(email),
    note: ({ why }) => why,
  },
  async (context: Context, { email }: { readonly email: string; readonly why?: string | undefined }) => {
    const { workspaceId, now } = context;
    const own = await findSuppressions(workspaceId, [email]);
    if (!own.some(({ scope }) => scope === 'organization')) throw notOnList(email);
    const isKept = await isReliedOn(workspaceId, email);
    if (!isKept) await removeFromSesSuppressionList(email);
    const reason = await changePerson({ workspaceId, email }, 'api', now, ({ person }) => ({
      person: person.suppression ? { ...person, suppression: null } : person,
      result: person.suppression?.reason,
    }));
    if (!reason) throw notOnList(email);
    const removed = { object: 'suppression' as const, email, reason, scope: 'organization' as const, deleted: true };
    return { ...removed, kept_at_ses: isKept };
  },
);

const notOnList = (email: string): ServiceError =>
  new ServiceError('not_found', {
    text: {
      en: `"${email}" is not on the suppression list of this workspace.`,
      fr: `« ${email} » n’est pas sur la liste d’exclusion de cet espace.`,
    },
  });

const workspacesAtOnce = 10;

/** True when another workspace or the platform has a bounce or a complaint of the address. */
async function isReliedOn(workspaceId: string, email: string): Promise<boolean> {
  const ids = (await listWorkspaces()).map(({ id }) => id).filter((id) => id !== workspaceId);
  // A workspace's lookup also finds the platform's entry; this one is for deployments without another workspace.
  const found = await inParallel(workspacesAtOnce, [workspaceId, ...ids], (id) => findSuppressions(id, [email]));
  return found.some((entries, index) =>
    entries.some(
      ({ scope, reason }) => scope === 'platform' || (index > 0 && (reason === 'bounce' || reason === 'complaint')),
    ),
  );
}

/** Suppresses an address (canonical form) for every workspace. */
export const addToPlatform = /* @__PURE__ */ operatorVerb(
  { action: 'platform_suppression.add', needs: 'platform', subject: ({ email }) => personSubject(email) },
  async (
    context: DeploymentContext,
    { email, reason }: { readonly email: string; readonly reason: SuppressionReason },
  ) => {
    await suppress(null, email, reason, context.now);
    return { object: 'suppression' as const, email, reason, scope: 'platform' as const };
  },
);

/** Removes an address (canonical form) from the platform's list, at SES first. Throws `not_found`. */
export const removeFromPlatform = /* @__PURE__ */ operatorVerb(
  { action: 'platform_suppression.remove', needs: 'platform', subject: ({ email }) => personSubject(email) },
  async (_context: DeploymentContext, { email }: { readonly email: string }) => {
    const isListed = (await findPlatformSuppressed([email], { consistent: true })).has(email);
    if (isListed) await removeFromSesSuppressionList(email);
    const removed = isListed ? await deletePlatformSuppression(email) : null;
    if (removed) {
      const { reason, scope } = removed;
      return { object: 'suppression' as const, email, reason, scope, deleted: true, kept_at_ses: false };
    }
    throw new ServiceError('not_found', {
      text: {
        en: `"${email}" is not on the suppression list of the platform.`,
        fr: `« ${email} » n’est pas sur la liste d’exclusion de la plateforme.`,
      },
    });
  },
);
