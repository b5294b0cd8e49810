import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { stopwatch } from './clock.ts';
import { BegunTooLate, currentDeadline, DeadlineExceeded, patienceToBegin } from './deadline.ts';

/** The phase of a request. Nothing of it is sent before `answering` begins. */
type Phase = 'waiting' | 'connecting' | 'answering' | 'reading';

/** The longest time of each phase in milliseconds; the phases are timed separately. */
export type PhaseLimits = Readonly<Record<Phase, number>>;

const timeouts: Record<Phase, { readonly code: string; readonly text: string }> = {
  waiting: { code: 'ConnectionPoolTimeout', text: 'No connection of the pool came free' },
  connecting: { code: 'ConnectionTimeout', text: 'The connection was not established' },
  answering: { code: 'TimeoutError', text: 'The answer did not begin' },
  reading: { code: 'TimeoutError', text: 'The answer did not end' },
};

/** The AWS SDK retries an error with this name. */
class PhaseTimeout extends Error {
  override readonly name = 'TimeoutError';
  readonly code: string;

  constructor(phase: Phase, milliseconds: number) {
    super(`${timeouts[phase].text} within ${milliseconds} ms.`);
    this.code = timeouts[phase].code;
  }
}

/** The connection closed without an answer: the request may have been carried out. */
class ConnectionClosed extends Error {
  /** The AWS SDK retries an error with this code. */
  readonly code = 'ECONNRESET';

  constructor() {
    super('The connection was closed before the answer was read.');
  }
}

/** Follows one HTTP request and ends it when a phase times out, at the deadline, or when the caller aborts. */
class RequestPhases {
  readonly #limits: PhaseLimits;
  readonly #deadline = currentDeadline();
  readonly #patience = patienceToBegin();
  readonly #abortSignal: AbortSignal | undefined;
  readonly #answer = Promise.withResolvers<IncomingMessage>();
  #phase: Phase | 'ended' = 'waiting';
  #mayHaveLeft = false;
  #timer: NodeJS.Timeout | undefined;
  #request: ClientRequest | undefined;
  #response: IncomingMessage | undefined;

  constructor(limits: PhaseLimits, abortSignal?: AbortSignal) {
    this.#limits = limits;
    this.#abortSignal = abortSignal;
    this.#answer.promise.catch(() => {});
    this.#watch('waiting');
    for (const signal of this.#signals()) {
      // `AbortSignal.any` costs more than everything else here and creates garbage.
      if (signal.aborted) this.#fail(signal.reason);
      else signal.addEventListener('abort', this.#abort);
    }
  }

  /** True once any byte of the request may have been sent. */
  get mayHaveLeft(): boolean {
    return this.#mayHaveLeft;
  }

  get isOver(): boolean {
    return this.#phase === 'ended';
  }

  /** Must be called in the same turn of the event loop in which the request was created. */
  follow(request: ClientRequest): void {
    this.#request = request;
    // Registered before Node's own listener, which writes the request to the connection.
    request.prependOnceListener('socket', (socket: Socket & { readonly secureConnecting?: boolean }) => {
      if (!socket.connecting && !socket.secureConnecting) return this.#enter('answering');
      this.#enter('connecting');
      const established = socket.secureConnecting === undefined ? 'connect' : 'secureConnect';
      socket.once(established, () => this.#enter('answering'));
    });
    request.once('response', (response) => this.#read(response));
    request.on('error', (error) => this.#fail(error));
    // Covers an answer with a protocol switch (101) too, for which Node emits nothing else.
    request.once('close', () => (this.#response ? this.#end() : this.#fail(new ConnectionClosed())));
  }

  /** The answer, once its headers have arrived. Throws the error that ended the request. */
  answer(): Promise<IncomingMessage> {
    return this.#answer.promise;
  }

  /** Ends the request unless it has ended already. */
  #fail(reason: Error): void {
    if (this.#phase === 'ended') return;
    this.#end();
    this.#answer.reject(reason);
    (this.#response ?? this.#request)?.destroy(reason);
  }

  #read(response: IncomingMessage): void {
    this.#response = response;
    // The reader of the answer has its own listener; without any listener an error would end the process.
    response.on('error', () => {});
    this.#enter('reading');
    this.#answer.resolve(response);
  }

  /** An answer that has begun is still read if the clock jumped past the deadline; the deadline's own timer ends it. */
  #enter(phase: Phase): void {
    if (phase !== 'reading' && this.#deadline.remainingMilliseconds() <= 0) this.#fail(new DeadlineExceeded());
    if (phase === 'answering' && this.#patience() <= 0) this.#fail(new BegunTooLate());
    if (this.#phase === 'ended') return;
    this.#phase = phase;
    this.#mayHaveLeft ||= phase === 'answering';
    this.#watch(phase);
  }

  /** Data that has already arrived is read first: a busy or frozen process does not mean that the server is late. */
  #watch(phase: Phase): void {
    const limit = this.#limits[phase];
    const patience = phase === 'waiting' || phase === 'connecting' ? this.#patience() : Infinity;
    const expire = () => {
      if (this.#phase === phase) this.#fail(patience < limit ? new BegunTooLate() : new PhaseTimeout(phase, limit));
    };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => setImmediate(expire), Math.max(0, Math.min(limit, patience)));
  }

  readonly #abort = (event: Event) => this.#fail((event.target as AbortSignal).reason);

  #signals(): readonly AbortSignal[] {
    return [this.#deadline.signal, this.#abortSignal].filter((signal) => signal !== undefined);
  }

  #end(): void {
    this.#phase = 'ended';
    clearTimeout(this.#timer);
    for (const signal of this.#signals()) signal.removeEventListener('abort', this.#abort);
  }
}

/** In milliseconds, except `connections`. */
export interface ConnectionPolicy extends PhaseLimits {
  /** Connections per host; further requests wait. */
  readonly connections: number;
  /** A connection that was idle for longer is not used again. */
  readonly idle: number;
}

/** A body that is never completely in memory. */
export interface BodyInPieces {
  /** In bytes. */
  readonly length: number;
  /** Each piece is valid only until the next one is requested. */
  pieces(): Iterable<Uint8Array>;
}

export interface OutgoingRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number | string | undefined;
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | BodyInPieces | undefined;
}

/** A request without an answer. The AWS SDK decides by `name` and `code` whether to retry. */
export class UnansweredRequest extends Error {
  override readonly name: string;
  readonly code: string | undefined;
  /** True when certainly no byte of the request was sent. */
  readonly neverSent: boolean;

  constructor(reason: unknown, neverSent: boolean) {
    const { name, code, message } = reason as { name?: string; code?: string; message?: string };
    super(message ?? '', { cause: reason });
    this.name = name ?? 'Error';
    this.code = code;
    this.neverSent = neverSent;
  }
}

export const wasNeverSent = (error: unknown): boolean => error instanceof UnansweredRequest && error.neverSent;

/** True for a request that did not begin in time (see `beginningWithin`). */
export const wasBegunTooLate = (error: unknown): boolean =>
  error instanceof UnansweredRequest && error.cause instanceof BegunTooLate;

/** How long each kept connection has been idle. */
const rests = new WeakMap<Duplex, () => number>();

/** Overrides the method that Node calls before it keeps a connection, as its documentation allows. */
function trackingRests<Agent extends HttpAgent>(agent: Agent): Agent {
  const keep = agent.keepSocketAlive.bind(agent);
  agent.keepSocketAlive = (socket) => {
    rests.set(socket, stopwatch());
    return keep(socket);
  };
  return agent;
}

/** After this idle time, a close of the connection may have arrived but not been read yet. */
const unreadMilliseconds = 100;

/**
 * Sends HTTP requests over kept connections, each once. Every phase has its own timeout, the whole request ends at the
 * deadline, and an error tells whether anything was sent.
 */
export class HttpClient {
  readonly #limits: PhaseLimits;
  readonly #idle: number;
  readonly #agents: { readonly http: HttpAgent; readonly https: HttpsAgent };

  constructor({ connections, idle, ...limits }: ConnectionPolicy) {
    const options = { keepAlive: true, maxSockets: connections };
    this.#limits = limits;
    this.#idle = idle;
    this.#agents = { http: trackingRests(new HttpAgent(options)), https: trackingRests(new HttpsAgent(options)) };
  }

  /**
   * The answer, once its headers have arrived. Throws `UnansweredRequest`; reading the answer throws the error that
   * interrupted it.
   */
  async send({ body, ...options }: OutgoingRequest, abortSignal?: AbortSignal): Promise<IncomingMessage> {
    const isPlain = options.protocol === 'http:';
    const agent = isPlain ? this.#agents.http : this.#agents.https;
    const phases = new RequestPhases(this.#limits, abortSignal);
    try {
      if (restOf(keptBy(agent).at(-1)?.at(-1)) > unreadMilliseconds) await incomingRead();
      if (!phases.isOver) {
        closeRested(agent, this.#idle);
        const request = (isPlain ? httpRequest : httpsRequest)({ ...options, agent });
        phases.follow(request);
        write(request, body);
      }
      return await phases.answer();
    } catch (error) {
      throw new UnansweredRequest(error, !phases.mayHaveLeft);
    }
  }

  destroy(): void {
    this.#agents.http.destroy();
    this.#agents.https.destroy();
  }
}

/** The idle connections of each host, the most recently used last: Node takes that one first. */
const keptBy = ({ freeSockets }: HttpAgent): readonly (readonly Duplex[])[] =>
  Object.values(freeSockets).filter((sockets) => sockets !== undefined);

const restOf = (socket: Duplex | undefined): number => (socket && rests.get(socket)?.()) ?? 0;

/** Lets a close of the connection be noticed. Two immediates: the first may run before the poll for incoming data. */
const incomingRead = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

/** The server, or a router in between, may have dropped an idle connection, and a frozen container notices too late. */
function closeRested(agent: HttpAgent, idleMilliseconds: number): void {
  for (const sockets of keptBy(agent)) {
    const used = sockets.findIndex((socket) => restOf(socket) <= idleMilliseconds);
    for (const socket of sockets.slice(0, used < 0 ? sockets.length : used)) socket.destroy();
  }
}

/** Requests each piece after the previous one was taken, so that all pieces may share one buffer. */
function write(request: NodeJS.WritableStream, body: OutgoingRequest['body']): void {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) {
    request.end(body ?? '');
    return;
  }
  const pieces = body.pieces()[Symbol.iterator]();
  const next = (error?: Error | null) => {
    // The request itself reports the error.
    if (error) return;
    const { value, done } = pieces.next();
    if (done) request.end();
    else request.write(value, next);
  };
  next();
}
