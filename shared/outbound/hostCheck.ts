import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { isLoopbackAddress, isPublicAddress } from '../domain/ipAddress.ts';
import { hostOf } from '../domain/webAddress.ts';
import { SafeRequestError } from './safeRequestError.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Resolves a host name to all its current addresses. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export const systemResolver: Resolver = (hostname) => lookup(hostname, { all: true });

export function mayConnectTo(address: string, allowLoopback: boolean): boolean {
  return isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));
}

/**
 * A `lookup` for `net.connect` that fails when any address of the name is forbidden. The socket connects to the checked
 * address: no second look-up can answer another one (DNS rebinding).
 *
 * The package request-filtering-agent 3.2.1 fails our tests: it connects to ::7f00:1.
 */
export function guardedLookup(resolve: Resolver, allowLoopback: boolean): LookupFunction {
  return (hostname, options, callback) => {
    const checked = resolve(hostname).then((addresses) => {
      const [first] = addresses;
      if (!first) throw new SafeRequestError('dns');
      if (addresses.every(({ address }) => mayConnectTo(address, allowLoopback))) return { addresses, first };
      throw new SafeRequestError('blocked_address');
    });
    checked.then(
      ({ addresses, first }) =>
        options.all ? callback(null, [...addresses]) : callback(null, first.address, first.family),
      (error) => callback(error, ''),
    );
  };
}

const lookupTimeoutMilliseconds = 2000;

/**
 * Whether the host of a URL currently has a forbidden address, so that its webhook can be refused at once. False for a
 * name that does not resolve within two seconds: every delivery checks it again.
 */
export async function leadsToForbiddenAddress(
  url: string,
  allowLoopback: boolean,
  resolve: Resolver = systemResolver,
): Promise<boolean> {
  const none: Awaited<ReturnType<Resolver>> = [];
  const stop = new AbortController();
  const timeout = wait(lookupTimeoutMilliseconds, none, { signal: stop.signal }).catch(() => none);
  const resolved = resolve(hostOf(new URL(url))).catch(() => none);
  const addresses = await Promise.race([resolved, timeout]);
  stop.abort();
  return addresses.some(({ address }) => !mayConnectTo(address, allowLoopback));
}
