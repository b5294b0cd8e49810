import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEvent } from 'aws-lambda';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What the body holds; undefined when it is no JSON in UTF-8 (RFC 8259 section 8.1). */
export function messageIn({ body, isBase64Encoded }: Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>): unknown {
  const bytes = Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
  if (!isUtf8(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** The request as the protocol's own package wants it. What is no JSON stays what it is, and is refused there. */
export function requestOf(event: APIGatewayProxyEvent, message: unknown): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(event.headers ?? {})) {
    if (value !== undefined && isProtocolHeader(name)) headers.set(name, value.replace(/[^ -~]/g, '?'));
  }
  return new Request('http://mcp/', { method: 'POST', headers, ...(message === undefined && { body: 'no JSON' }) });
}

/** The headers that the protocol gives a meaning; the key is not among them, so that nothing there can tell it. */
const isProtocolHeader = (name: string): boolean => /^(accept|content-type|mcp-[\w-]+)$/i.test(name);
