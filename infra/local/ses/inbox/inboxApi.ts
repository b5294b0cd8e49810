import type { SesContext } from '../context.ts';
import { jsonReply, notFoundReply, type Reply } from '../http.ts';
import {
  deleteMessages,
  eventsOf,
  findMessage,
  listMessages,
  type MessageSummary,
  messageSource,
  type RecordedEvent,
} from '../mail/messages.ts';
import { indexTexts, readInboxMessage, statusOf } from './internal/readMessage.ts';

const base = '/_inbox/messages';
const defaultLimit = 50;
const maximumLimit = 1000;

/** The inbox as JSON, for tests and tools. Null for any other path. */
export async function inboxApi(context: SesContext, method: string, url: URL): Promise<Reply | null> {
  if (url.pathname === base && method === 'GET') return await list(context, url.searchParams);
  if (url.pathname === base && method === 'DELETE') {
    deleteMessages(context.database);
    return { status: 204 };
  }
  const [, single = ''] = new RegExp(`^${base}/([^/]+)$`).exec(url.pathname) ?? [];
  if (single && method === 'DELETE') return remove(context, single);
  const [, id = '', source] = new RegExp(`^${base}/([^/]+)(/source)?$`).exec(url.pathname) ?? [];
  if (!id || method !== 'GET') return null;
  return source ? sourceReply(context, id) : await detail(context, id);
}

/** The message is deleted when this is answered; 404 when there was none. */
function remove({ database }: SesContext, id: string): Reply {
  const message = findMessage(database, id);
  if (!message) return notFoundReply();
  deleteMessages(database, message.id);
  return { status: 204 };
}

/**
 * Newest first. `?to=` exact recipient, `?q=` text in sender, recipients, subject or body, `?limit=`, `?after=` the last
 * id of the previous page.
 */
async function list(context: SesContext, query: URLSearchParams): Promise<Reply> {
  const to = query.get('to') ?? undefined;
  const containing = query.get('q')?.trim() || undefined;
  if (containing) await indexTexts(context);
  const limit = Math.min(positive(query.get('limit')) ?? defaultLimit, maximumLimit);
  const found = listMessages(context.database, {
    to,
    containing,
    after: positive(query.get('after')),
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const more = found.length > limit;
  return jsonReply(200, {
    data: page.map((message) => wire(message, eventsOf(context.database, message.id, context.now()))),
    has_more: more,
    next_after: more ? page.at(-1)?.id : null,
  });
}

/** A positive whole number; undefined for any other text. */
export function positive(text: string | null): number | undefined {
  return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** The MIME message as a download. */
export function sourceReply(context: SesContext, id: string): Reply {
  const message = findMessage(context.database, id);
  if (!message) return notFoundReply();
  const headers = {
    'Content-Type': 'message/rfc822',
    'Content-Disposition': `attachment; filename="${message.messageId}.eml"`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
  };
  return { status: 200, headers, body: messageSource(context.database, message.id) };
}

async function detail(context: SesContext, id: string): Promise<Reply> {
  const message = await readInboxMessage(context, id);
  if (!message) return notFoundReply();
  return jsonReply(200, {
    ...wire(message, message.events),
    size: message.size,
    headers: message.headers,
    html: message.html,
    text: message.text,
    attachments: message.attachments.map((attachment) => ({
      filename: attachment.filename ?? null,
      content_type: attachment.contentType,
      size: attachment.size,
      disposition: attachment.contentDisposition,
      content_id: attachment.cid ?? null,
    })),
    events: message.events.map(wireEvent),
  });
}

function wire(message: MessageSummary, events: readonly RecordedEvent[]) {
  const { id, messageId, emailId, from, recipients, subject, createdAt, isSeen } = message;
  return {
    id,
    message_id: messageId,
    email_id: emailId,
    from,
    recipients,
    subject,
    status: statusOf(events),
    seen: isSeen,
    created_at: new Date(createdAt).toISOString(),
  };
}

function wireEvent({ type, happenedAt, detail: facts }: RecordedEvent) {
  return { type, timestamp: new Date(happenedAt).toISOString(), detail: facts };
}
