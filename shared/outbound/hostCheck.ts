import { setTimeout as wait } from 'node:timers/promises';
import { hostOf } from '../domain/network/hostName.ts';
import { mayConnectTo, type Resolver, systemResolver } from './guardedLookup.ts';

const patienceMilliseconds = 2000;

/**
 * True when a URL's host has an address now that may not be contacted, so that the caller hears of it at once. A name
 * that does not resolve (yet), or not in two seconds, is no refusal: every attempt looks again.
 */
export async function leadsToForbiddenAddress(
  url: string,
  allowLoopback: boolean,
  resolve: Resolver = systemResolver,
): Promise<boolean> {
  const nothing: Awaited<ReturnType<Resolver>> = [];
  const stop = new AbortController();
  const late = wait(patienceMilliseconds, nothing, { signal: stop.signal }).catch(() => nothing);
  const found = resolve(hostOf(new URL(url))).catch(() => nothing);
  const addresses = await Promise.race([found, late]);
  stop.abort();
  return addresses.some(({ address }) => !mayConnectTo(address, allowLoopback));
}
