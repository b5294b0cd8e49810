import type { Language } from '../../language/languages.ts';
import { type Html, html } from '../../pages/html.ts';
import { stylePath } from '../assets/assets.ts';
import type { ConsoleReply, ConsoleRequest } from '../call.ts';
import { bareDocument } from '../frame/bare.ts';
import { formOf as signedForm, tokenField } from '../frame/form.ts';
import { doorTexts as texts } from './texts.ts';

/** How whoever runs the service makes a link. */
const linkCommand = 'npm run mailroom -- operator link';

/** A page before, or without, a session: a heading and a card. */
export function plainPage(
  language: Language,
  { status, title, body, cookies }: { status: number; title: string; body: Html; cookies?: readonly string[] },
): ConsoleReply {
  const document = bareDocument(
    { language, title: `${title} – ${texts.console[language]}`, style: stylePath },
    html`<main id="main" class="alone"><h1>${title}</h1>
${body}
</main>`,
  );
  return { kind: 'document', status, document, ...(cookies && { cookies }) };
}

export const howToSignIn = (language: Language): Html =>
  html`<p>${texts.how[language]}</p><pre tabindex="0"><code>${linkCommand}</code></pre>`;

/** 401: who looks is nobody. */
export function signedOutPage({ language }: ConsoleRequest): ConsoleReply {
  const body = html`<section class="card"><p>${texts.need[language]}</p>${howToSignIn(language)}</section>`;
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
  const again =
    formToken === null
      ? html`<form method="post" action="/console${path}">${button}</form>`
      : signedForm({ formToken }, { action: `/console${path}`, className: '' }, button);
  const what = formToken === null ? texts.keptSignedOut : texts.keptToken;
  const body = html`<section class="card"><p>${what[language]}</p>${formToken === null ? howToSignIn(language) : null}
<dl class="facts">${shown}</dl>${again}</section>`;
  return plainPage(language, { status: formToken === null ? 401 : 403, title: texts.keptTitle[language], body });
}

export function foreignPage({ language }: ConsoleRequest): ConsoleReply {
  const body = html`<section class="card"><p>${texts.foreign[language]}</p></section>`;
  return plainPage(language, { status: 403, title: texts.foreignTitle[language], body });
}

export function missingPage({ language }: ConsoleRequest): ConsoleReply {
  const body = html`<section class="card"><p>${texts.missing[language]}</p>
<p><a href="/console">${texts.home[language]}</a></p></section>`;
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
