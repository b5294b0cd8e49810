import * as client from 'openid-client';
import type { Language } from '../language/languages.ts';
import { config } from '../platform/config.ts';
import { authenticatedProvider, ProviderUnreachable, provider } from './provider.ts';

/** What the browser that begins must bring back when it returns: it alone can end what it began. */
export interface Transaction {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE (RFC 7636): a code is worth nothing without it. */
  readonly verifier: string;
}

/** Who somebody is, as the provider says. */
export interface Identity {
  readonly issuer: string;
  /** The provider's own name for them, which never changes and is never given to anybody else. */
  readonly subject: string;
  readonly email: string | null;
  /** Only an address that the provider has verified says anything of whoever signs in. */
  readonly isVerified: boolean;
}

/** The provider's answer is not what was asked for, or was given before. `code` is for the log. */
export class NotAuthorised extends Error {
  override readonly name = 'NotAuthorised';
  readonly code: string;

  constructor(code: string, options: ErrorOptions) {
    super(`The provider's answer does not let anybody in: ${code}.`, options);
    this.code = code;
  }
}

interface AuthorizationWanted {
  readonly redirectUri: string;
  readonly language: Language;
  /** Asks who they are even where the provider still knows somebody. */
  readonly isAnew: boolean;
}

/** Where a browser goes to be told who it is, anew or as whoever signed in there before (code flow with PKCE; OpenID Connect Core 1.0, section 3.1). */
export async function beginAuthorization({
  redirectUri,
  language,
  isAnew,
}: AuthorizationWanted): Promise<{ readonly url: string; readonly transaction: Transaction }> {
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
    // Cognito's name for the same (Developer Guide, "Managed login localization").
    lang: language,
    ...(isAnew && { prompt: 'login' }),
  });
  return { url: url.href, transaction };
}

/**
 * Exchanges the code that a browser brought back, and checks the ID token: issuer, audience, time, nonce, signature.
 * Throws `NotAuthorised` when anything of it is not as it was asked for, and `ProviderUnreachable`.
 */
export async function finishAuthorization(returned: URL, { state, nonce, verifier }: Transaction): Promise<Identity> {
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
    // Some providers tell of the address in their answer about the user alone (Core 1.0, section 5.4).
    const told =
      claims.email === undefined ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : claims;
    return { issuer: claims.iss, subject: claims.sub, ...addressIn(told) };
  } catch (error) {
    if (isAnswer(error)) throw new NotAuthorised(error.code ?? error.name, { cause: error });
    throw new ProviderUnreachable(error);
  }
}

/** Where the provider's own session ends, and with it the next sign-in without a word; null when it has no such place. */
export async function endOfSession(returnTo: string): Promise<string | null> {
  const configuration = await provider();
  if (!configuration.serverMetadata().end_session_endpoint) return null;
  return client.buildEndSessionUrl(configuration, {
    post_logout_redirect_uri: returnTo,
    // Cognito's name for the same (Developer Guide, "The managed login sign-out endpoint").
    logout_uri: returnTo,
    client_id: config('OIDC_CLIENT_ID'),
  }).href;
}

/** Some providers spell the boolean as a word. */
function addressIn(claims: { readonly [name: string]: unknown }): Pick<Identity, 'email' | 'isVerified'> {
  const { email, email_verified: verified } = claims;
  return { email: typeof email === 'string' ? email : null, isVerified: verified === true || verified === 'true' };
}

type Answer = Error & { readonly code?: string };

/** What the provider, or the browser on its behalf, answered; anything else is a fault on the way to it. */
const isAnswer = (error: unknown): error is Answer =>
  error instanceof client.AuthorizationResponseError ||
  error instanceof client.ResponseBodyError ||
  error instanceof client.WWWAuthenticateChallengeError ||
  error instanceof client.ClientError;
