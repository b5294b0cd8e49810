import { Resolver } from 'node:dns/promises';
import type { DnsAnswer } from '../domain/dnsRecords.ts';

const timeoutMilliseconds = 3000;

/**
 * Queries DNS records, at `server` (address and optional port) or the system's resolver. The values are empty for a name
 * that does not exist, and null when the server does not answer in two tries of 3 seconds.
 */
export function dnsRecords(server?: string): (type: 'CNAME' | 'MX' | 'TXT', name: string) => Promise<DnsAnswer> {
  const resolver = new Resolver({ timeout: timeoutMilliseconds, tries: 2 });
  if (server) resolver.setServers([server]);
  const query = {
    CNAME: (name: string) => resolver.resolveCname(name),
    MX: async (name: string) => (await resolver.resolveMx(name)).map((mx) => `${mx.priority} ${mx.exchange}`),
    TXT: async (name: string) => (await resolver.resolveTxt(name)).map((parts) => parts.join('')),
  };
  return async (type, name) => {
    try {
      return { name, values: await query[type](name) };
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      return { name, values: code === 'ENOTFOUND' || code === 'ENODATA' ? [] : null };
    }
  };
}
