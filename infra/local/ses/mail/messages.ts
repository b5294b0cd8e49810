import type { Row, SesDatabase } from '../database.ts';
import { topicsFor } from '../events/configurationSets.ts';
import type { EventDraft } from '../events/events.ts';
import type { Mail } from '../events/mailObject.ts';
import { plainAddress } from '../events/simulator.ts';
import type { TrackedLink } from '../tracking/trackedHtml.ts';

export interface NewMessage {
  readonly messageId: string;
  readonly acceptedAt: number;
  /** False when no message was made, for instance when rendering a template failed. */
  readonly visible: boolean;
  readonly sender: string;
  readonly recipients: readonly string[];
  readonly subject: string;
  readonly configurationSet: string | null;
  readonly mail: Mail;
  readonly links: readonly TrackedLink[];
  readonly source: Buffer;
}

export interface MessageSummary {
  readonly id: number;
  readonly messageId: string;
  readonly createdAt: number;
  readonly from: string;
  readonly recipients: readonly string[];
  readonly subject: string;
  /** Whether it was opened in the inbox. */
  readonly isSeen: boolean;
  /** The API's `email_…`; null for anything but a single email. */
  readonly emailId: string | null;
}

/** What a later event of a message needs. */
export interface EventTarget {
  readonly id: number;
  readonly recipients: readonly string[];
  readonly configurationSet: string | null;
  readonly links: readonly TrackedLink[];
}

export interface RecordedEvent {
  readonly type: string;
  readonly happenedAt: number;
  readonly detail: Record<string, unknown>;
}

export interface ListQuery {
  /** Only messages to this address, case ignored. */
  readonly to?: string | undefined;
  /** Only messages with this text in sender, recipients, subject or body, case ignored. */
  readonly containing?: string | undefined;
  /** Only messages older than this one. */
  readonly after?: number | undefined;
  readonly limit: number;
}

const summaryColumns = `m.id, m.message_id, m.created_at, m.sender, m.recipients, m.subject,
  m.mail ->> '$.tags.mailroom_email[0]' AS email_id, EXISTS (SELECT 1 FROM seen WHERE seen.message = m.id) AS seen`;

/** Stores a message with its events. The caller holds the transaction. */
export function storeMessage(database: SesDatabase, message: NewMessage, events: readonly EventDraft[]): void {
  const id = database.run(
    `INSERT INTO messages (message_id, created_at, visible, sender, recipients, subject, configuration_set, mail, links, source)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    message.messageId,
    message.acceptedAt,
    message.visible ? 1 : 0,
    message.sender,
    JSON.stringify(message.recipients),
    message.subject,
    message.configurationSet,
    JSON.stringify(message.mail),
    JSON.stringify(message.links),
    message.source,
  );
  for (const address of message.visible ? new Set(message.recipients.map(searchable)) : []) {
    database.run('INSERT INTO recipients (address, message) VALUES (?, ?)', address, id);
  }
  for (const event of events) storeEvent(database, { id, configurationSet: message.configurationSet }, event);
}

/** How many messages were ever accepted, deleted ones included. */
export const countOfMessages = (database: SesDatabase): number =>
  Number(database.get("SELECT seq FROM sqlite_sequence WHERE name = 'messages'")?.seq ?? 0);

/** Records an event and puts it in the outbox of each of its topics. The caller holds the transaction. */
export function storeEvent(
  database: SesDatabase,
  message: Pick<EventTarget, 'id' | 'configurationSet'>,
  event: EventDraft,
): void {
  const eventId = database.run(
    'INSERT INTO events (message, type, happened_at, detail) VALUES (?, ?, ?, ?)',
    message.id,
    event.type,
    event.happenedAt,
    JSON.stringify(event.detail),
  );
  for (const topicArn of topicsFor(database, message.configurationSet, event.type)) {
    database.run(
      'INSERT INTO outbox (event, message, topic_arn, due_at) VALUES (?, ?, ?, ?)',
      eventId,
      message.id,
      topicArn,
      event.dueAt ?? event.happenedAt,
    );
  }
}

/** Newest first. Reads no bodies. */
export function listMessages(database: SesDatabase, { to, containing, after, limit }: ListQuery): MessageSummary[] {
  const before = after ?? Number.MAX_SAFE_INTEGER;
  if (to === undefined && containing === undefined) {
    const sql = `SELECT ${summaryColumns} FROM messages m WHERE m.id < ? AND m.visible = 1 ORDER BY m.id DESC LIMIT ?`;
    return database.all(sql, before, limit).map(summary);
  }
  if (to === undefined) return searchMessages(database, (containing ?? '').trim().toLowerCase(), before, limit);
  const sql = `SELECT ${summaryColumns} FROM messages m JOIN (
      SELECT DISTINCT message FROM recipients WHERE address = ? AND message < ? ORDER BY message DESC LIMIT ?
    ) r ON r.message = m.id ORDER BY m.id DESC`;
  return database.all(sql, to.trim().toLowerCase(), before, limit).map(summary);
}

/** Messages that are not indexed yet are found by sender, recipients and subject. */
function searchMessages(database: SesDatabase, words: string, before: number, limit: number): MessageSummary[] {
  const sql = `SELECT ${summaryColumns} FROM messages m LEFT JOIN search_texts t ON t.message = m.id
    WHERE m.visible = 1 AND m.id < ? AND (instr(lower(m.sender), ?) > 0 OR instr(lower(m.recipients), ?) > 0
      OR instr(lower(m.subject), ?) > 0 OR instr(t.text, ?) > 0)
    ORDER BY m.id DESC LIMIT ?`;
  return database.all(sql, before, words, words, words, words, limit).map(summary);
}

/** The newest messages whose body is not indexed. */
export function unindexedMessages(database: SesDatabase, limit: number): number[] {
  const sql = `SELECT id FROM messages WHERE visible = 1 AND id NOT IN (SELECT message FROM search_texts)
    ORDER BY id DESC LIMIT ?`;
  return database.all(sql, limit).map(({ id }) => Number(id));
}

export function storeSearchText(database: SesDatabase, id: number, text: string): void {
  database.run('INSERT OR REPLACE INTO search_texts (message, text) VALUES (?, ?)', id, text.toLowerCase());
}

export function markSeen(database: SesDatabase, id: number): void {
  database.run('INSERT OR IGNORE INTO seen (message) VALUES (?)', id);
}

/** By its number in the inbox or by SES's message id. */
export function findMessage(database: SesDatabase, id: string): MessageSummary | null {
  const row = findRow(database, summaryColumns, id);
  return row ? summary(row) : null;
}

export function messageSource(database: SesDatabase, id: number): Buffer {
  const source = database.get('SELECT source FROM messages WHERE id = ?', id)?.source;
  return source instanceof Uint8Array
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.alloc(0);
}

export function findEventTarget(database: SesDatabase, id: string): EventTarget | null {
  const row = findRow(database, 'm.id, m.recipients, m.configuration_set, m.links', id);
  return row
    ? {
        id: Number(row.id),
        recipients: JSON.parse(String(row.recipients)),
        configurationSet: row.configuration_set === null ? null : String(row.configuration_set),
        links: JSON.parse(String(row.links)),
      }
    : null;
}

/** The events of a message until a point in time, oldest first. */
export function eventsOf(database: SesDatabase, id: number, until: number): RecordedEvent[] {
  const sql = 'SELECT * FROM events WHERE message = ? AND happened_at <= ? ORDER BY happened_at, id';
  return database.all(sql, id, until).map((row) => ({
    type: String(row.type),
    happenedAt: Number(row.happened_at),
    detail: JSON.parse(String(row.detail)),
  }));
}

/**
 * Empties the inbox, or removes one message. A message with unpublished events is hidden, and removed the next time.
 */
export function deleteMessages(database: SesDatabase, only?: number): void {
  database.transaction(() => {
    database.run('UPDATE messages SET visible = 0 WHERE id = ifnull(?, id)', only ?? null);
    for (const table of ['recipients', 'search_texts', 'seen']) {
      database.run(`DELETE FROM ${table} WHERE message IN (SELECT id FROM messages WHERE visible = 0)`);
    }
    database.run('DELETE FROM messages WHERE visible = 0 AND id NOT IN (SELECT message FROM outbox)');
    database.run('DELETE FROM events WHERE message NOT IN (SELECT id FROM messages)');
  });
}

function findRow(database: SesDatabase, columns: string, id: string): Row | undefined {
  return /^\d{1,15}$/.test(id)
    ? database.get(`SELECT ${columns} FROM messages m WHERE m.id = ? AND m.visible = 1`, Number(id))
    : database.get(`SELECT ${columns} FROM messages m WHERE m.message_id = ? AND m.visible = 1`, id);
}

const searchable = (recipient: string) => plainAddress(recipient).toLowerCase();

function summary(row: Row): MessageSummary {
  return {
    id: Number(row.id),
    messageId: String(row.message_id),
    createdAt: Number(row.created_at),
    from: String(row.sender),
    recipients: JSON.parse(String(row.recipients)),
    subject: String(row.subject),
    isSeen: row.seen === 1,
    emailId: row.email_id === null ? null : String(row.email_id),
  };
}
