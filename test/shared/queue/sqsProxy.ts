import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What befalls a call on its way: an answer instead of the engine's, a broken connection, or nothing. */
export type Fate = { readonly status: number; readonly body: object } | 'broken' | undefined;

/** Stands between a client and an SQS engine, and decides by the operation and its body what becomes of a call. */
export async function startProxy(engine: string, decide: (operation: string, body: string) => Fate) {
  // Queue URLs name the host that a client calls, so they are translated both ways.
  const endpoint = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const server = createServer(async (request, response) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const fate = decide(operation, body);
    if (fate === 'broken') return request.socket.destroy();
    const headers = { 'content-type': 'application/x-amz-json-1.0' };
    if (fate) return response.writeHead(fate.status, headers).end(JSON.stringify(fate.body));
    const answer = await fetch(engine, {
      method: 'POST',
      headers: { ...headers, 'x-amz-target': `AmazonSQS.${operation}`, authorization: 'local' },
      body: body.replaceAll(endpoint(), engine),
    });
    return response.writeHead(answer.status, headers).end((await answer.text()).replaceAll(engine, endpoint()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: endpoint(),
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}
