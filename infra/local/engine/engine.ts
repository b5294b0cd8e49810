import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClockedPart } from '../clock/due.ts';

/** A local stand-in for an AWS service. `stop` waits until it has ended and its data is on disk. */
export interface Engine {
  /** Base address without a trailing slash, always on 127.0.0.1. */
  readonly endpoint: string;
  /** What it does by itself, for the clock (`npm start -- --clock`); none: it does nothing by itself. */
  readonly clocked?: ClockedPart;
  stop(): Promise<void>;
}

/** Binds to the loopback address only, so that nothing outside this machine can connect. Port 0: a free one. */
export async function listenLocally(server: Server, port = 0): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Ends a server without waiting for idle keep-alive connections. */
export async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
