import { setTimeout as sleep } from 'node:timers/promises';
import type { EventType } from './configurationSets.ts';
import type { SesDatabase } from './database.ts';
import { eventJson } from './events.ts';
import type { FaultControl } from './faults.ts';

export type Publish = (topicArn: string, eventJson: string) => Promise<void>;

export interface Publisher {
  /** Tells it that something new lies in the outbox. */
  wake(): void;
  /** Ends after what is under way; the rest stays in the outbox. */
  stop(): Promise<void>;
}

const concurrency = 16;
const longestWaitMilliseconds = 30_000;
/** A hung topic must not keep the process alive at its end. */
const stopPatienceMilliseconds = 2_000;

interface OutboxRow {
  readonly id: number;
  readonly topicArn: string;
  readonly attempts: number;
  readonly json: string;
}

/**
 * Publishes what is due in the outbox and deletes it only after it was taken, so that every event of an accepted message
 * is published at least once, whatever dies in between.
 */
export function startPublisher(
  database: SesDatabase,
  publish: Publish,
  faults: FaultControl,
  now: () => number,
): Publisher {
  const underWay = new Map<number, Promise<void>>();
  let stopped = false;
  let abandoned = false;
  let timer: NodeJS.Timeout | undefined;

  const deliver = async (row: OutboxRow) => {
    try {
      await publish(row.topicArn, row.json);
      if (faults.state.duplicate_events) await publish(row.topicArn, row.json);
      if (!abandoned) database.run('DELETE FROM outbox WHERE id = ?', row.id);
    } catch (error) {
      if (abandoned) return;
      const wait = Math.min(100 * 2 ** row.attempts, longestWaitMilliseconds);
      database.run('UPDATE outbox SET attempts = attempts + 1, due_at = ? WHERE id = ?', now() + wait, row.id);
      if (row.attempts === 0) console.error(`Local SES: an event could not be published: ${describe(error)}`);
    }
  };
  const start = (row: OutboxRow) => {
    const delivery = deliver(row).finally(() => {
      underWay.delete(row.id);
      wake();
    });
    underWay.set(row.id, delivery);
  };
  const tick = () => {
    timer = undefined;
    const due = readDue(
      database,
      now(),
      [...underWay.keys()],
      concurrency - underWay.size,
      faults.state.shuffle_events,
    );
    due.forEach(start);
    if (underWay.size < concurrency) scheduleNext();
  };
  const scheduleNext = () => {
    const next = nextDueAt(database, [...underWay.keys()]);
    if (next !== null && !stopped)
      timer = setTimeout(tick, Math.min(Math.max(next - now(), 0), longestWaitMilliseconds));
  };
  const wake = () => {
    if (stopped) return;
    clearTimeout(timer);
    timer = undefined;
    if (underWay.size < concurrency) scheduleNext();
  };
  wake();
  return {
    wake,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await Promise.race([Promise.all(underWay.values()), sleep(stopPatienceMilliseconds, undefined, { ref: false })]);
      abandoned = true;
    },
  };
}

function readDue(
  database: SesDatabase,
  until: number,
  except: readonly number[],
  limit: number,
  shuffled: boolean,
): OutboxRow[] {
  const rows = database.all(
    `SELECT o.id, o.topic_arn, o.attempts, e.type, e.detail, m.mail
     FROM outbox o JOIN events e ON e.id = o.event JOIN messages m ON m.id = o.message
     WHERE o.due_at <= ? AND o.id NOT IN (SELECT value FROM json_each(?))
     ORDER BY ${shuffled ? 'random()' : 'o.due_at, o.id'} LIMIT ?`,
    until,
    JSON.stringify(except),
    limit,
  );
  return rows.map((row) => ({
    id: Number(row.id),
    topicArn: String(row.topic_arn),
    attempts: Number(row.attempts),
    json: eventJson(row.type as EventType, JSON.parse(String(row.mail)), JSON.parse(String(row.detail))),
  }));
}

function nextDueAt(database: SesDatabase, except: readonly number[]): number | null {
  const sql = 'SELECT due_at FROM outbox WHERE id NOT IN (SELECT value FROM json_each(?)) ORDER BY due_at, id LIMIT 1';
  const row = database.get(sql, JSON.stringify(except));
  return row ? Number(row.due_at) : null;
}

/** The kind of failure, never the event itself. */
const describe = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : typeof error);
