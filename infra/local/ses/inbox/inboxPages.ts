import { html } from '../../../../shared/pages/html.ts';
import { textFilesBelow, textOfFile } from '../../../../shared/platform/textFiles.ts';
import type { SesContext } from '../context.ts';
import { notFoundReply, type Reply } from '../http.ts';
import { eventsOf, findMessage, listMessages, markSeen } from '../mail/messages.ts';
import { positive, sourceReply } from './inboxApi.ts';
import { type InboxLanguage, inboxLanguage } from './internal/inboxTexts.ts';
import { indexTexts, missingFeatures, readInboxMessage, statusOf } from './internal/readMessage.ts';
import { eventsFragment, type ListPage, layout, listFragment, listView, messageView } from './internal/views.ts';

const pageSize = 50;

const browserFiles = textFilesBelow(new URL('./browser/', import.meta.url));

/** Pages of the inbox load this server's own style sheet and script and nothing else, and cannot be framed. */
const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
  Vary: 'Accept-Language',
};

/** The inbox as pages. Null for any other path. */
export async function inboxPage(
  context: SesContext,
  method: string,
  url: URL,
  acceptLanguage: string,
): Promise<Reply | null> {
  if (method !== 'GET') return null;
  const language = inboxLanguage(acceptLanguage);
  const path = url.pathname.replace(/\/$/, '');
  if (path === '/inbox') return page(listView(language, await readList(context, url.searchParams)));
  if (path === '/inbox/list') return page(listFragment(language, await readList(context, url.searchParams)).toString());
  if (path === '/inbox/style.css') return asset('text/css', 'inbox.css');
  if (path === '/inbox/script.js') return asset('text/javascript', 'inbox.js');
  const [, id, part = ''] = /^\/inbox\/messages\/(\d{1,15})((?:\/[a-z0-9]+){0,2})$/.exec(path) ?? [];
  return id ? await messagePart(context, language, id, part) : null;
}

async function readList(context: SesContext, query: URLSearchParams): Promise<ListPage> {
  const search = (query.get('q') ?? '').trim();
  if (search !== '') await indexTexts(context);
  const after = positive(query.get('after'));
  const found = listMessages(context.database, { containing: search || undefined, after, limit: pageSize + 1 });
  const messages = found.slice(0, pageSize).map((message) => ({
    ...message,
    status: statusOf(eventsOf(context.database, message.id, context.now())),
  }));
  return { search, after, messages, hasMore: found.length > pageSize };
}

async function messagePart(context: SesContext, language: InboxLanguage, id: string, part: string) {
  if (part === '/source') return sourceReply(context, id);
  if (part === '/events') return eventsPart(context, language, id);
  const message = await readInboxMessage(context, id);
  if (!message) return missing(language);
  if (part === '') {
    markSeen(context.database, message.id);
    const missing = message.html === null ? [] : await missingFeatures(message.html);
    return page(messageView(language, message, missing));
  }
  if (part === '/html') return message.shownHtml === null ? notFoundReply() : mailHtml(context, message.shownHtml);
  const attachment = message.attachments[Number(/^\/attachments\/(\d{1,3})$/.exec(part)?.[1] ?? -1)];
  return attachment ? download(attachment.filename ?? 'attachment', attachment.content) : notFoundReply();
}

function eventsPart(context: SesContext, language: InboxLanguage, id: string): Reply {
  const message = findMessage(context.database, id);
  if (!message) return notFoundReply();
  return page(eventsFragment(language, eventsOf(context.database, message.id, context.now())).toString());
}

function page(markup: string, status = 200): Reply {
  return { status, headers: { 'Content-Type': 'text/html; charset=utf-8', ...pageHeaders }, body: markup };
}

function missing(language: InboxLanguage): Reply {
  const { texts } = language;
  const content = html`<main><h1>${texts.notFound}</h1><p><a href="/inbox">${texts.back}</a></p></main>`;
  return page(layout(language, texts.notFound, content), 404);
}

function asset(type: string, name: string): Reply {
  return {
    status: 200,
    headers: { 'Content-Type': `${type}; charset=utf-8`, ...pageHeaders },
    body: textOfFile(browserFiles, name),
  };
}

/**
 * Mail is untrusted: it gets an opaque origin, no scripts, no forms, and only this server's tracking pixel and embedded
 * images. Links open in a new tab, since the frame may not navigate.
 */
function mailHtml(context: SesContext, markup: string): Reply {
  const policy = [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    `img-src data: ${context.endpoint}/I0/`,
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ];
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy.join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-DNS-Prefetch-Control': 'off',
    'Cache-Control': 'no-store',
  };
  return { status: 200, headers, body: `<!doctype html><base target="_blank">${markup}` };
}

/** Always a download, whatever the type of the attachment. */
function download(name: string, content: Buffer): Reply {
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  const headers = {
    'Content-Type': 'application/octet-stream',
    'Content-Disposition': `attachment; filename*=UTF-8''${encoded}`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': 'no-store',
  };
  return { status: 200, headers, body: content };
}
