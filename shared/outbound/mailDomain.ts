import { Resolver } from 'node:dns/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** The longest wait for DNS before a form is answered. */
const timeoutMilliseconds = 2000;

/** Node's codes for a name that does not exist, and for one without records of the type. */
const certainCodes: ReadonlySet<string> = new Set(['ENOTFOUND', 'ENODATA']);

type Records = Pick<Resolver, 'resolveMx' | 'resolve4' | 'resolve6' | 'cancel'>;

/**
 * False when a domain certainly accepts no mail: it has neither MX nor address records (RFC 5321 section 5.1), or a
 * null MX (RFC 7505). True in all other cases: a resolver that fails or takes over two seconds refuses no address.
 * `server`: `system` for the machine's resolver, else its address and optional port.
 */
export async function mayTakeMail(domain: string, server: string, resolver = resolverOf(server)): Promise<boolean> {
  const stop = new AbortController();
  const late = wait(timeoutMilliseconds, true, { signal: stop.signal }).catch(() => true);
  try {
    return await Promise.race([lookUp(domain, resolver), late]);
  } catch {
    return true;
  } finally {
    stop.abort();
    resolver.cancel();
  }
}

function resolverOf(server: string): Records {
  const resolver = new Resolver({ timeout: timeoutMilliseconds, tries: 1 });
  if (server !== 'system') resolver.setServers([server]);
  return resolver;
}

async function lookUp(domain: string, resolver: Records): Promise<boolean> {
  const exchanges = await recordsOf(resolver.resolveMx(domain));
  if (exchanges.length > 0) return exchanges.some(({ exchange }) => exchange !== '' && exchange !== '.');
  const addresses = await Promise.all([recordsOf(resolver.resolve4(domain)), recordsOf(resolver.resolve6(domain))]);
  return addresses.flat().length > 0;
}

/** Empty where there certainly are none; any other failure is thrown. */
async function recordsOf<Entry>(answer: Promise<Entry[]>): Promise<Entry[]> {
  try {
    return await answer;
  } catch (error) {
    if (certainCodes.has((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}
