import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net';
import { GetAccountCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { connection, supervised } from '../../../../shared/platform/aws/clients.ts';
import type { ConnectionPolicy } from '../../../../shared/platform/httpClient.ts';

/** A server that stands for a service of AWS and misbehaves as a test wants; it counts connections and requests. */
export interface TestProvider {
  readonly endpoint: string;
  readonly connections: () => number;
  readonly requests: () => number;
  stop(): Promise<void>;
}

/** An answer of AWS's form. */
export const answer: RequestListener = (request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}'));
};

/** A provider over HTTP, or over TLS with this certificate. */
export function startProvider(
  respond: RequestListener = answer,
  options: { keepAliveMilliseconds?: number; identity?: { cert: string; key: string } } = {},
): Promise<TestProvider> {
  let requests = 0;
  const count: RequestListener = (request, response) => {
    requests += 1;
    respond(request, response);
  };
  const server: Server = options.identity ? createSecureServer(options.identity, count) : createServer(count);
  server.keepAliveTimeout = options.keepAliveMilliseconds ?? 60_000;
  return listen(server, options.identity ? 'https://localhost' : 'http://127.0.0.1', () => requests);
}

/** A server that speaks no HTTP: the script has each connection. */
export function startListener(script: (socket: Socket) => void, scheme: 'http' | 'https' = 'http') {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    script(socket);
  });
  return listen(server, `${scheme}://localhost`, () => 0);
}

async function listen(server: TcpServer, origin: string, requests: () => number): Promise<TestProvider> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
  });
  server.on('tlsClientError', () => {});
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    endpoint: `${origin}:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    requests,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await once(server.close(), 'close');
    },
  };
}

/** A client under the policy of the service, changed where the test wants it, that tries each call once. */
export function clientOf(endpoint: string, own: Partial<ConnectionPolicy> = {}) {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = supervised(
    new SESv2Client({ endpoint, region: 'us-east-1', credentials, maxAttempts: 1, ...connection(own) }),
  );
  return {
    call: () => client.send(new GetAccountCommand({})),
    close: () => client.destroy(),
  };
}
