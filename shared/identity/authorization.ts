import * as client from 'openid-client';
import type { Language } from '../language/languages.ts';
import { config } from '../platform/config.ts';
import { authenticatedProvider, ProviderUnreachable, provider } from './provider.ts';

/** Kept by the browser that begins a sign-in; only this browser can complete it. */
export interface Transaction {
  readonly state: string;
  readonly nonce: string;
  /** The code verifier of PKCE (RFC 7636), without which a code cannot be exchanged. */
  readonly verifier: string;
}

/** A person’s identity at the provider. */
export interface OperatorIdentity {
  readonly issuer: string;
  /** The provider's identifier of the account, which never changes and is never reused. */
  readonly subject: string;
  readonly email: string | null;
  /** Whether the provider has verified the address; an unverified one proves nothing. */
  readonly isVerified: boolean;
}

/** The provider's response does not match the request, or was used before. `code` is for the log. */
export class NotAuthorised extends Error {
  override readonly name = 'NotAuthorised';
  readonly code: string;

  constructor(code: string, options: ErrorOptions) {
    super(`The provider's response is refused: ${code}.`, options);
    this.code = code;
  }
}

interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly language: Language;
  /** Asks for the password even during a session of the provider. */
  readonly isAnew: boolean;
}

/** The URL at which a browser signs in (authorization code flow with PKCE; OpenID Connect Core 1.0, section 3.1). */
export async function beginAuthorization({
  redirectUri,
  language,
  isAnew,
}: AuthorizationRequest): Promise<{ readonly url: string; readonly transaction: Transaction }> {
  const verifier = client.randomPKCECodeVerifier();
  const transaction = { state: client.randomState(), nonce: client.randomNonce(), verifier };
  const url = client.buildAuthorizationUrl(await provider(), {
    redirect_uri: redirectUri,
    scope: 'openid email',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: transaction.state,
    nonce: transaction.nonce,
    ui_locales: language,
    // Cognito's name for `ui_locales` (Developer Guide, "Managed login localization").
    lang: language,
    ...(isAnew && { prompt: 'login' }),
  });
  return { url: url.href, transaction };
}

/**
 * Exchanges the code that a browser returned, and checks the ID token: issuer, audience, time, nonce and signature.
 * Throws `NotAuthorised` when a check fails, and `ProviderUnreachable`.
 */
export async function finishAuthorization(
  returned: URL,
  { state, nonce, verifier }: Transaction,
): Promise<OperatorIdentity> {
  const configuration = await authenticatedProvider();
  try {
    const tokens = await client.authorizationCodeGrant(configuration, returned, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new Error('There is no ID token.');
    // Some providers return the address only from the UserInfo endpoint (Core 1.0, section 5.4).
    const user =
      claims.email === undefined ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
    return { issuer: claims.iss, subject: claims.sub, ...addressIn(user) };
  } catch (error) {
    if (isProviderError(error)) throw new NotAuthorised(error.code ?? error.name, { cause: error });
    throw new ProviderUnreachable(error);
  }
}

/** The URL that ends the provider's own session; null when the provider has none. */
export async function endOfSession(returnTo: string): Promise<string | null> {
  const configuration = await provider();
  if (!configuration.serverMetadata().end_session_endpoint) return null;
  return client.buildEndSessionUrl(configuration, {
    post_logout_redirect_uri: returnTo,
    // Cognito's name for `post_logout_redirect_uri` (Developer Guide, "The managed login sign-out endpoint").
    logout_uri: returnTo,
    client_id: config('OIDC_CLIENT_ID'),
  }).href;
}

/** Some providers return the boolean as a string. */
function addressIn(claims: { readonly [name: string]: unknown }): Pick<OperatorIdentity, 'email' | 'isVerified'> {
  const { email, email_verified: verified } = claims;
  return { email: typeof email === 'string' ? email : null, isVerified: verified === true || verified === 'true' };
}

type ProviderError = Error & { readonly code?: string };

/** An error in the provider's response; any other error means that the provider could not be reached. */
const isProviderError = (error: unknown): error is ProviderError =>
  error instanceof client.AuthorizationResponseError ||
  error instanceof client.ResponseBodyError ||
  error instanceof client.WWWAuthenticateChallengeError ||
  error instanceof client.ClientError;
