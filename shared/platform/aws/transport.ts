import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { DeadlineExceeded, remainingMilliseconds } from '../deadline.ts';
import { attentive } from './agent.ts';
import { type Limits, Passage, passages } from './passage.ts';
import { UnansweredRequest } from './unanswered.ts';

export interface ConnectionPolicy extends Limits {
  /** Connections at once; a request that finds none free waits. */
  readonly connections: number;
  /** A connection that rested longer is not used again. */
  readonly idle: number;
}

type Request = Parameters<NodeHttpHandler['handle']>[0];
type Options = NonNullable<Parameters<NodeHttpHandler['handle']>[1]>;

/**
 * How a client of AWS speaks HTTP: each phase of a request has a time-out of its own, all of them end with the deadline
 * of the work they belong to, and an error says whether anything of its request went out.
 */
export class Transport extends NodeHttpHandler {
  readonly #limits: Limits;

  constructor({ connections, idle, ...limits }: ConnectionPolicy) {
    const options = { keepAlive: true, maxSockets: connections };
    super({
      httpAgent: attentive(new HttpAgent(options), idle),
      httpsAgent: attentive(new HttpsAgent(options), idle),
      // Waiting for a connection of the pool is no trouble until it takes as long as it may.
      socketAcquisitionWarningTimeout: limits.waiting,
    });
    this.#limits = limits;
  }

  override async handle(request: Request, options: Options = {}) {
    const passage = new Passage(this.#limits);
    const own = options.abortSignal as AbortSignal | undefined;
    const abortSignal = own ? AbortSignal.any([passage.signal, own]) : passage.signal;
    try {
      if (remainingMilliseconds() <= 0) throw new DeadlineExceeded();
      return await passages.run(passage, () => super.handle(request, { ...options, abortSignal }));
    } catch (error) {
      passage.end();
      const { cause } = error as Error;
      const isEnded = passage.signal.aborted && cause === passage.signal.reason;
      throw new UnansweredRequest(isEnded ? cause : error, !passage.isOut);
    }
  }
}
