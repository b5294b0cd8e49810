import { html } from '../../pages/html.ts';
import { beginSignIn, signsInAtProvider } from '../../services/operators/provider/beginSignIn.ts';
import { endOfSession } from '../../services/operators/provider/endOfSession.ts';
import { finishSignIn, type Refusal } from '../../services/operators/provider/finishSignIn.ts';
import type { Session } from '../../services/operators/session.ts';
import type { ConsoleReply, ConsoleRequest } from '../call.ts';
import { consoleRoot, placeToGoOn } from '../root.ts';
import { endSession, endTransaction, setSession, setTransaction, transactionCookie } from './cookies.ts';
import { howToSignIn, missingPage, plainPage } from './plain.ts';
import { doorTexts as texts } from './texts.ts';

const longestPlace = 1000;

/** GET: off to the provider. Whoever makes somebody else's browser come here has begun that one's sign-in, not theirs. */
export async function startAtProvider(request: ConsoleRequest): Promise<ConsoleReply> {
  if (!signsInAtProvider()) return missingPage(request);
  const wanted = placeToGoOn(request.query.get('back') ?? '');
  // The browser keeps it in a cookie, which holds 4 kB.
  const back = wanted.length > longestPlace ? consoleRoot() : wanted;
  const isAnew = request.query.has('anew');
  const begun = await beginSignIn(request, { back, isAnew });
  if (!begun) return refusedPage(request, 'unreachable');
  return { kind: 'redirect', location: begun.url, cookies: [setTransaction(begun.transaction)] };
}

/** GET: back from the provider, with a session or without. What was begun is over either way. */
export async function returnFromProvider(request: ConsoleRequest): Promise<ConsoleReply> {
  if (!signsInAtProvider()) return missingPage(request);
  const { cookies, query } = request;
  const transaction = cookies.get(transactionCookie()) ?? '';
  const entered = await finishSignIn(request, { transaction, query });
  if ('refusal' in entered) return refusedPage(request, entered.refusal);
  const location = placeToGoOn(entered.back);
  return { kind: 'redirect', location, cookies: [setSession(entered.token), endTransaction()] };
}

const refusals = {
  interrupted: { status: 400, title: 'interruptedTitle' },
  unreachable: { status: 502, title: 'interruptedTitle' },
  unverified: { status: 403, title: 'uninvitedTitle' },
  uninvited: { status: 403, title: 'uninvitedTitle' },
  taken: { status: 403, title: 'uninvitedTitle' },
} as const satisfies Readonly<Record<Refusal, { readonly status: number; readonly title: keyof typeof texts }>>;

function refusedPage({ language }: ConsoleRequest, refusal: Refusal): ConsoleReply {
  const body = html`<section class="card"><p>${texts[refusal][language]}</p>${howToSignIn(language, consoleRoot(), true)}</section>`;
  const { status, title } = refusals[refusal];
  return plainPage(language, { status, title: texts[title][language], body, cookies: [endTransaction()] });
}

/**
 * POST: ends the session of this browser and, of whoever signed in at the provider, the one there. By a page between, since
 * a form of the console may lead nowhere else (`form-action`), not even by way of an answer.
 */
export async function signOut({ language }: ConsoleRequest, { isInvited }: Session): Promise<ConsoleReply> {
  const cookies = [endSession()];
  const goesOnTo = isInvited && signsInAtProvider() ? await endOfSession() : null;
  if (goesOnTo === null) return { kind: 'redirect', location: consoleRoot(), cookies };
  const body = html`<section class="card"><p>${texts.leaving[language]}</p>
<p><a class="button" href="${goesOnTo}">${texts.goOn[language]}</a></p></section>`;
  return plainPage(language, { status: 200, title: texts.leavingTitle[language], body, cookies, goesOnTo });
}
