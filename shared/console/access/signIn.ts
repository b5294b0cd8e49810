import { html } from '../../pages/html.ts';
import { signInByLink } from '../../services/operators/linkSignIn.ts';
import {
  beginSignIn,
  endOfSession,
  finishSignIn,
  type SignInRefusal,
  signsInAtProvider,
} from '../../services/operators/providerSignIn.ts';
import { endSession, type Session } from '../../services/operators/session.ts';
import type { ConsoleReply, ConsoleRequest } from '../call.ts';
import { consoleRoot, returnPath } from '../paths.ts';
import { accessTexts as texts } from './accessTexts.ts';
import { clearSession, endTransaction, setSession, setTransaction, transactionCookie } from './cookies.ts';
import { howToSignIn, missingPage, plainPage } from './plainPages.ts';

/** GET: one button, so that a link preview or a prefetch does not use up the token. */
export function showSignIn({ language, query }: ConsoleRequest): ConsoleReply {
  const body = html`<section class="card"><p>${texts.signInAsk[language]}</p>
<form method="post" action="${consoleRoot()}/sign-in"><input type="hidden" name="token" value="${query.get('token') ?? ''}">
<button>${texts.signIn[language]}</button></form></section>`;
  return plainPage(language, { status: 200, title: texts.signInTitle[language], body });
}

/** POST: exchanges the token for a session, once. */
export async function doSignIn(request: ConsoleRequest): Promise<ConsoleReply> {
  const { language, form } = request;
  const session = await signInByLink(request, { token: form.get('token') ?? '' });
  if (session) return { kind: 'redirect', location: consoleRoot(), cookies: [setSession(session.token)] };
  const body = html`<section class="card"><p>${texts.used[language]}</p>${howToSignIn(language, consoleRoot())}</section>`;
  return plainPage(language, { status: 410, title: texts.usedTitle[language], body });
}

const longestPath = 1000;

/** GET: redirects to the provider. */
export async function startAtProvider(request: ConsoleRequest): Promise<ConsoleReply> {
  if (!signsInAtProvider()) return missingPage(request);
  const requested = returnPath(request.query.get('back') ?? '');
  // It is kept in a cookie, which holds 4 kB.
  const back = requested.length > longestPath ? consoleRoot() : requested;
  const isAnew = request.query.has('anew');
  const begun = await beginSignIn(request, { back, isAnew });
  if (!begun) return refusedPage(request, 'unreachable');
  return { kind: 'redirect', location: begun.url, cookies: [setTransaction(begun.transaction)] };
}

/** GET: the return from the provider: starts a session, or says why not. The transaction ends either way. */
export async function returnFromProvider(request: ConsoleRequest): Promise<ConsoleReply> {
  if (!signsInAtProvider()) return missingPage(request);
  const { cookies, query } = request;
  const transaction = cookies.get(transactionCookie()) ?? '';
  const entered = await finishSignIn(request, { transaction, query });
  if ('refusal' in entered) return refusedPage(request, entered.refusal);
  const location = returnPath(entered.back);
  return { kind: 'redirect', location, cookies: [setSession(entered.token), endTransaction()] };
}

const refusals = {
  interrupted: { status: 400, title: 'interruptedTitle' },
  unreachable: { status: 502, title: 'interruptedTitle' },
  unverified: { status: 403, title: 'uninvitedTitle' },
  uninvited: { status: 403, title: 'uninvitedTitle' },
  taken: { status: 403, title: 'uninvitedTitle' },
} as const satisfies Readonly<Record<SignInRefusal, { readonly status: number; readonly title: keyof typeof texts }>>;

function refusedPage({ language }: ConsoleRequest, refusal: SignInRefusal): ConsoleReply {
  const body = html`<section class="card"><p>${texts[refusal][language]}</p>${howToSignIn(language, consoleRoot(), true)}</section>`;
  const { status, title } = refusals[refusal];
  return plainPage(language, { status, title: texts[title][language], body, cookies: [endTransaction()] });
}

/**
 * POST: ends the session, in the store and in this browser, and after a sign-in at the provider the session there. A
 * page comes between, since the policy `form-action` forbids a redirect of the form to another origin.
 */
export async function signOut({ language }: ConsoleRequest, session: Session): Promise<ConsoleReply> {
  await endSession(session);
  const cookies = [clearSession()];
  const nextUrl = session.isInvited && signsInAtProvider() ? await endOfSession() : null;
  if (nextUrl === null) return { kind: 'redirect', location: consoleRoot(), cookies };
  const body = html`<section class="card"><p>${texts.leaving[language]}</p>
<p><a class="button" href="${nextUrl}">${texts.goOn[language]}</a></p></section>`;
  return plainPage(language, { status: 200, title: texts.leavingTitle[language], body, cookies, nextUrl });
}
