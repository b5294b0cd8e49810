import { canonicalAddress } from '../../../domain/address/canonicalAddress.ts';
import { finishAuthorization, type Identity, NotAuthorised } from '../../../identity/authorization.ts';
import { ProviderUnreachable } from '../../../identity/provider.ts';
import { logger } from '../../../platform/logger.ts';
import { listStoredOperators, noteSignIn, type StoredOperator } from '../../../store/operator/operators.ts';
import type { OperatorActor, PublicContext } from '../../context.ts';
import { createSession } from '../session.ts';
import { noted } from '../verb.ts';
import { returnUrl } from './beginSignIn.ts';
import { openTransaction } from './transaction.ts';

/**
 * Why somebody is not let in. `interrupted`: begun elsewhere, too long ago, given up, or the answer is none to what was
 * asked. `unreachable`: the provider cannot be asked. `unverified`: it does not vouch for the address. `uninvited`:
 * nobody of that address was invited. `taken`: somebody else of that address has signed in before.
 */
export type Refusal = 'interrupted' | 'unreachable' | 'unverified' | 'uninvited' | 'taken';

type Entered = { readonly token: string; readonly back: string } | { readonly refusal: Refusal };

export interface Returned {
  /** What the browser kept since it began; empty when it kept nothing. */
  readonly transaction: string;
  /** What the provider gave it for us. */
  readonly query: URLSearchParams;
}

/** The session of whoever comes back from the provider, if they were invited. */
export async function finishSignIn({ now }: PublicContext, { transaction, query }: Returned): Promise<Entered> {
  const underWay = await openTransaction(transaction, now);
  if (!underWay) return { refusal: 'interrupted' };
  const identity = await identityOf(query, underWay);
  if (typeof identity === 'string') return { refusal: identity };
  const found = invitationOf(identity, await listStoredOperators());
  if (typeof found === 'string') return { refusal: found };
  const operator = await noteSignIn(found, identity, now);
  // Removed, or invited anew, since they were read.
  if (!operator) return { refusal: 'interrupted' };
  const { id, email, role, workspaceId } = operator;
  const actor: OperatorActor = { kind: 'operator', door: 'console', name: email, role, workspaceId };
  const token = await noted({ actor, workspaceId, now }, { action: 'operator.sign_in', subject: null }, () =>
    createSession(actor, now, { id, email }),
  );
  return { token, back: underWay.back };
}

async function identityOf(
  query: URLSearchParams,
  transaction: NonNullable<Awaited<ReturnType<typeof openTransaction>>>,
): Promise<Identity | Refusal> {
  try {
    return await finishAuthorization(new URL(`${returnUrl()}?${query}`), transaction);
  } catch (error) {
    if (error instanceof ProviderUnreachable) {
      logger.error(error.message, error);
      return 'unreachable';
    }
    if (!(error instanceof NotAuthorised)) throw error;
    logger.info('A sign-in was not finished.', { code: error.code });
    return 'interrupted';
  }
}

/**
 * Who they are to the provider comes first: whoever signed in once stays the same person, whatever becomes of their
 * address, and whoever is given that address later is not them. What another provider called somebody counts for nothing.
 */
function invitationOf(
  { issuer, subject, email, isVerified }: Identity,
  operators: readonly StoredOperator[],
): StoredOperator | Refusal {
  const known = operators.find(({ identity }) => identity?.issuer === issuer && identity.subject === subject);
  if (known) return known;
  if (!isVerified) return 'unverified';
  const address = email === null ? null : canonicalAddress(email);
  const invited = operators.find((operator) => operator.email === address);
  if (!invited) return 'uninvited';
  return invited.identity?.issuer === issuer ? 'taken' : invited;
}
