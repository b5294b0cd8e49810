import * as http from 'node:http';
import * as https from 'node:https';
import { checkWebhookUrl } from '../domain/webhook/webhookUrl.ts';
import { guardedLookup, mayConnectTo, type Resolver, systemResolver } from './hostCheck.ts';
import { SafeRequestError, safeRequestErrorCodeOf } from './safeRequestError.ts';

export interface SafeRequest {
  readonly url: string;
  /** Bytes are sent unchanged, a string as UTF-8. */
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** From the DNS look-up to the last byte of the answer. */
  readonly timeoutMilliseconds: number;
  /** No more of the answer is read; the connection is then closed. */
  readonly maxResponseBytes: number;
  /** Allows plain http and loopback addresses, for the local runtime. */
  readonly allowLoopback: boolean;
  readonly resolver?: Resolver;
}

export interface SafeResponse {
  readonly status: number;
  /** The beginning of the answer, read as UTF-8. */
  readonly body: string;
  readonly durationMilliseconds: number;
}

/** Node refuses answers with larger headers. */
const maxHeaderBytes = 16 * 1024;

/**
 * Posts to a URL that a customer chose. It only connects to public addresses, checked for every DNS record of the name and
 * again on the socket, follows no redirect and keeps no connection. Throws `SafeRequestError`.
 */
export async function postSafely(request: SafeRequest): Promise<SafeResponse> {
  const startedAt = performance.now();
  const elapsed = () => Math.round(performance.now() - startedAt);
  refuseUnsafeUrl(request);
  const outgoing = open(request);
  const deadline = expiry(request.timeoutMilliseconds);
  let status: number | undefined;
  try {
    outgoing.end(request.body);
    const response = await Promise.race([answerTo(outgoing), deadline.promise]);
    status = response.statusCode ?? 0;
    const body = await Promise.race([readBeginning(response, request.maxResponseBytes), deadline.promise]);
    return { status, body, durationMilliseconds: elapsed() };
  } catch (error) {
    const code = safeRequestErrorCodeOf(error);
    const exactCode = code === 'connection' && status !== undefined ? 'incomplete_answer' : code;
    throw new SafeRequestError(exactCode, { status, durationMilliseconds: elapsed(), cause: error });
  } finally {
    deadline.cancel();
    outgoing.destroy();
  }
}

/** A separate timer, because a destroyed request emits no event. */
function expiry(milliseconds: number): { promise: Promise<never>; cancel: () => void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new SafeRequestError('timeout')), milliseconds);
  return { promise, cancel: () => clearTimeout(timer) };
}

function refuseUnsafeUrl({ url, allowLoopback }: SafeRequest): void {
  const problem = checkWebhookUrl(url, { allowLoopback });
  if (problem) throw new SafeRequestError(problem === 'url_host_not_public' ? 'blocked_address' : 'invalid_url');
}

function open({ url, body, headers, allowLoopback, resolver = systemResolver }: SafeRequest): http.ClientRequest {
  const options: https.RequestOptions & { autoSelectFamily: boolean } = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    // No keep-alive: a kept connection would bypass the check when the name has moved to another address.
    agent: false,
    lookup: guardedLookup(resolver, allowLoopback),
    autoSelectFamily: true,
    maxHeaderSize: maxHeaderBytes,
    rejectUnauthorized: true,
  };
  const outgoing = url.toLowerCase().startsWith('https:') ? https.request(url, options) : http.request(url, options);
  outgoing.on('socket', (socket) => {
    socket.prependOnceListener('connect', () => {
      const address = socket.remoteAddress ?? '';
      if (!mayConnectTo(address, allowLoopback)) socket.destroy(new SafeRequestError('blocked_address'));
    });
  });
  // Without a listener, an error after the answer was read or refused would end the process.
  outgoing.on('error', () => {});
  return outgoing;
}

/** An upgrade (status 101) closes the connection with neither an answer nor an error. */
function answerTo(outgoing: http.ClientRequest): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
    outgoing.once('close', () => reject(new SafeRequestError('protocol')));
  });
}

/** Leaving the loop early destroys the response and its connection. */
async function readBeginning(response: http.IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) break;
  }
  // `stream` leaves out a last character that was cut in half.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes), { stream: true });
}
