import * as z from 'zod';
import { consolePaths } from '../../contract/endpoints.ts';
import { canonicalAddress } from '../../domain/address.ts';
import {
  beginAuthorization,
  endOfSession as endAtProvider,
  finishAuthorization,
  NotAuthorised,
  type OperatorIdentity,
  type Transaction,
} from '../../identity/authorization.ts';
import { hasProvider, ProviderUnreachable } from '../../identity/provider.ts';
import { addSeconds } from '../../platform/clock.ts';
import { publicUrl } from '../../platform/config.ts';
import { logger } from '../../platform/logger.ts';
import { sign, verify } from '../../platform/secret.ts';
import { listStoredOperators, noteSignIn, type StoredOperator } from '../../store/operators.ts';
import type { OperatorActor, PublicContext } from '../context.ts';
import { audited } from '../operatorVerb.ts';
import { createSession } from './session.ts';

/** Whether operators sign in at an OpenID Connect provider. Without one they sign in by a link. */
export const signsInAtProvider = hasProvider;

/** The redirect URI that is registered at the provider. */
const returnUrl = (): string => `${publicUrl()}${consolePaths.returning}`;

interface SignInRequest {
  /** The page to open after the sign-in. */
  readonly back: string;
  /** Asks for the password even during a session of the provider. */
  readonly isAnew: boolean;
}

/** The provider's URL to sign in, and the transaction that the browser must return. Null while the provider is unreachable. */
export async function beginSignIn(
  { now, language }: PublicContext,
  { back, isAnew }: SignInRequest,
): Promise<{ readonly url: string; readonly transaction: string } | null> {
  try {
    const { url, transaction } = await beginAuthorization({ redirectUri: returnUrl(), language, isAnew });
    return { url, transaction: await sealTransaction({ ...transaction, back }, now) };
  } catch (error) {
    if (!(error instanceof ProviderUnreachable)) throw error;
    logger.error(error.message, error);
    return null;
  }
}

/**
 * Why a sign-in is refused. `interrupted`: it began in another browser, expired, was cancelled, or the provider's answer
 * does not match the request. `unverified`: the provider has not verified the address. `uninvited`: the address was not
 * invited. `taken`: another account with this address has signed in before.
 */
export type SignInRefusal = 'interrupted' | 'unreachable' | 'unverified' | 'uninvited' | 'taken';

type SignInResult = { readonly token: string; readonly back: string } | { readonly refusal: SignInRefusal };

interface SignInReturn {
  /** The transaction that the browser kept; empty when it kept none. */
  readonly transaction: string;
  /** The provider's answer. */
  readonly query: URLSearchParams;
}

/** Creates a session for an invited person who comes back from the provider. */
export async function finishSignIn(
  { now }: PublicContext,
  { transaction, query }: SignInReturn,
): Promise<SignInResult> {
  const pending = await openTransaction(transaction, now);
  if (!pending) return { refusal: 'interrupted' };
  const identity = await identityOf(query, pending);
  if (typeof identity === 'string') return { refusal: identity };
  const invited = invitationOf(identity, await listStoredOperators());
  if (typeof invited === 'string') return { refusal: invited };
  const operator = await noteSignIn(invited, identity, now);
  // The operator was removed or invited again in the meantime.
  if (!operator) return { refusal: 'interrupted' };
  const { id, email, role, workspaceId } = operator;
  const actor: OperatorActor = { kind: 'operator', entryPoint: 'console', name: email, role, workspaceId };
  const token = await audited({ actor, workspaceId, now }, { action: 'operator.sign_in', subject: null }, () =>
    createSession(actor, now, { id, email }),
  );
  return { token, back: pending.back };
}

async function identityOf(
  query: URLSearchParams,
  transaction: NonNullable<Awaited<ReturnType<typeof openTransaction>>>,
): Promise<OperatorIdentity | SignInRefusal> {
  try {
    return await finishAuthorization(new URL(`${returnUrl()}?${query}`), transaction);
  } catch (error) {
    if (error instanceof ProviderUnreachable) {
      logger.error(error.message, error);
      return 'unreachable';
    }
    if (!(error instanceof NotAuthorised)) throw error;
    logger.info('A sign-in was not completed.', { code: error.code });
    return 'interrupted';
  }
}

/**
 * The provider's own name for an account (`subject`) comes first: after the first sign-in an operator keeps their access
 * when their address changes, and another account that gets the address has none. Identities at a previous provider do
 * not count.
 */
function invitationOf(
  { issuer, subject, email, isVerified }: OperatorIdentity,
  operators: readonly StoredOperator[],
): StoredOperator | SignInRefusal {
  const known = operators.find(({ identity }) => identity?.issuer === issuer && identity.subject === subject);
  if (known) return known;
  if (!isVerified) return 'unverified';
  const address = email === null ? null : canonicalAddress(email);
  const invited = operators.find((operator) => operator.email === address);
  if (!invited) return 'uninvited';
  return invited.identity?.issuer === issuer ? 'taken' : invited;
}

/**
 * The URL that ends the provider's own session (OpenID Connect RP-Initiated Logout 1.0) and returns to the console. Null
 * when the provider has none or is unreachable; the session of the console ends in any case.
 */
export async function endOfSession(): Promise<string | null> {
  try {
    return await endAtProvider(`${publicUrl()}/console`);
  } catch (error) {
    logger.warn('The provider’s sign-out URL could not be read.', error as Error);
    return null;
  }
}

/** Enough time for a second factor or to choose a first password. */
export const transactionSeconds = 15 * 60;

const payload = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** The page to open after the sign-in. */
  back: z.string(),
  /** Unix milliseconds. */
  until: z.number(),
});

/** Kept by the browser during the sign-in at the provider. */
interface PendingSignIn extends Transaction {
  readonly back: string;
}

/** A signed transaction. It is not stored: only the browser that began the sign-in has it. */
async function sealTransaction(pending: PendingSignIn, now: Date): Promise<string> {
  const until = addSeconds(now, transactionSeconds).getTime();
  const text = Buffer.from(JSON.stringify({ ...pending, until })).toString('base64url');
  return `${text}.${await sign('console', signedText(text))}`;
}

/** Null for a wrong signature or an expired transaction. */
async function openTransaction(token: string, now: Date): Promise<PendingSignIn | null> {
  const [text = '', signature = '', ...rest] = token.split('.');
  if (rest.length > 0 || !(await verify('console', signedText(text), signature))) return null;
  const { until, ...pending } = payload.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
  return until <= now.getTime() ? null : pending;
}

/** The prefix separates transactions from other signed texts of the same key. */
const signedText = (text: string): string => `transaction.${text}`;
