import type { APIGatewayProxyEvent } from 'aws-lambda';
import { headerOf } from '../http/credentials.ts';
import { TransportError } from '../http/wire.ts';
import { textsOf } from '../language/text.ts';
import { publicUrl } from '../platform/config.ts';

const texts = textsOf({
  host: {
    en: 'This service runs on this machine alone and is not known by the name of this request: call it by its own address.',
    fr: 'Ce service ne tourne que sur cette machine et n’est pas connu sous le nom de cette requête : appelez-le par sa propre adresse.',
  },
  origin: { en: 'The "Origin" header is no web origin.', fr: 'L’en-tête « Origin » n’est pas une origine web.' },
});

/**
 * Keeps out pages that had their own name lead to this machine (DNS rebinding; MCP, Streamable HTTP, "Security Warning"):
 * such a request names the attacker's host. A deployment is reached by the names that API Gateway has for it and by no
 * other. Any web page may call that has a key, since nothing but the key is an authority and no browser adds one.
 */
export function checkOrigin(event: Pick<APIGatewayProxyEvent, 'headers'>): void {
  const [host, origin] = [headerOf(event, 'host'), headerOf(event, 'origin')];
  if (isLoopback(new URL(publicUrl()).hostname) && !isOfThisMachine(hostNameIn(host)))
    throw new TransportError(403, texts.host);
  if (origin !== '' && !isOrigin(origin)) throw new TransportError(403, texts.origin);
}

const hostNameIn = (host: string): string => URL.parse(`http://${host}`)?.hostname ?? '';

const isLoopback = (name: string): boolean => /^(localhost|[\w-]+\.localhost|127(\.\d+){3}|\[::1\])$/.test(name);

/** How containers call the machine that they run on. Nobody can own a name under `internal`, which ICANN has set aside. */
const isOfThisMachine = (name: string): boolean => isLoopback(name) || name.endsWith('.internal');

/** Serialised as browsers do (RFC 6454 section 6.2); `null` is what a page without an origin sends, such as a file. */
function isOrigin(text: string): boolean {
  return text === 'null' || URL.parse(text)?.origin === text || /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(text);
}
