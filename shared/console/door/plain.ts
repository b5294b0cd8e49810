import type { Language } from '../../language/languages.ts';
import { type Html, html } from '../../pages/html.ts';
import { publicUrl } from '../../platform/config.ts';
import { signsInAtProvider } from '../../services/operators/provider/beginSignIn.ts';
import { stylePath } from '../assets/assets.ts';
import type { ConsoleReply, ConsoleRequest } from '../call.ts';
import { bareDocument } from '../frame/bare.ts';
import { formOf as signedForm, tokenField } from '../frame/form.ts';
import { consoleRoot } from '../root.ts';
import { doorTexts as texts } from './texts.ts';

/** How whoever runs the service makes a link. */
/** Of a deployment the command line must be told which; on a laptop it finds the service that runs. */
const linkCommand = (): string =>
  `npm run mailroom -- ${publicUrl().startsWith('https:') ? '--stack NAME ' : ''}operator link`;

interface PlainContent {
  readonly status: number;
  readonly title: string;
  readonly body: Html;
  readonly cookies?: readonly string[];
  /** Where the browser goes on by itself. */
  readonly goesOnTo?: string;
}

/** A page before, or without, a session: a heading and a card. */
export function plainPage(language: Language, content: PlainContent): ConsoleReply {
  const { status, title, body, cookies, goesOnTo } = content;
  const head = { language, title: `${title} – ${texts.console[language]}`, style: stylePath() };
  const document = bareDocument(
    { ...head, ...(goesOnTo !== undefined && { goesOnTo }) },
    html`<main id="main" class="alone"><h1>${title}</h1>
${body}
</main>`,
  );
  return { kind: 'document', status, document, ...(cookies && { cookies }) };
}

/**
 * The way in: at the provider, and where there is none by a link. `back` is the page that was wanted; null where this one
 * must stay open, and the way in opens beside it. `isAnew`: not as whoever the provider still knows them to be.
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

/** 401: who looks is nobody. */
export function signedOutPage({ language, path, query }: ConsoleRequest): ConsoleReply {
  const back = `${consoleRoot()}${path}${query.size > 0 ? `?${query}` : ''}`;
  const what = signsInAtProvider() ? texts.needProvider : texts.need;
  const body = html`<section class="card"><p>${what[language]}</p>${howToSignIn(language, back)}</section>`;
  return plainPage(language, { status: 401, title: texts.needTitle[language], body });
}

/**
 * A form that came without a session, or with another one's token: nothing is done, and nothing that was written is
 * lost. It is sent again by hand, so that its writer has seen what it does.
 */
export function keptPage(request: ConsoleRequest, formToken: string | null): ConsoleReply {
  const { language, form, path } = request;
  const fields = [...form].filter(([name]) => name !== tokenField);
  const inputs = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
  const shown = fields.map(([name, value]) => html`<dt>${name}</dt><dd><pre tabindex="0">${value}</pre></dd>`);
  const button = html`${inputs}<button>${texts.again[language]}</button>`;
  const action = `${consoleRoot()}${path}`;
  const again =
    formToken === null
      ? html`<form method="post" action="${action}">${button}</form>`
      : signedForm({ formToken }, { action, className: '' }, button);
  const signedOut = signsInAtProvider() ? texts.keptSignedOutProvider : texts.keptSignedOut;
  const what = formToken === null ? signedOut : texts.keptToken;
  const body = html`<section class="card"><p>${what[language]}</p>${formToken === null ? howToSignIn(language, null) : null}
<dl class="facts">${shown}</dl>${again}</section>`;
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

/** 500 says nothing of the inside, only what finds the failure in the log. */
export function failedPage(language: Language, requestId: string): ConsoleReply {
  const body = html`<section class="card"><p>${texts.failed[language]} <code>${requestId}</code></p></section>`;
  return plainPage(language, { status: 500, title: texts.failedTitle[language], body });
}

export function tooLargePage(language: Language): ConsoleReply {
  const body = html`<section class="card"><p>${texts.tooLarge[language]}</p></section>`;
  return plainPage(language, { status: 413, title: texts.refusedTitle[language], body });
}
