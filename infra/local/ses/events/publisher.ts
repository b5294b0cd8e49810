import { setTimeout as sleep } from 'node:timers/promises';
import type { SesDatabase } from '../database.ts';
import type { FaultControl } from '../faults.ts';
import type { EventType } from './configurationSets.ts';
import { eventJson } from './events.ts';

export type Publish = (topicArn: string, eventJson: string) => Promise<void>;

export interface Publisher {
  /** Tells it that something new lies in the outbox, due at that time at the earliest. */
  wake(dueAt: number): void;
  /** Ends after what is under way; the rest stays in the outbox. */
  stop(): Promise<void>;
}

/** Two calls of a topic, which takes ten messages each. */
const concurrency = 20;
/** Events of emails that are sent at the same time go out together, and no sooner than SES tells of one. */
const gatheringMilliseconds = 50;
const longestWaitMilliseconds = 30_000;
const unwrittenWaitMilliseconds = 1000;
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
  let ticksSoon = false;
  let isBehind = false;
  let wakesAt = Number.POSITIVE_INFINITY;

  const deliver = async ({ id, topicArn, json, attempts }: OutboxRow) => {
    try {
      await publish(topicArn, json);
      if (faults.state.duplicate_events) await publish(topicArn, json);
      if (!abandoned) await database.grouped(() => database.run('DELETE FROM outbox WHERE id = ?', id));
    } catch (error) {
      if (abandoned) return;
      await postpone(id, attempts);
      if (attempts === 0) console.error(`Local SES: an event could not be published: ${describe(error)}`);
    }
  };
  /** On a disk without room it stays as it is, and under way for a while, so that it is not taken up again at once. */
  const postpone = async (id: number, attempts: number) => {
    const dueAt = now() + Math.min(100 * 2 ** attempts, longestWaitMilliseconds);
    try {
      database.run('UPDATE outbox SET attempts = attempts + 1, due_at = ? WHERE id = ?', dueAt, id);
    } catch {
      await sleep(unwrittenWaitMilliseconds, undefined, { ref: false });
    }
    wake(dueAt);
  };
  const start = (row: OutboxRow) => {
    const delivery = deliver(row).finally(() => {
      underWay.delete(row.id);
      if (isBehind && underWay.size <= concurrency / 2) tickSoon();
    });
    underWay.set(row.id, delivery);
  };
  /** Once for all that end in the same turn of the event loop. */
  const tickSoon = () => {
    if (ticksSoon) return;
    ticksSoon = true;
    setImmediate(() => {
      ticksSoon = false;
      tick();
    });
  };
  const tick = () => {
    if (stopped) return;
    const room = concurrency - underWay.size;
    const due = readDue(database, now(), [...underWay.keys()], room, faults.state.shuffle_events);
    due.forEach(start);
    isBehind = due.length === room;
    if (!isBehind) wake(nextDueAt(database, [...underWay.keys()]));
  };
  const wake = (dueAt: number) => {
    if (stopped || dueAt >= wakesAt) return;
    clearTimeout(timer);
    wakesAt = dueAt;
    timer = setTimeout(
      () => {
        wakesAt = Number.POSITIVE_INFINITY;
        tick();
      },
      Math.min(Math.max(dueAt - now(), gatheringMilliseconds), longestWaitMilliseconds),
    );
  };
  wake(now());
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

/** Infinity when nothing waits. */
function nextDueAt(database: SesDatabase, except: readonly number[]): number {
  const sql = 'SELECT due_at FROM outbox WHERE id NOT IN (SELECT value FROM json_each(?)) ORDER BY due_at, id LIMIT 1';
  return Number(database.get(sql, JSON.stringify(except))?.due_at ?? Number.POSITIVE_INFINITY);
}

/** The kind of failure, never the event itself. */
const describe = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : typeof error);
