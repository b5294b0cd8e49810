import { Resolver } from 'node:dns/promises';
import type { DnsAnswer } from '../domain/dns/recordCheck.ts';

const timeoutMilliseconds = 3000;

/**
 * Asks DNS for records; `server` (an address, with a port if it is not 53) instead of the machine's own. A name that
 * does not exist has no values; a server that does not answer within two tries of 3 seconds gives null.
 */
export function dnsRecords(server?: string): (type: 'CNAME' | 'MX' | 'TXT', name: string) => Promise<DnsAnswer> {
  const resolver = new Resolver({ timeout: timeoutMilliseconds, tries: 2 });
  if (server) resolver.setServers([server]);
  const ask = {
    CNAME: (name: string) => resolver.resolveCname(name),
    MX: async (name: string) => (await resolver.resolveMx(name)).map((mx) => `${mx.priority} ${mx.exchange}`),
    TXT: async (name: string) => (await resolver.resolveTxt(name)).map((parts) => parts.join('')),
  };
  return async (type, name) => {
    try {
      return { name, values: await ask[type](name) };
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      return { name, values: code === 'ENOTFOUND' || code === 'ENODATA' ? [] : null };
    }
  };
}
