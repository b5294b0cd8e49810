import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';
import { eventBody, events } from '../../shared/contract/schemas/event.ts';

/** A request to a receiver of webhooks. */
export interface ReceivedRequest {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** The receiver's answer to a request; a number is a status without a body. */
export type Behaviour = number | ((request: ReceivedRequest, response: ServerResponse) => unknown);

export interface Receiver {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** The most requests that were in flight at once. */
  readonly maxAtOnce: () => number;
  answer(behaviour: Behaviour): void;
  stop(): Promise<void>;
}

/** A receiver of webhooks on the loopback address. */
export async function startReceiver(behaviour: Behaviour = 200): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  let current = behaviour;
  let atOnce = 0;
  let most = 0;
  const server = createServer(async (incoming, response) => {
    most = Math.max(most, ++atOnce);
    response.on('close', () => {
      atOnce -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const request = {
      at: Date.now(),
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    };
    requests.push(request);
    if (typeof current === 'number') response.writeHead(current).end();
    else await current(request, response);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    requests,
    maxAtOnce: () => most,
    answer: (next) => {
      current = next;
    },
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

export const eventOf = (request: ReceivedRequest) => JSON.parse(request.body);

/** The event of a request, validated by the contract's schema of its type: no field missing, none extra. */
export function promisedEventOf(request: ReceivedRequest) {
  const event = eventOf(request);
  if (event.type in events) {
    const { shape } = eventBody(event.type);
    z.strictObject({ ...shape, data: (shape.data as z.ZodObject).strict() }).parse(event);
  }
  return event;
}
