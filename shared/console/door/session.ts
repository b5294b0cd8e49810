import { languageTags } from '../../language/languages.ts';
import { html } from '../../pages/html.ts';
import type { DeploymentContext, OperatorActor } from '../../services/context.ts';
import { readSession, type Session } from '../../services/operators/session.ts';
import { listWorkspaces } from '../../services/workspaces/list.ts';
import type { ConsoleReply, ConsoleRequest } from '../call.ts';
import { formOf } from '../frame/form.ts';
import { frameTexts } from '../frame/texts.ts';
import { consoleRoot, placeToGoOn } from '../root.ts';
import { sessionCookie, setLanguage } from './cookies.ts';
import { plainPage } from './plain.ts';
import { doorTexts as texts } from './texts.ts';

export async function sessionOf({ cookies, now }: ConsoleRequest): Promise<Session | null> {
  const token = cookies.get(sessionCookie());
  return token ? readSession(token, now) : null;
}

export const deploymentContext = (
  { language, now, requestId }: ConsoleRequest,
  actor: OperatorActor,
): DeploymentContext & { readonly actor: OperatorActor } => ({ actor, language, now, requestId });

/** Remembers the language, and goes back to where it was chosen: to a page of the console, whatever is asked. */
export function chooseLanguage({ form }: ConsoleRequest): ConsoleReply {
  const wanted = languageTags.find((tag) => tag === form.get('language'));
  const location = placeToGoOn(form.get('back') ?? '');
  return { kind: 'redirect', location, ...(wanted && { cookies: [setLanguage(wanted)] }) };
}

/** Where a session begins: the only workspace that there is, or a choice. */
export async function chooseWorkspace(
  request: ConsoleRequest,
  { actor }: Session,
  formToken: string,
): Promise<ConsoleReply> {
  const { language } = request;
  const [first, ...others] = await listWorkspaces(deploymentContext(request, actor));
  const isAsked = request.query.has('all');
  if (first && others.length === 0 && !isAsked) return { kind: 'redirect', location: `${consoleRoot()}/${first.id}` };
  const list = [first, ...others].flatMap((one) => one ?? []);
  const body =
    list.length === 0
      ? html`<section class="card"><p>${texts.none[language]}</p><pre tabindex="0"><code>npm run mailroom -- workspace create NAME</code></pre></section>`
      : html`<section class="card"><ul class="choices">${list.map(({ id, name }) => html`<li><a href="${consoleRoot()}/${id}"><bdi>${name}</bdi></a></li>`)}</ul></section>`;
  const title = (list.length === 0 ? texts.noneTitle : texts.choose)[language];
  const leave = formOf(
    { formToken },
    { action: `${consoleRoot()}/sign-out`, className: '' },
    html`<button class="link">${frameTexts.signOut[language]}</button>`,
  );
  return plainPage(language, { status: 200, title, body: html`${body}${leave}` });
}
