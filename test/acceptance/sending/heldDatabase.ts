import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startDynamoDb } from '../../../infra/local/dynamodb/dynamodb.ts';

/** A database behind a proxy that delays requests, as a network may. */
export interface HeldDatabase {
  readonly endpoint: string;
  /** From now on, holds each request that the predicate picks; `operation` is `PutItem`, `UpdateItem` … */
  hold(picks: (operation: string, body: string) => boolean): void;
  /** How many requests are held. */
  held(): number;
  /** From now on, answers each request so many milliseconds after it was carried out; `answersLate` counts them. */
  delayAnswers(milliseconds: (operation: string, body: string) => number): void;
  answersLate(): number;
  /** Lets all of them through, late, and holds and delays none any more. */
  letGo(): void;
  stop(): Promise<void>;
}

export async function startHeldDatabase(): Promise<HeldDatabase> {
  const dataDir = mkdtempSync(join(tmpdir(), 'mailroom-db-'));
  const engine = await startDynamoDb({ dataDir });
  let picks: (operation: string, body: string) => boolean = () => false;
  let waiting: (() => void)[] = [];
  let delayOf: (operation: string, body: string) => number = () => 0;
  let late = 0;
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const [, operation = ''] = String(incoming.headers['x-amz-target']).split('.');
    if (picks(operation, body.toString())) await new Promise<void>((resolve) => waiting.push(resolve));
    const delay = delayOf(operation, body.toString());
    if (delay > 0) late += 1;
    pass({ endpoint: engine.endpoint, delay }, incoming, body, outgoing);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const letGo = () => {
    picks = () => false;
    delayOf = () => 0;
    for (const go of waiting.splice(0)) go();
  };
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold: (wanted) => {
      picks = wanted;
    },
    held: () => waiting.length,
    delayAnswers: (milliseconds) => {
      delayOf = milliseconds;
      late = 0;
    },
    answersLate: () => late,
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

/** Forwards a request, and its answer if the client still waits for it. */
function pass(
  { endpoint, delay }: { readonly endpoint: string; readonly delay: number },
  incoming: IncomingMessage,
  body: Buffer,
  outgoing: ServerResponse,
): void {
  const { method = 'POST', headers } = incoming;
  const forwarded = request(endpoint, { method, headers }, async (answer) => {
    if (delay > 0) await wait(delay);
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
  });
  forwarded.on('error', () => outgoing.destroy());
  forwarded.end(body);
}
