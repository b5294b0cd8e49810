import { consolePaths } from '../../../contract/pages.ts';
import { beginAuthorization } from '../../../identity/authorization.ts';
import { hasProvider, ProviderUnreachable } from '../../../identity/provider.ts';
import { publicUrl } from '../../../platform/config.ts';
import { logger } from '../../../platform/logger.ts';
import type { PublicContext } from '../../context.ts';
import { sealTransaction } from './transaction.ts';

/** Whether operators sign in at an OpenID Connect provider; where there is none they do by a link. */
export const signsInAtProvider = hasProvider;

/** Where the provider sends browsers back to; it knows this address and no other. */
export const returnUrl = (): string => `${publicUrl()}${consolePaths.returning}`;

export interface SignInBegun {
  /** The page that was wanted. */
  readonly back: string;
  /** Asks who they are even where the provider still knows somebody. */
  readonly isAnew: boolean;
}

/** Where somebody goes to sign in, and what their browser must bring back. Null while the provider cannot be asked. */
export async function beginSignIn(
  { now, language }: PublicContext,
  { back, isAnew }: SignInBegun,
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
