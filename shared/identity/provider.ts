import { readFile } from 'node:fs/promises';
import * as client from 'openid-client';
import { nowMilliseconds } from '../platform/clock.ts';
import { config, hasConfig } from '../platform/config.ts';
import { currentDeadline } from '../platform/deadline.ts';
import { secretValue } from '../platform/secret.ts';

/** How long a process caches the provider's metadata. Its URLs change rarely, its keys every few days. */
const cachedMilliseconds = 60 * 60_000;
const timeoutSeconds = 8;

/** Whether this deployment has an OpenID Connect provider. */
export const hasProvider = (): boolean => hasConfig('OIDC_ISSUER') && hasConfig('OIDC_CLIENT_ID');

interface CachedConfiguration {
  /** Issuer and client id. */
  readonly key: string;
  /** Unix milliseconds. */
  readonly until: number;
  readonly configuration: Promise<client.Configuration>;
}
const cache: { discovered?: CachedConfiguration; authenticated?: CachedConfiguration } = {};

/** The provider does not respond, or not as an OpenID provider: no sign-in is possible until it does. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable';

  constructor(cause: unknown) {
    super('The sign-in provider cannot be reached.', { cause });
  }
}

/** The provider's metadata (OpenID Connect Discovery 1.0), cached for an hour. Throws `ProviderUnreachable`. */
export const provider = (): Promise<client.Configuration> => cached('discovered', discover);

/**
 * The same with the client's authentication, for exchanging a code. Only the function that signs operators in may read
 * the client's secret. Throws `ProviderUnreachable`.
 */
export const authenticatedProvider = (): Promise<client.Configuration> => cached('authenticated', authenticate);

function cached(name: keyof typeof cache, load: () => Promise<client.Configuration>): Promise<client.Configuration> {
  const key = `${config('OIDC_ISSUER')} ${config('OIDC_CLIENT_ID')}`;
  const earlier = cache[name];
  if (earlier?.key === key && nowMilliseconds() < earlier.until) return earlier.configuration;
  const fresh: CachedConfiguration = {
    key,
    until: nowMilliseconds() + cachedMilliseconds,
    configuration: load().catch(unreachable),
  };
  cache[name] = fresh;
  fresh.configuration.catch(() => {
    if (cache[name] === fresh) delete cache[name];
  });
  return fresh.configuration;
}

const unreachable = (cause: unknown): never => {
  throw cause instanceof ProviderUnreachable ? cause : new ProviderUnreachable(cause);
};

function discover(): Promise<client.Configuration> {
  const issuer = new URL(config('OIDC_ISSUER'));
  // Discovery needs no authentication; the metadata then names the methods that the provider supports.
  return client.discovery(issuer, config('OIDC_CLIENT_ID'), undefined, client.None(), {
    timeout: timeoutSeconds,
    [client.customFetch]: withinDeadline,
    execute: isLoopback() ? [client.allowInsecureRequests] : [],
  });
}

async function authenticate(): Promise<client.Configuration> {
  const [discovered, secret] = await Promise.all([provider(), clientSecret()]);
  const metadata = discovered.serverMetadata();
  const own = new client.Configuration(metadata, config('OIDC_CLIENT_ID'), undefined, authentication(metadata, secret));
  own.timeout = timeoutSeconds;
  own[client.customFetch] = withinDeadline;
  // Checks the signatures of ID tokens although they come over TLS from the provider itself.
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

/** HTTP Basic is the default when the metadata names no method (Discovery 1.0, section 3). */
function authentication(metadata: client.ServerMetadata, secret: string | null): client.ClientAuth {
  if (secret === null) return client.None();
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic') ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret);
}

/** Requests end at the deadline of the invocation. */
function withinDeadline(url: string, options: client.CustomFetchOptions): Promise<Response> {
  const signals = [options.signal, currentDeadline().signal].filter((signal) => signal !== undefined);
  return fetch(url, { ...options, signal: AbortSignal.any(signals) } as RequestInit);
}
