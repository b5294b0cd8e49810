import type { ClientRequest, ClientRequestArgs, Agent as HttpAgent } from 'node:http';
import type { Socket } from 'node:net';
import { stopwatch } from '../clock.ts';
import { type Passage, passages } from './passage.ts';

/** How Node's own agents are asked for a connection; every request passes here, and Node's types leave it out. */
interface Dispatching {
  addRequest(request: ClientRequest, options: ClientRequestArgs): void;
}

/** From this rest on, the end of a connection may have arrived without having been read. */
const unreadMilliseconds = 100;

/**
 * Lets an agent look at its kept connections before it takes one. What rested longer than `idleMilliseconds` is closed:
 * the other side, or a router between, may have dropped it, and a frozen container hears of it too late. After a shorter
 * rest, what has arrived on the connections is read first, so that one that was closed is seen to be.
 */
export function attentive<Agent extends HttpAgent>(agent: Agent, idleMilliseconds: number): Agent {
  const rests = new WeakMap<Socket, () => number>();
  agent.on('free', (socket: Socket) => rests.set(socket, stopwatch()));
  const dispatching = agent as Agent & Dispatching;
  const addRequest = dispatching.addRequest.bind(agent);
  const kept = (): (readonly Socket[])[] => Object.values(agent.freeSockets).filter((sockets) => sockets !== undefined);
  const restOf = (socket: Socket | undefined): number => (socket && rests.get(socket)?.()) ?? 0;

  /** Those of a host lie in the order in which they came free. */
  const closeRested = (sockets: readonly Socket[]) => {
    const used = sockets.findIndex((socket) => restOf(socket) <= idleMilliseconds);
    for (const socket of sockets.slice(0, used < 0 ? sockets.length : used)) socket.destroy();
  };

  dispatching.addRequest = (request, options) => {
    const passage = passages.getStore();
    if (passage) follow(request, passage);
    const add = () => {
      for (const sockets of kept()) closeRested(sockets);
      if (!request.destroyed) addRequest(request, options);
    };
    // The one used last is taken first. One immediate may come before the poll for what has arrived, a second cannot.
    if (restOf(kept().at(-1)?.at(-1)) > unreadMilliseconds) setImmediate(() => setImmediate(add));
    else add();
  };
  return agent;
}

/** Tells the passage where its request is. These listeners come before those by which Node writes the request. */
function follow(request: ClientRequest, passage: Passage): void {
  request.once('response', () => passage.enter('reading'));
  request.once('close', () => passage.end());
  request.once('socket', (socket: Socket & { readonly secureConnecting?: boolean }) => {
    if (!socket.connecting && !socket.secureConnecting) {
      passage.enter('answering');
      return;
    }
    passage.enter('connecting');
    const established = socket.secureConnecting === undefined ? 'connect' : 'secureConnect';
    socket.once(established, () => passage.enter('answering'));
  });
}
