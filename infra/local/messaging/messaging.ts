import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { buildApp } from 'fauxqs';
// Its parts, which patches/ makes public: its own start function listens on every network interface.
import { PersistenceManager, S3Store, SnsStore, SqsStore } from 'fauxqs/parts';
import type { Engine } from '../engine/engine.ts';
import { naming } from '../sqlite.ts';
import { pendingMessages } from './pendingMessages.ts';

/** SQLITE_FULL. */
const diskFull = 13;
/** The name that fauxqs uses. */
const databaseName = 'fauxqs.db';
/** The account in the ARNs and queue URLs of the local engines. */
const localAccountId = '000000000000';

/**
 * SQS and SNS in this process, on one endpoint, persistent in `dataDir`: messages survive a kill.
 * Queue URLs are `http://127.0.0.1:<port>/000000000000/<name>`; they follow the port when it changes.
 */
export async function startMessaging(options: { dataDir: string; port?: number }): Promise<Engine> {
  const folder = join(options.dataDir, 'messaging');
  const persistence = naming(join(folder, databaseName), () => new PersistenceManager(folder));
  const stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  // An empty host makes queue URLs from the Host header, which resolves everywhere.
  stores.sqsStore.host = '';
  const app = buildApp({ logger: false, stores });
  app.addHook('onRequest', async (request, reply) => {
    // A web page can post a form to any local port, but not with this header, which every AWS SDK sends.
    if (!request.headers.authorization) return reply.code(403).send({ message: 'Missing Authentication Token' });
  });
  app.addHook('preSerialization', async (request, _reply, payload) => {
    if (request.raw.socket.destroyed) takeBack(stores.sqsStore, payload as ReceiveAnswer);
    return payload;
  });
  const endpoint = await app.listen({ port: options.port ?? 0, host: '127.0.0.1' });
  renewDatabase(folder, endpoint);
  persistence.loadSqsAndSns(stores.sqsStore, stores.snsStore);
  attachPersistence(withoutFailing(persistence), stores.sqsStore, stores.snsStore);
  return {
    endpoint,
    clocked: { pending: async () => pendingMessages(stores.sqsStore), look: async () => {} },
    stop: async () => {
      await app.close();
      persistence.close();
    },
  };
}

interface ReceiveAnswer {
  readonly Messages?: readonly { readonly ReceiptHandle: string }[];
}

/** Messages for a receiver that disconnected become visible at once, not after their visibility timeout. */
function takeBack(sqsStore: SqsStore, { Messages = [] }: ReceiveAnswer): void {
  for (const { ReceiptHandle } of Messages) {
    for (const queue of sqsStore.allQueues()) {
      const entry = queue.inflightMessages.get(ReceiptHandle);
      if (!entry) continue;
      entry.message.approximateReceiveCount -= 1;
      queue.changeVisibility(ReceiptHandle, 0);
    }
  }
}

/**
 * Sets the current port in queue URLs, and makes messages visible that were in flight when the last process ended: their
 * workers ended with it.
 */
function renewDatabase(folder: string, endpoint: string): void {
  const database = new DatabaseSync(join(folder, databaseName));
  database.prepare("UPDATE sqs_queues SET url = ? || '/' || ? || '/' || name").run(endpoint, localAccountId);
  database.exec('UPDATE sqs_messages SET receipt_handle = NULL, visibility_deadline = NULL');
  database.close();
}

/**
 * In-flight state is decided in memory; its copy on disk is dropped at the next start. So a full disk must not fail a
 * receive, which would hide the message until its visibility timeout.
 */
function withoutFailing(persistence: PersistenceManager): PersistenceManager {
  for (const name of ['updateMessageInflight', 'updateMessageReady'] as const) {
    const write = persistence[name].bind(persistence) as (...values: unknown[]) => void;
    persistence[name] = (...values: unknown[]) => {
      try {
        write(...values);
      } catch (error) {
        if ((error as { errcode?: number }).errcode !== diskFull) throw error;
      }
    };
  }
  return persistence;
}

/** Only after loading: loading with persistence attached would write each queue again and delete its messages. */
function attachPersistence(persistence: PersistenceManager, sqsStore: SqsStore, snsStore: SnsStore): void {
  sqsStore.persistence = persistence;
  snsStore.persistence = persistence;
  for (const queue of sqsStore.allQueues()) queue.persistence = persistence;
}
