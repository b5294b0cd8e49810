import { errorCodes, ServiceError } from '../../contract/errors.ts';
import { matchPath } from '../../contract/match.ts';
import { html } from '../../pages/html.ts';
import { publicUrl } from '../../platform/config.ts';
import { addLogFields } from '../../platform/logContext.ts';
import { placesOf } from '../../services/operators/places.ts';
import { formTokenOf, isFormTokenOf, type Session } from '../../services/operators/session.ts';
import { requireRole } from '../../services/requireOperator.ts';
import { enterWorkspace } from '../../services/workspaces/enter.ts';
import { assetAt } from '../assets/assets.ts';
import { type ConsoleCall, type ConsolePage, type ConsoleReply, type ConsoleRequest, placeOf } from '../call.ts';
import { tokenField } from '../frame/form.ts';
import { pageOf, rooms } from '../frame/layout.ts';
import { consolePages } from '../pages.ts';
import { foreignPage, keptPage, missingPage, signedOutPage } from './plain.ts';
import { returnFromProvider, signOut, startAtProvider } from './provider.ts';
import { chooseLanguage, chooseWorkspace, deploymentContext, sessionOf } from './session.ts';
import { doSignIn, showSignIn } from './signIn.ts';
import { doorTexts as texts } from './texts.ts';

/** What the console says to a request: who it is first, then whether the form is theirs, then the page. */
export async function answer(request: ConsoleRequest): Promise<ConsoleReply> {
  const { method, path } = request;
  const asset = method === 'GET' ? assetAt(path) : null;
  if (asset) return asset;
  // Browsers say where a form comes from; whoever says nothing is no browser with a session.
  if (method === 'POST' && request.origin !== new URL(publicUrl()).origin) return foreignPage(request);
  if (path === '/sign-in') return method === 'GET' ? showSignIn(request) : doSignIn(request);
  if (path === '/session/start' && method === 'GET') return startAtProvider(request);
  if (path === '/session/return' && method === 'GET') return returnFromProvider(request);
  const session = await sessionOf(request);
  if (!session) return method === 'GET' || request.form.size === 0 ? signedOutPage(request) : keptPage(request, null);
  const formToken = await formTokenOf(session);
  if (method === 'POST' && !(await isFormTokenOf(session, request.form.get(tokenField) ?? ''))) {
    return keptPage(request, formToken);
  }
  if (path === '/sign-out' && method === 'POST') return signOut(request, session);
  if (path === '/language' && method === 'POST') return chooseLanguage(request);
  if (path === '' || path === '/') return chooseWorkspace(request, session, formToken);
  return roomOf(request, session, formToken);
}

async function roomOf(request: ConsoleRequest, session: Session, formToken: string): Promise<ConsoleReply> {
  const found = pageAt(request);
  if (!found) return missingPage(request);
  const { workspace = '', ...parameters } = found.parameters;
  addLogFields({ workspace_id: workspace });
  const context = { ...deploymentContext(request, session.actor), workspaceId: workspace };
  const { language, query, form } = request;
  const entered = await enterWorkspace(context).catch(refusal);
  if (entered instanceof ServiceError) return missingPage(request);
  const places = await placesOf(workspace);
  const { name: workspaceName } = entered;
  const call = { request, context, language, parameters, query, form, places, formToken, workspaceName };
  try {
    if (found.page.needs) requireRole(context, found.page.needs);
    return await found.page.verb(call);
  } catch (error) {
    return refusedPage(call, refusal(error));
  }
}

/** What a verb refuses is told in its own words; anything else is a failure, which is told by whoever called. */
function refusal(error: unknown): ServiceError {
  if (error instanceof ServiceError && error.code !== 'internal_error') return error;
  throw error;
}

interface Found {
  readonly page: ConsolePage;
  readonly parameters: Readonly<Record<string, string>>;
}

function pageAt({ method, path }: ConsoleRequest): Found | null {
  for (const page of consolePages) {
    const parameters = page.method === method ? matchPath(`/{workspace}${page.path}`, path) : null;
    if (parameters) return { page, parameters: decodedParts(parameters) };
  }
  return null;
}

function decodedParts(parameters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, decoded(value)]));
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** Says why it was not done. The page before still holds what was written: the browser goes back to it. */
function refusedPage(call: ConsoleCall, error: ServiceError): ConsoleReply {
  const { language, request } = call;
  const [, , first = ''] = request.path.split('/');
  const room = rooms.find(({ path }) => path === `/${first}`) ?? rooms[0];
  const isMissing = error.code === 'not_found';
  const title = (isMissing ? texts.missingTitle : texts.refusedTitle)[language];
  const body = html`<section class="card"><p>${error.text[language]}</p>
<p><a class="button plain" href="${placeOf(call, room.path)}">${texts.back[language]}</a></p></section>`;
  return pageOf(call, { room: room.name, title, body, status: errorCodes[error.code].status });
}
