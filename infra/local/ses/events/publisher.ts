import { setTimeout as sleep } from 'node:timers/promises';
import type { SesDatabase } from '../database.ts';
import type { FaultControl } from '../faults.ts';
import type { EventType } from './configurationSets.ts';
import { eventJson } from './events.ts';

export type Publish = (topicArn: string, eventJson: string) => Promise<void>;

export interface Publisher {
  /** Announces a new event in the outbox, due at that time. */
  wake(dueAt: number): void;
  /** Publishes what is due, after the clock was moved. */
  look(): void;
  /** Whether events are under way, and when the next ones are due. */
  pending(): { readonly isBusy: boolean; readonly due: readonly number[] };
  /** Finishes what is in flight; the rest stays in the outbox. */
  stop(): Promise<void>;
}

/** Two calls of SNS, with ten messages each. */
const concurrency = 20;
/** Batches the events of emails that are sent at the same time; SES is no faster. */
const gatheringMilliseconds = 50;
const longestWaitMilliseconds = 30_000;
const unwrittenWaitMilliseconds = 1000;
/** A topic that does not answer must not keep the process alive. */
const stopPatienceMilliseconds = 2_000;

interface OutboxRow {
  readonly id: number;
  readonly topicArn: string;
  readonly attempts: number;
  readonly json: string;
}

/**
 * Publishes due events of the outbox and deletes them only after SNS has accepted them, so that every event is published
 * at least once, even after a crash.
 */
export function startPublisher(
  database: SesDatabase,
  publish: Publish,
  faults: FaultControl,
  now: () => number,
): Publisher {
  const inFlight = new Map<number, Promise<void>>();
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
  /** When the disk is full the row stays unchanged, and in flight for a while, so that it is not retried at once. */
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
      inFlight.delete(row.id);
      if (isBehind && inFlight.size <= concurrency / 2) tickSoon();
    });
    inFlight.set(row.id, delivery);
  };
  /** Once for all events that end in the same turn of the event loop. */
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
    const room = concurrency - inFlight.size;
    const due = readDue(database, now(), [...inFlight.keys()], room, faults.state.shuffle_events);
    due.forEach(start);
    isBehind = due.length === room;
    if (!isBehind) wake(nextDueAt(database, [...inFlight.keys()]));
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
    look: tick,
    pending: () => ({
      isBusy: inFlight.size > 0 || nextDueAt(database, []) <= now(),
      due: upcoming(database, now()),
    }),
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await Promise.race([Promise.all(inFlight.values()), sleep(stopPatienceMilliseconds, undefined, { ref: false })]);
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

/** The next times at which events are due, the first ones of them. */
const upcoming = (database: SesDatabase, after: number): number[] =>
  database
    .all('SELECT due_at FROM outbox WHERE due_at > ? ORDER BY due_at, id LIMIT 500', after)
    .map(({ due_at }) => Number(due_at));

/** Infinity when nothing is waiting. */
function nextDueAt(database: SesDatabase, except: readonly number[]): number {
  const sql = 'SELECT due_at FROM outbox WHERE id NOT IN (SELECT value FROM json_each(?)) ORDER BY due_at, id LIMIT 1';
  return Number(database.get(sql, JSON.stringify(except))?.due_at ?? Number.POSITIVE_INFINITY);
}

/** The kind of failure; never the event, which holds addresses. */
const describe = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : typeof error);
