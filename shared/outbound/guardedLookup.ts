import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from '../domain/network/publicAddress.ts';
import { SafeRequestError } from './safeRequestError.ts';

export interface ResolvedAddress {
  readonly address: string;
  readonly family: number;
}

/** Every address that a name has now. */
export type Resolver = (hostname: string) => Promise<readonly ResolvedAddress[]>;

export const systemResolver: Resolver = (hostname) => lookup(hostname, { all: true });

export function mayConnectTo(address: string, allowLoopback: boolean): boolean {
  return isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address));
}

// request-filtering-agent 3.2.1 does not hold under these tests: it connects to ::7f00:1, and once IPv6 ranges are
// denied to close that, it logs a warning for each IPv4 address; its refusals have no code.

/**
 * A `lookup` for `net.connect` that fails when any of a name's addresses may not be reached. The socket connects to
 * what was checked here, without a second look-up that could answer something else (DNS rebinding).
 */
export function guardedLookup(resolve: Resolver, allowLoopback: boolean): LookupFunction {
  return (hostname, options, callback) => {
    const answer = resolve(hostname).then((addresses) => {
      const [first] = addresses;
      if (!first) throw new SafeRequestError('dns');
      if (addresses.every(({ address }) => mayConnectTo(address, allowLoopback))) return { addresses, first };
      throw new SafeRequestError('blocked_address');
    });
    answer.then(
      ({ addresses, first }) =>
        options.all ? callback(null, [...addresses]) : callback(null, first.address, first.family),
      (error) => callback(error, ''),
    );
  };
}
