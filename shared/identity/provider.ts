import { readFile } from 'node:fs/promises';
import * as client from 'openid-client';
import { secretValue } from '../platform/aws/secretValue.ts';
import { config, hasConfig } from '../platform/config.ts';
import { currentDeadline } from '../platform/deadline.ts';

/** How long a container trusts what the provider says of itself: its addresses change once in years, its keys in days. */
const trustedMilliseconds = 60 * 60_000;
const answerSeconds = 8;

/** Whether this deployment has an OpenID Connect provider. */
export const hasProvider = (): boolean => hasConfig('OIDC_ISSUER') && hasConfig('OIDC_CLIENT_ID');

interface Known {
  readonly of: string;
  readonly until: number;
  readonly configuration: Promise<client.Configuration>;
}
const known: { asked?: Known; authenticated?: Known } = {};

/** The provider does not answer, or not as one does: nobody can sign in until it does. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable';

  constructor(cause: unknown) {
    super('The provider of sign-ins cannot be asked.', { cause });
  }
}

/** What the provider says of itself (OpenID Connect Discovery 1.0), asked for once an hour. Throws `ProviderUnreachable`. */
export const provider = (): Promise<client.Configuration> => remembered('asked', discovered);

/**
 * The same, and how this client shows who it is: for exchanging a code alone, as only the function that signs in may read
 * the client's secret. Throws `ProviderUnreachable`.
 */
export const authenticatedProvider = (): Promise<client.Configuration> => remembered('authenticated', authenticated);

function remembered(
  name: keyof typeof known,
  make: () => Promise<client.Configuration>,
): Promise<client.Configuration> {
  const of = `${config('OIDC_ISSUER')} ${config('OIDC_CLIENT_ID')}`;
  const earlier = known[name];
  if (earlier?.of === of && Date.now() < earlier.until) return earlier.configuration;
  const fresh: Known = { of, until: Date.now() + trustedMilliseconds, configuration: make().catch(unreachable) };
  known[name] = fresh;
  fresh.configuration.catch(() => {
    if (known[name] === fresh) delete known[name];
  });
  return fresh.configuration;
}

const unreachable = (cause: unknown): never => {
  throw cause instanceof ProviderUnreachable ? cause : new ProviderUnreachable(cause);
};

function discovered(): Promise<client.Configuration> {
  const issuer = new URL(config('OIDC_ISSUER'));
  // Discovery needs no authentication; how the client does so is for the provider to say.
  return client.discovery(issuer, config('OIDC_CLIENT_ID'), undefined, client.None(), {
    timeout: answerSeconds,
    [client.customFetch]: withinDeadline,
    execute: isLoopback() ? [client.allowInsecureRequests] : [],
  });
}

async function authenticated(): Promise<client.Configuration> {
  const [found, secret] = await Promise.all([provider(), clientSecret()]);
  const metadata = found.serverMetadata();
  const own = new client.Configuration(metadata, config('OIDC_CLIENT_ID'), undefined, authentication(metadata, secret));
  own.timeout = answerSeconds;
  own[client.customFetch] = withinDeadline;
  // Signatures of ID tokens are checked also where the connection would vouch for them.
  client.enableNonRepudiationChecks(own);
  if (isLoopback()) client.allowInsecureRequests(own);
  return own;
}

const isLoopback = (): boolean => config('ALLOW_LOOPBACK') && new URL(config('OIDC_ISSUER')).hostname === '127.0.0.1';

async function clientSecret(): Promise<string | null> {
  if (hasConfig('OIDC_CLIENT_SECRET_FILE')) {
    return (await readFile(config('OIDC_CLIENT_SECRET_FILE'), 'utf8')).trim();
  }
  return hasConfig('OIDC_CLIENT_SECRET_ID') ? secretValue(config('OIDC_CLIENT_SECRET_ID')) : null;
}

/** HTTP Basic where the provider names nothing: that is what leaving it out means (Discovery 1.0, section 3). */
function authentication(metadata: client.ServerMetadata, secret: string | null): client.ClientAuth {
  if (secret === null) return client.None();
  const known = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return known.includes('client_secret_basic') ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
}

/** No answer is waited for beyond the time of the call that wants it. */
function withinDeadline(url: string, options: client.CustomFetchOptions): Promise<Response> {
  const signals = [options.signal, currentDeadline().signal].filter((signal) => signal !== undefined);
  return fetch(url, { ...options, signal: AbortSignal.any(signals) } as RequestInit);
}
