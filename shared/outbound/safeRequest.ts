import * as http from 'node:http';
import * as https from 'node:https';
import { checkWebhookUrl } from '../domain/webhook/webhookUrl.ts';
import { guardedLookup, mayConnectTo, type Resolver, systemResolver } from './guardedLookup.ts';
import { SafeRequestError, safeRequestErrorCodeOf } from './safeRequestError.ts';

export interface SafeRequest {
  readonly url: string;
  /** Sent as they are; a text as UTF-8. */
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  /** For all of it: look-up, connection, TLS, sending, first byte and last. */
  readonly timeoutMilliseconds: number;
  /** What is read of the answer; the connection is cut after it. */
  readonly maxResponseBytes: number;
  /** Plain http and loopback addresses, on the local runtime only. */
  readonly allowLoopback: boolean;
  readonly resolver?: Resolver;
}

export interface SafeResponse {
  readonly status: number;
  /** The beginning of the answer, read as UTF-8. */
  readonly body: string;
  readonly durationMilliseconds: number;
}

/** Bytes of an answer's header block; Node refuses more. */
const maxHeaderBytes = 16 * 1024;

/**
 * Posts to a URL that a stranger chose. Only public addresses are reached, checked on every record of the name and
 * again on the socket; no redirect is followed and no connection kept. Throws `SafeRequestError`.
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
    const told = code === 'connection' && status !== undefined ? 'incomplete_answer' : code;
    throw new SafeRequestError(told, { status, durationMilliseconds: elapsed(), cause: error });
  } finally {
    deadline.cancel();
    outgoing.destroy();
  }
}

/** Settles by itself, whatever state the request is in: a destroyed one reports nothing any more. */
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
    // A connection of its own: one that is kept could be taken up again after its name has changed.
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
  // Errors after the answer has been read, or refused, are of no interest; unheard they would end the process.
  outgoing.on('error', () => {});
  return outgoing;
}

/** A change of protocol (status 101) closes the connection without an error and without an answer. */
function answerTo(outgoing: http.ClientRequest): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
    outgoing.once('close', () => reject(new SafeRequestError('protocol')));
  });
}

/** Leaving the loop early destroys the response and with it the connection. */
async function readBeginning(response: http.IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) break;
  }
  // In stream mode a character that the cut has split is left out.
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, maxBytes), { stream: true });
}
