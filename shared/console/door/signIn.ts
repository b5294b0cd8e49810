import { html } from '../../pages/html.ts';
import { signIn } from '../../services/operators/signIn.ts';
import type { ConsoleReply, ConsoleRequest } from '../call.ts';
import { consoleRoot } from '../root.ts';
import { setSession } from './cookies.ts';
import { howToSignIn, plainPage } from './plain.ts';
import { doorTexts as texts } from './texts.ts';

/** GET: one button. What opens a link by itself, a preview or a prefetch, does not use it up. */
export function showSignIn({ language, query }: ConsoleRequest): ConsoleReply {
  const body = html`<section class="card"><p>${texts.signInAsk[language]}</p>
<form method="post" action="${consoleRoot()}/sign-in"><input type="hidden" name="token" value="${query.get('token') ?? ''}">
<button>${texts.signIn[language]}</button></form></section>`;
  return plainPage(language, { status: 200, title: texts.signInTitle[language], body });
}

/** POST: exchanges the token for a session, once. */
export async function doSignIn(request: ConsoleRequest): Promise<ConsoleReply> {
  const { language, form } = request;
  const session = await signIn(request, { token: form.get('token') ?? '' });
  if (session) return { kind: 'redirect', location: consoleRoot(), cookies: [setSession(session.token)] };
  const body = html`<section class="card"><p>${texts.used[language]}</p>${howToSignIn(language, consoleRoot())}</section>`;
  return plainPage(language, { status: 410, title: texts.usedTitle[language], body });
}
