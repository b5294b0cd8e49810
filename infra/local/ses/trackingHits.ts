import type { SesContext } from './context.ts';
import { click, type EventDraft, open, type Visitor } from './events/events.ts';
import { notFoundReply, type Reply } from './http.ts';
import { type EventTarget, findEventTarget, storeEvent } from './mail/messages.ts';

const transparentGif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const uncached = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };

/** Answers requests for tracking pixels and tracked links, with an event each. Null for other paths. */
export function trackingHit(context: SesContext, method: string, path: string, visitor: Visitor): Reply | null {
  const [, kind, id = '', index = ''] = /^\/(I0|L0)\/([0-9a-f-]{1,80})(?:\/(\d{1,3}))?$/.exec(path) ?? [];
  if (kind === undefined || method !== 'GET') return null;
  const target = findEventTarget(context.database, id);
  if (!target) return notFoundReply();
  return kind === 'I0' ? opened(context, target, visitor) : clicked(context, target, Number(index), visitor);
}

function opened(context: SesContext, target: EventTarget, visitor: Visitor): Reply {
  record(context, target, open(context.now(), visitor));
  return { status: 200, headers: { 'Content-Type': 'image/gif', ...uncached }, body: transparentGif };
}

/** Redirects only to links of the message itself, so that it cannot be used as an open redirect. */
function clicked(context: SesContext, target: EventTarget, index: number, visitor: Visitor): Reply {
  const link = target.links[index];
  if (!link) return notFoundReply();
  const tags = Object.keys(link.tags).length > 0 ? link.tags : null;
  record(context, target, click(context.now(), visitor, link.url, tags));
  return { status: 302, headers: { Location: link.url, ...uncached } };
}

function record(context: SesContext, target: EventTarget, draft: EventDraft): void {
  context.database.transaction(() => storeEvent(context.database, target, draft));
  context.publisher.wake(draft.happenedAt);
}
