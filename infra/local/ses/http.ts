import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** Room for 40 MB of MIME in base64 inside JSON. */
const maximumBodyBytes = 64 * 1024 * 1024;

/** The whole body, or null when it is too large. */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= maximumBodyBytes) chunks.push(chunk);
  }
  return bytes > maximumBodyBytes ? null : Buffer.concat(chunks);
}

/** Throws SyntaxError; an empty body is an empty object. */
export function parseJson(body: Buffer): unknown {
  return body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
}

export function writeReply(response: ServerResponse, { status, headers, body }: Reply): void {
  const length = Buffer.byteLength(body ?? '');
  response.writeHead(status, { 'X-Content-Type-Options': 'nosniff', 'Content-Length': length, ...headers });
  response.end(body);
}

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(value) };
}

export const notFoundReply = (): Reply => jsonReply(404, { message: 'Not found.' });

/** True for a request from a web page of another origin. Programs send no Origin header. */
export function isForeignPage({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
}

/** True for this machine's own host names: another one may have been rebound to it to read the inbox (DNS rebinding). */
export function isLocalHost({ headers }: IncomingMessage): boolean {
  const name = (headers.host ?? '').replace(/:\d+$/, '');
  return /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\]|(?:[a-z0-9-]+\.)*localhost)$/i.test(name);
}
