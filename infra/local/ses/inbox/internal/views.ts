import { type Language, languages } from '../../../../../shared/language/languages.ts';
import { type Html, html } from '../../../../../shared/pages/html.ts';
import type { MessageSummary, RecordedEvent } from '../../mail/messages.ts';
import { decodeEncodedWords } from '../../mime/headers.ts';
import type { InboxLanguage } from './inboxTexts.ts';
import type { InboxMessage, MissingFeature } from './readMessage.ts';
import { statusOf } from './readMessage.ts';

export function layout({ code }: InboxLanguage, title: string, content: Html): string {
  const page = html`<!doctype html>
<html lang="${code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Mailroom</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/inbox/style.css">
<script src="/inbox/script.js" defer></script>
</head>
<body>
${content}
</body>
</html>`;
  return page.toString();
}

export interface ListPage {
  readonly search: string;
  readonly messages: readonly (MessageSummary & { readonly status: string })[];
  readonly hasMore: boolean;
  readonly after: number | undefined;
}

export function listView(language: InboxLanguage, page: ListPage): string {
  const { texts } = language;
  const query = new URLSearchParams({
    ...(page.search && { q: page.search }),
    ...(page.after && { after: `${page.after}` }),
  });
  return layout(
    language,
    texts.title,
    html`<header>
<h1>${texts.title}</h1>
<p class="soft">${texts.tagline}</p>
</header>
<main>
<form action="/inbox" role="search">
<label>${texts.search}<input name="q" type="search" value="${page.search}" autocomplete="off"></label>
<button>${texts.find}</button>
</form>
<div data-live="/inbox/list?${query.toString()}">${listFragment(language, page)}</div>
<p><button data-delete="/_inbox/messages" hidden>${texts.deleteAll}</button></p>
</main>`,
  );
}

/** The part of the list that the page's script loads again. */
export function listFragment({ code, texts }: InboxLanguage, { search, messages, hasMore, after }: ListPage): Html {
  const link = (last: number | undefined) =>
    `/inbox?${new URLSearchParams({ ...(search && { q: search }), ...(last && { after: `${last}` }) })}`;
  const rows = messages.map(
    (message) => html`<li><a href="/inbox/messages/${message.id}">
<span class="subject">${message.isSeen ? null : html`<span class="new">${texts.unread}</span> `}${message.subject || texts.noSubject}</span>
<span class="soft">${message.recipients.join(', ')} · ${message.status}</span>
<span class="soft">${moment(code, message.createdAt)}</span></a></li>`,
  );
  const older = hasMore ? html` <a href="${link(messages.at(-1)?.id)}" rel="next">${texts.older}</a>` : null;
  const newest = after ? html` <a href="${link(undefined)}">${texts.newest}</a>` : null;
  const list = html`<ul class="messages">${rows}</ul>`;
  const none = html`<p>${search ? texts.emptySearch : texts.empty}</p>`;
  return html`${rows.length > 0 ? list : none}<p>${newest}${older}</p>`;
}

export function messageView(
  language: InboxLanguage,
  message: InboxMessage,
  missing: readonly MissingFeature[],
): string {
  const { texts, code } = language;
  const subject = message.subject || texts.noSubject;
  const base = `/inbox/messages/${message.id}`;
  return layout(
    language,
    subject,
    html`<header>
<p><a href="/inbox">← ${texts.back}</a></p>
<h1>${subject}</h1>
<dl>
<dt>${texts.from}</dt><dd>${message.from}</dd>
<dt>${texts.to}</dt><dd>${message.recipients.join(', ')}</dd>
<dt>${texts.sent}</dt><dd>${moment(code, message.createdAt)}</dd>
<dt>${texts.size}</dt><dd>${message.size.toLocaleString(code)} ${texts.bytes}</dd>
<dt>${texts.id}</dt><dd>${message.messageId}</dd>
${message.emailId === null ? null : html`<dt>${texts.emailId}</dt><dd>${message.emailId}</dd>`}
<dt>${texts.status}</dt><dd>${statusOf(message.events)}</dd>
</dl>
<p><a href="${base}/source">${texts.source}</a></p>
<p><button data-delete="/_inbox/messages/${message.id}" hidden>${texts.delete}</button></p>
</header>
<main>
${htmlSection(language, message, base)}
${message.text === null ? null : html`<h2>${texts.text}</h2><pre tabindex="0">${message.text}</pre>`}
${attachmentSection(language, message, base)}
<h2>${texts.events}</h2>
<div data-live="${base}/events">${eventsFragment(language, message.events)}</div>
<h2>${texts.headers}</h2>
<table>${message.headers.map(({ name, value }) => html`<tr><th scope="row">${name}</th><td>${decodeEncodedWords(value)}</td></tr>`)}</table>
${linkSection(language, message)}
${message.html === null ? null : checkSection(language, missing)}
${sourceSection(language, message)}
</main>`,
  );
}

function htmlSection({ texts }: InboxLanguage, message: InboxMessage, base: string): Html | null {
  if (message.html === null) return null;
  return html`<h2>${texts.html}</h2>
<iframe title="${texts.html}" src="${base}/html" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer"></iframe>
<p class="soft">${texts.shown}</p>`;
}

function attachmentSection({ code, texts }: InboxLanguage, { attachments }: InboxMessage, base: string): Html | null {
  if (attachments.length === 0) return null;
  const items = attachments.map(
    (
      { filename, contentType, size },
      index,
    ) => html`<li><a href="${base}/attachments/${index}">${filename ?? texts.unnamed}</a>
<span class="soft">${contentType}, ${size.toLocaleString(code)} ${texts.bytes}</span></li>`,
  );
  return html`<h2>${texts.attachments}</h2><ul>${items}</ul>`;
}

function linkSection({ texts }: InboxLanguage, { links }: InboxMessage): Html | null {
  if (links.length === 0) return null;
  const items = links.map((url) => {
    const shown = /^(?:https?|mailto):/i.test(url)
      ? html`<a href="${url}" rel="noreferrer" target="_blank">${url}</a>`
      : html`${url}`;
    return html`<li>${shown}</li>`;
  });
  return html`<h2>${texts.links}</h2><ul class="links">${items}</ul>`;
}

function checkSection({ texts }: InboxLanguage, missing: readonly MissingFeature[]): Html {
  const items = missing.map(
    ({ feature, clients }) => html`<li><code>${feature}</code> <span class="soft">${clients.join(', ')}</span></li>`,
  );
  return html`<h2>${texts.check}</h2>
${items.length === 0 ? html`<p>${texts.checkNone}</p>` : html`<ul>${items}</ul>`}<p class="soft">${texts.checkBy}</p>`;
}

const shownSourceBytes = 200_000;

function sourceSection({ texts }: InboxLanguage, { source }: InboxMessage): Html {
  const isCut = source.length > shownSourceBytes;
  return html`<h2>${texts.sourceTitle}</h2>
<pre tabindex="0">${source.subarray(0, shownSourceBytes).toString('utf8')}</pre>${isCut ? html`<p class="soft">${texts.cut}</p>` : null}`;
}

/** The part of the message page that the script loads again. */
export function eventsFragment({ code, texts }: InboxLanguage, events: readonly RecordedEvent[]): Html {
  if (events.length === 0) return html`<p>${texts.noEvents}</p>`;
  const items = events.map(
    ({
      type,
      happenedAt,
      detail,
    }) => html`<li><strong>${type}</strong> ${subjectOf(detail)} <span class="soft">${moment(code, happenedAt)}</span>
<code>${JSON.stringify(detail)}</code></li>`,
  );
  return html`<ol class="events">${items}</ol>`;
}

/** The recipients or the link of an event: what a reader looks for first. */
function subjectOf(detail: Readonly<Record<string, unknown>>): string {
  const { recipients, bouncedRecipients, complainedRecipients, delayedRecipients, link, errorMessage } = detail;
  const named = [bouncedRecipients, complainedRecipients, delayedRecipients].flatMap((list) => list ?? []);
  const addresses = named.map((entry) => (entry as { emailAddress: string }).emailAddress);
  return [...((recipients as string[] | undefined) ?? []), ...addresses, link, errorMessage].filter(Boolean).join(', ');
}

function moment(code: Language, milliseconds: number): Html {
  const date = new Date(milliseconds);
  const text = date.toLocaleString(languages[code].locale, { dateStyle: 'medium', timeStyle: 'medium' });
  return html`<time datetime="${date.toISOString()}">${text}</time>`;
}
