import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { buildQueryString, type HttpHandler, type HttpRequest, HttpResponse } from '@smithy/core/protocols';
import type {
  BuildMiddleware,
  DeserializeMiddleware,
  FinalizeRequestMiddleware,
  HandlerExecutionContext,
  InitializeMiddleware,
  MiddlewareStack,
  Pluggable,
} from '@smithy/types';
import { currentDeadline, DeadlineExceeded, remainingMilliseconds } from '../deadline.ts';
import {
  type BodyInPieces,
  type ConnectionPolicy,
  HttpClient,
  UnansweredRequest,
  wasNeverSent,
} from '../httpClient.ts';
import { ServiceUnavailable } from './outage.ts';

/** The answer arrived damaged: the request may have been carried out. */
class DamagedAnswer extends ServiceUnavailable {
  override readonly name = 'DamagedAnswer';
  /** Marks the error as retryable for the SDK. */
  readonly $retryable = {};
}

/**
 * The HTTP handler of all SDK clients. It reads each answer completely, so that every failure between the first byte of
 * a request and the last byte of its answer is handled here. None of our operations streams its answer.
 */
class AwsRequestHandler implements HttpHandler {
  readonly metadata = { handlerProtocol: 'http/1.1' };
  readonly #http: HttpClient;

  constructor(policy: ConnectionPolicy) {
    this.#http = new HttpClient(policy);
  }

  /** Throws `UnansweredRequest`, or the error that interrupted reading the answer. */
  async handle(
    { method, protocol, hostname, port, path, query, headers, body }: HttpRequest,
    { abortSignal }: { readonly abortSignal?: unknown } = {},
  ): Promise<{ response: HttpResponse }> {
    const search = buildQueryString(query);
    const request = { method, protocol, hostname, port, path: search ? `${path}?${search}` : path, headers, body };
    const answer = await this.#http.send(request, abortSignal as AbortSignal | undefined);
    const bytes = await buffer(answer);
    const checksum = answer.headers['x-amz-crc32'];
    if (checksum !== undefined && Number(checksum) !== crc32(bytes))
      throw new DamagedAnswer('An answer arrived damaged.');
    const { statusCode = 0, statusMessage: reason } = answer;
    const named = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
    const response = new HttpResponse({ statusCode, headers: Object.fromEntries(named), body: bytes });
    return { response: Object.assign(response, { reason }) };
  }

  destroy(): void {
    this.#http.destroy();
  }

  /** SDK extensions would change the connections by these two methods; none are used. */
  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): object {
    return {};
  }
}

/**
 * The defaults of every client. AWS answers within milliseconds, or not at all. A request waits for a free connection
 * as long as its deadline allows.
 */
export const usualPolicy: ConnectionPolicy = {
  connections: 50,
  idle: 4000,
  waiting: 30_000,
  connecting: 2000,
  answering: 5000,
  reading: 20_000,
};

/** The part of a client's configuration that concerns its connections. */
export const connection = (own: Partial<ConnectionPolicy> = {}) => ({
  requestHandler: new AwsRequestHandler({ ...usualPolicy, ...own }),
});

/** What is known of a call with all its attempts. */
interface SdkCall {
  isInFlight: boolean;
  /** True once an attempt may have been carried out without an answer. */
  mayBeDone: boolean;
  lastError?: unknown;
}

const calls = new WeakMap<HandlerExecutionContext, SdkCall>();
/** Inputs of calls that may have been carried out without an answer. */
const inputsInDoubt = new WeakSet<object>();
const errorsInDoubt = new WeakSet<object>();

/**
 * True when an earlier attempt may have been carried out: a failed condition may then be caused by that attempt itself.
 */
export const isAfterLostAnswer = (error: unknown): boolean => error instanceof Error && errorsInDoubt.has(error);

const wholeCall: InitializeMiddleware<object, object> = (next, context) => async (args) => {
  const { signal } = currentDeadline();
  const call: SdkCall = { isInFlight: false, mayBeDone: inputsInDoubt.has(args.input) };
  const overdue = () => new UnansweredRequest(new DeadlineExceeded({ cause: call.lastError }), !call.mayBeDone);
  if (remainingMilliseconds() <= 0) throw overdue();
  calls.set(context, call);
  const timeOut = Promise.withResolvers<never>();
  // A request in flight ends by itself, with a more precise error.
  const expire = () => setImmediate(() => call.isInFlight || timeOut.reject(overdue()));
  signal?.addEventListener('abort', expire);
  try {
    return await Promise.race([next(args), timeOut.promise]);
  } catch (error) {
    if (call.mayBeDone) inputsInDoubt.add(args.input);
    const reported = call.mayBeDone && wasNeverSent(error) ? new UnansweredRequest(error, false) : error;
    if (call.mayBeDone) errorsInDoubt.add(reported as Error);
    throw reported;
  } finally {
    signal?.removeEventListener('abort', expire);
  }
};

const oneAttempt: FinalizeRequestMiddleware<object, object> = (next, context) => async (args) => {
  const call = calls.get(context) ?? { isInFlight: false, mayBeDone: false };
  call.isInFlight = true;
  try {
    return await next(args);
  } catch (error) {
    call.lastError = error;
    // A proxy may answer anything, and a message that is not a string breaks whatever prints the error.
    if (typeof (error as Error).message !== 'string') (error as Error).message = '';
    call.mayBeDone ||= !wasNeverSent(error) && !isRefusal(error as SdkError);
    throw error;
  } finally {
    call.isInFlight = false;
  }
};

interface SdkError {
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const isRefusal = ({ $metadata }: SdkError): boolean => {
  const { httpStatusCode: status = 0 } = $metadata ?? {};
  return status >= 300 && status < 500;
};

interface Client {
  readonly middlewareStack: { use(plugin: never): void; remove(name: string): boolean };
}

const supervision: Pluggable<object, object> = {
  applyToStack(stack) {
    stack.add(wholeCall, { name: 'wholeCall', step: 'initialize', priority: 'high' });
    stack.add(oneAttempt, { name: 'oneAttempt', step: 'finalizeRequest', priority: 'low' });
  },
};

/**
 * Ends every call of a client at the deadline of the work it belongs to: its attempts, the pauses between them, and any
 * wait before the first. Errors tell whether anything was sent (`wasNeverSent`, `isAfterLostAnswer`).
 */
export function supervised<Kind extends Client>(client: Kind): Kind {
  client.middlewareStack.use(supervision as never);
  // The SDK's logger copies every input and output field by field, and its output is not used.
  client.middlewareStack.remove('loggerMiddleware');
  return client;
}

/** An answer that is not a JSON object. */
class GarbledAnswer extends ServiceUnavailable {
  override readonly name = 'GarbledAnswer';
}

const objectAnswer: DeserializeMiddleware<object, object> = (next) => async (args) => {
  const result = await next(args);
  const { statusCode, body } = result.response as HttpResponse;
  if (statusCode === 200 && body[0] !== '{'.charCodeAt(0)) throw new GarbledAnswer('An answer is no object.');
  return result;
};

/**
 * For a client whose answers are always JSON objects: any other answer is an error. Without this, the SDK would read an
 * empty answer of a proxy as "nothing found".
 */
export function requiringObjects<Kind extends Client>(client: Kind): Kind {
  client.middlewareStack.use({
    applyToStack: (stack: MiddlewareStack<object, object>) =>
      stack.add(objectAnswer, { name: 'objectAnswer', step: 'deserialize', priority: 'low' }),
  } as never);
  return client;
}

/**
 * SHA-256 in hexadecimal, for the header `x-amz-content-sha256`, by which the signature covers the body
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
 */
export function hashOf({ pieces }: BodyInPieces): string {
  const hash = createHash('sha256');
  for (const piece of pieces()) hash.update(piece);
  return hash.digest('hex');
}

/**
 * For one command: replaces the body that the SDK has built by a body in pieces, which is never completely in memory.
 */
export function sentInPieces<Input extends object, Output extends object>(
  bodyOf: (body: Buffer) => BodyInPieces,
): Pluggable<Input, Output> {
  const inPieces: BuildMiddleware<Input, Output> = (next) => async (args) => {
    const request = args.request as HttpRequest;
    const { buffer, byteOffset, byteLength }: Uint8Array = request.body;
    const body = bodyOf(Buffer.from(buffer, byteOffset, byteLength));
    request.headers['content-length'] = String(body.length);
    request.headers['x-amz-content-sha256'] = hashOf(body);
    request.body = body;
    return next(args);
  };
  return {
    applyToStack: (stack) => stack.add(inPieces, { name: 'inPieces', step: 'build', priority: 'high' }),
  };
}
