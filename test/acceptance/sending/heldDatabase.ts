import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDynamoDb } from '../../../infra/local/engines/dynamodb.ts';

/** A database behind a proxy that holds requests back, as a network does that loses and finds them again. */
export interface HeldDatabase {
  readonly endpoint: string;
  /** From now on, holds each request that the predicate picks; `operation` is `PutItem`, `UpdateItem` … */
  hold(picks: (operation: string, body: string) => boolean): void;
  /** How many requests are held. */
  held(): number;
  /** Lets all of them through, late, and holds none any more. */
  letGo(): void;
  stop(): Promise<void>;
}

export async function startHeldDatabase(): Promise<HeldDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mailroom-db-'));
  const engine = await startDynamoDb({ dataDir });
  let picks: (operation: string, body: string) => boolean = () => false;
  let waiting: (() => void)[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const [, operation = ''] = String(incoming.headers['x-amz-target']).split('.');
    if (picks(operation, body.toString())) await new Promise<void>((resolve) => waiting.push(resolve));
    pass(engine.endpoint, incoming, body, outgoing);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const letGo = () => {
    picks = () => false;
    for (const go of waiting.splice(0)) go();
  };
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (wanted) => {
      picks = wanted;
    },
    held: () => waiting.length,
    letGo,
    stop: async () => {
      letGo();
      waiting = [];
      server.closeAllConnections();
      await once(server.close(), 'close');
      await engine.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Forwards a request, and its answer if anybody still waits for it. */
function pass(endpoint: string, incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): void {
  const { method = 'POST', headers } = incoming;
  const forwarded = request(endpoint, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on('error', () => outgoing.destroy());
  forwarded.end(body);
}
