import type { SesContext } from '../context.ts';
import { jsonReply, notFoundReply, type Reply } from '../http.ts';
import {
  deleteMessages,
  findMessage,
  listMessages,
  type MessageSummary,
  messageSource,
  type RecordedEvent,
} from '../mail/messages.ts';
import { readInboxMessage } from './parsed.ts';

const base = '/_inbox/messages';
const defaultLimit = 50;
const maximumLimit = 1000;

/** The inbox as JSON, for tests and tools. Null when it is no address of it. */
export async function inboxApi(context: SesContext, method: string, url: URL): Promise<Reply | null> {
  if (url.pathname === base && method === 'GET') return list(context, url.searchParams);
  if (url.pathname === base && method === 'DELETE') {
    deleteMessages(context.database);
    return { status: 204 };
  }
  const [, id = '', source] = new RegExp(`^${base}/([^/]+)(/source)?$`).exec(url.pathname) ?? [];
  if (!id || method !== 'GET') return null;
  return source ? sourceReply(context, id) : await detail(context, id);
}

/** `?to=` exact recipient, `?limit=`, `?after=` the id where the page before ended. Newest first. */
function list(context: SesContext, query: URLSearchParams): Reply {
  const to = query.get('to') ?? undefined;
  const limit = Math.min(positive(query.get('limit')) ?? defaultLimit, maximumLimit);
  const found = listMessages(context.database, { to, after: positive(query.get('after')), limit: limit + 1 });
  const page = found.slice(0, limit);
  const more = found.length > limit;
  return jsonReply(200, { data: page.map(wire), has_more: more, next_after: more ? page.at(-1)?.id : null });
}

/** A positive whole number, or nothing. */
export function positive(text: string | null): number | undefined {
  return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** The bytes that every recipient gets, as a file. */
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
    ...wire(message),
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

function wire({ id, messageId, from, recipients, subject, createdAt }: MessageSummary) {
  return { id, message_id: messageId, from, recipients, subject, created_at: new Date(createdAt).toISOString() };
}

function wireEvent({ type, happenedAt, detail: facts }: RecordedEvent) {
  return { type, timestamp: new Date(happenedAt).toISOString(), detail: facts };
}
