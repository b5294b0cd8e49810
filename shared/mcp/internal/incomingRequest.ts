import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { repeatedNames } from '../../domain/encoding.ts';
import { headerOf } from '../../http/authenticate.ts';
import { TransportError } from '../../http/response.ts';
import { textsOf } from '../../language/text.ts';
import { publicUrl } from '../../platform/config.ts';

const texts = textsOf({
  host: {
    en: 'This service runs only on this machine and is not known by the host name of this request: use its own address.',
    fr: 'Ce service ne tourne que sur cette machine et n’est pas connu sous le nom d’hôte de cette requête : utilisez sa propre adresse.',
  },
  origin: {
    en: 'The "Origin" header is not a web origin.',
    fr: 'L’en-tête « Origin » n’est pas une origine web.',
  },
});

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The JSON-RPC message in the body; undefined when it is not JSON in UTF-8 (RFC 8259 section 8.1), or gives a name twice
 * (section 4), of which a caller may mean either.
 */
export function messageIn({ body, isBase64Encoded }: Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>): unknown {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (!isUtf8(bytes)) return undefined;
  try {
    const text = bytes.toString('utf8');
    const message: unknown = JSON.parse(text);
    return repeatedNames(text).length > 0 ? undefined : message;
  } catch {
    return undefined;
  }
}

/** The request for the protocol's own package, which refuses a body that is not JSON. */
export function requestOf(event: APIGatewayProxyEvent, message: unknown): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(event.headers ?? {})) {
    if (value !== undefined && isProtocolHeader(name)) headers.set(name, value.replace(/[^ -~]/g, '?'));
  }
  return new Request('http://mcp/', { method: 'POST', headers, ...(message === undefined && { body: 'no JSON' }) });
}

/** The headers that the protocol reads. The API key is not passed on, so that the package can never reveal it. */
const isProtocolHeader = (name: string): boolean => /^(accept|content-type|mcp-[\w-]+)$/i.test(name);

/**
 * Refuses DNS rebinding (MCP, Streamable HTTP, "Security Warning"): a web page whose host name resolves to this machine.
 * Its requests carry the attacker's host name; a deployment is only reachable by the names that API Gateway knows. Any
 * origin may call, since a browser adds no key by itself.
 */
export function checkOrigin(event: Pick<APIGatewayProxyEvent, 'headers'>): void {
  const [host, origin] = [headerOf(event, 'host'), headerOf(event, 'origin')];
  if (isLoopback(new URL(publicUrl()).hostname) && !isThisMachine(hostNameIn(host))) {
    throw new TransportError(403, texts.host);
  }
  if (origin !== '' && !isOrigin(origin)) throw new TransportError(403, texts.origin);
}

const hostNameIn = (host: string): string => URL.parse(`http://${host}`)?.hostname ?? '';

const isLoopback = (name: string): boolean => /^(localhost|[\w-]+\.localhost|127(\.\d+){3}|\[::1\])$/.test(name);

/** Containers call their host by a name under `internal`, which ICANN has reserved for private use. */
const isThisMachine = (name: string): boolean => isLoopback(name) || name.endsWith('.internal');

/** Serialised as browsers do (RFC 6454 section 6.2). A page without an origin, such as a local file, sends `null`. */
function isOrigin(text: string): boolean {
  return text === 'null' || URL.parse(text)?.origin === text || /^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+$/.test(text);
}
