import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';

/** A receiver that answers exactly the bytes of its script, counts connections and keeps the received bytes. */
export interface TestReceiver {
  readonly port: number;
  readonly connections: () => number;
  readonly heard: () => string;
  readonly close: () => Promise<void>;
}

const hasHead = (heard: string) => heard.includes('\r\n\r\n');

/** Starts a receiver on 127.0.0.1 whose script runs on each connection once it has heard enough: a request's head. */
export async function startReceiver(script: (socket: Socket) => void, isEnough = hasHead): Promise<TestReceiver> {
  const sockets = new Set<Socket>();
  let heard = '';
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    let hasBegun = false;
    socket.on('error', () => {});
    socket.on('data', (data) => {
      heard += data.toString();
      if (hasBegun || !isEnough(heard)) return;
      hasBegun = true;
      script(socket);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    heard: () => heard,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
