import type { Language } from '../../language/languages.ts';
import type { Text } from '../../language/text.ts';
import { type Html, html } from '../../pages/html.ts';
import { publicUrl } from '../../platform/config.ts';
import { signsInAtProvider } from '../../services/operators/providerSignIn.ts';
import type { ConsoleReply, ConsoleRequest } from '../call.ts';
import { formOf as signedForm, tokenField } from '../layout/form.ts';
import { documentOf } from '../layout/page.ts';
import { consoleRoot } from '../paths.ts';
import { accessTexts as texts } from './accessTexts.ts';

/**
 * The command that creates a sign-in link. On AWS the command needs the stack's name; a local service is found by
 * itself.
 */
const linkCommand = (): string =>
  `npm run mailroom -- ${publicUrl().startsWith('https:') ? '--stack NAME ' : ''}operator link`;

interface PlainContent {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  readonly cookies?: readonly string[];
  /** The page that the browser opens next, without a click. */
  readonly nextUrl?: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** A page without a session: a heading and a card. */
export function plainPage(language: Language, content: PlainContent): ConsoleReply {
  const { status, title, body, cookies, nextUrl, retryAfterSeconds } = content;
  const document = documentOf(
    {
      language,
      title: `${title} – ${texts.console[language]}`,
      styles: ['console.css'],
      scripts: [],
      nextUrl,
    },
    html`<main id="main" class="alone"><h1>${title}</h1>
${body}
</main>`,
  );
  return { kind: 'document', status, document, ...(cookies && { cookies }), retryAfterSeconds };
}

/**
 * How to sign in: at the provider, or by a link if there is none. `back` is the page to return to; null keeps this page
 * open and opens the sign-in in a new tab. `isAnew` ignores the provider's own session.
 */
export function howToSignIn(language: Language, back: string | null, isAnew = false): Html {
  if (!signsInAtProvider()) {
    return html`<p>${texts.how[language]}</p><pre tabindex="0"><code>${linkCommand()}</code></pre>`;
  }
  const query = new URLSearchParams({ ...(back !== null && { back }), ...(isAnew && { anew: '1' }) });
  const beside = back === null ? html` target="_blank" rel="noopener"` : null;
  const start = `${consoleRoot()}/session/start?${query}`;
  return html`<p><a class="button" href="${start}"${beside}>${texts.signIn[language]}</a></p>`;
}

/** 401: there is no session. */
export function signedOutPage({ language, path, query }: ConsoleRequest): ConsoleReply {
  const back = `${consoleRoot()}${path}${query.size > 0 ? `?${query}` : ''}`;
  const what = signsInAtProvider() ? texts.needProvider : texts.need;
  const body = html`<section class="card"><p>${what[language]}</p>${howToSignIn(language, back)}</section>`;
  return plainPage(language, { status: 401, title: texts.needTitle[language], body });
}

/**
 * Answers a form that came without a session, or with the token of another one. Nothing is changed: the page shows the
 * submitted fields, and the operator submits them again.
 */
export function keptPage(request: ConsoleRequest, formToken: string | null): ConsoleReply {
  const { language, form, path } = request;
  const fields = [...form].filter(([name]) => name !== tokenField);
  const inputs = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  const facts = fields.map(([name, value]) => html`<dt>${name}</dt><dd><pre tabindex="0">${value}</pre></dd>`);
  const button = html`${inputs}<button>${texts.again[language]}</button>`;
  const action = `${consoleRoot()}${path}`;
  const again =
    formToken === null
      ? html`<form method="post" action="${action}">${button}</form>`
      : signedForm({ formToken }, { action, className: '' }, button);
  const signedOut = signsInAtProvider() ? texts.keptSignedOutProvider : texts.keptSignedOut;
  const what = formToken === null ? signedOut : texts.keptToken;
  const body = html`<section class="card"><p>${what[language]}</p>${formToken === null ? howToSignIn(language, null) : null}
<dl class="facts">${facts}</dl>${again}</section>`;
  return plainPage(language, { status: formToken === null ? 401 : 403, title: texts.keptTitle[language], body });
}

export function foreignPage({ language }: ConsoleRequest): ConsoleReply {
  const body = html`<section class="card"><p>${texts.foreign[language]}</p></section>`;
  return plainPage(language, { status: 403, title: texts.foreignTitle[language], body });
}

export function missingPage({ language }: ConsoleRequest): ConsoleReply {
  const body = html`<section class="card"><p>${texts.missing[language]}</p>
<p><a href="${consoleRoot()}">${texts.home[language]}</a></p></section>`;
  return plainPage(language, { status: 404, title: texts.missingTitle[language], body });
}

/** 409: the workspace is being deleted. */
export function endedPage({ language }: ConsoleRequest, text: Text): ConsoleReply {
  const body = html`<section class="card"><p>${text[language]}</p>
<p><a href="${consoleRoot()}?all">${texts.home[language]}</a></p></section>`;
  return plainPage(language, { status: 409, title: texts.refusedTitle[language], body });
}

/** 500, or 503 when the same request may soon succeed, with the reference that finds the error in the log. */
export function failedPage(language: Language, requestId: string, retryAfterSeconds?: number): ConsoleReply {
  const isPassing = retryAfterSeconds !== undefined;
  const what = isPassing ? texts.unavailable : texts.failed;
  const body = html`<section class="card"><p>${what[language]} <code>${requestId}</code></p></section>`;
  const status = isPassing ? 503 : 500;
  return plainPage(language, { status, title: texts.failedTitle[language], body, retryAfterSeconds });
}

export function tooLargePage(language: Language): ConsoleReply {
  const body = html`<section class="card"><p>${texts.tooLarge[language]}</p></section>`;
  return plainPage(language, { status: 413, title: texts.refusedTitle[language], body });
}
