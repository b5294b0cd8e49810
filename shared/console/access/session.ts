import { languageTags } from '../../language/languages.ts';
import { html } from '../../pages/html.ts';
import type { DeploymentContext, OperatorActor } from '../../services/context.ts';
import { readSession, type Session } from '../../services/operators/session.ts';
import { sendingState } from '../../services/sendingHold.ts';
import { listWorkspaces } from '../../services/workspaces/workspaces.ts';
import type { ConsoleReply, ConsoleRequest } from '../call.ts';
import { formOf } from '../layout/form.ts';
import { heldTexts, layoutTexts } from '../layout/layoutTexts.ts';
import { consoleRoot, returnPath } from '../paths.ts';
import { accessTexts as texts } from './accessTexts.ts';
import { sessionCookie, setLanguage } from './cookies.ts';
import { plainPage } from './plainPages.ts';

export async function sessionOf({ cookies, now }: ConsoleRequest): Promise<Session | null> {
  const token = cookies.get(sessionCookie());
  return token ? readSession(token, now) : null;
}

export const deploymentContext = (
  { language, now, requestId }: ConsoleRequest,
  actor: OperatorActor,
): DeploymentContext & { readonly actor: OperatorActor } => ({ actor, language, now, requestId });

/** Stores the language in a cookie and returns to the page where it was chosen, which must be one of the console. */
export function chooseLanguage({ form }: ConsoleRequest): ConsoleReply {
  const chosen = languageTags.find((tag) => tag === form.get('language'));
  const location = returnPath(form.get('back') ?? '');
  return { kind: 'redirect', location, ...(chosen && { cookies: [setLanguage(chosen)] }) };
}

/** The first page of a session: the only workspace, or a choice. */
export async function chooseWorkspace(
  request: ConsoleRequest,
  { actor }: Session,
  formToken: string,
): Promise<ConsoleReply> {
  const { language } = request;
  const open = (await listWorkspaces(deploymentContext(request, actor))).filter(({ deleting }) => !deleting);
  const [first, ...others] = open;
  const showsAll = request.query.has('all');
  if (first && others.length === 0 && !showsAll) return { kind: 'redirect', location: `${consoleRoot()}/${first.id}` };
  const body =
    open.length === 0
      ? html`<section class="card"><p>${texts.none[language]}</p><pre tabindex="0"><code>npm run mailroom -- workspace create NAME</code></pre></section>`
      : html`<section class="card"><ul class="choices">${open.map(({ id, name }) => html`<li><a href="${consoleRoot()}/${id}"><bdi>${name}</bdi></a></li>`)}</ul></section>`;
  const title = (open.length === 0 ? texts.noneTitle : texts.choose)[language];
  const signOutForm = formOf(
    { formToken },
    { action: `${consoleRoot()}/sign-out`, className: '' },
    html`<button class="link">${layoutTexts.signOut[language]}</button>`,
  );
  const held = (await sendingState()).isHeld
    ? html`<div class="say bad" role="status"><p>${heldTexts.held[language]}</p></div>`
    : null;
  return plainPage(language, { status: 200, title, body: html`${held}${body}${signOutForm}` });
}
