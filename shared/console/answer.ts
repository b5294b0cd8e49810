import { errorCodes, PassingError, ServiceError } from '../contract/errors.ts';
import { matchPath } from '../contract/routing.ts';
import { html } from '../pages/html.ts';
import { publicUrl } from '../platform/config.ts';
import { addLogFields } from '../platform/logger.ts';
import { pathSealerOf } from '../services/operators/sealedPaths.ts';
import { formTokenOf, isFormTokenOf, type Session } from '../services/operators/session.ts';
import { requireRole } from '../services/operatorVerb.ts';
import { isOfHold, sendingState } from '../services/sendingHold.ts';
import { enterWorkspace } from '../services/workspaces/workspaces.ts';
import { accessTexts as texts } from './access/accessTexts.ts';
import { endedPage, foreignPage, keptPage, missingPage, signedOutPage } from './access/plainPages.ts';
import { chooseLanguage, chooseWorkspace, deploymentContext, sessionOf } from './access/session.ts';
import { doSignIn, returnFromProvider, showSignIn, signOut, startAtProvider } from './access/signIn.ts';
import { assetAt } from './assets.ts';
import type { ConsoleCall, ConsolePage, ConsoleReply, ConsoleRequest } from './call.ts';
import { tokenField } from './layout/form.ts';
import { pageOf, sections } from './layout/page.ts';
import { consolePages } from './pages.ts';
import { pathOf } from './paths.ts';

/** Answers a request: authenticates it, checks that a form is of the same session, then shows the page. */
export async function answer(request: ConsoleRequest): Promise<ConsoleReply> {
  const { method, path } = request;
  const asset = method === 'GET' ? assetAt(path) : null;
  if (asset) return asset;
  // Browsers send the origin with every form: a request without it does not come from a form of the console.
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
  return workspacePage(request, session, formToken);
}

async function workspacePage(request: ConsoleRequest, session: Session, formToken: string): Promise<ConsoleReply> {
  const matched = pageAt(request);
  if (!matched) return missingPage(request);
  const { workspace = '', ...parameters } = matched.parameters;
  addLogFields({ workspace_id: workspace });
  const context = { ...deploymentContext(request, session.actor), workspaceId: workspace };
  const { language, query, form } = request;
  const entered = await enterWorkspace(context).catch(refusal);
  if (entered instanceof ServiceError)
    return entered.code === 'conflict' ? endedPage(request, entered.text) : missingPage(request);
  const [places, sending] = await Promise.all([pathSealerOf(workspace), sendingState()]);
  const { name: workspaceName } = entered;
  const call = { request, context, language, parameters, query, form, places, formToken, workspaceName, sending };
  try {
    if (matched.page.needs) requireRole(context, matched.page.needs);
    return await matched.page.verb(call);
  } catch (error) {
    return refusedPage(call, refusal(error));
  }
}

/** The error of a verb that refused the request, to be shown; rethrows unexpected errors. */
function refusal(error: unknown): ServiceError {
  if (error instanceof ServiceError && (error.code !== 'internal_error' || isOfHold(error))) return error;
  throw error;
}

interface MatchedPage {
  readonly page: ConsolePage;
  readonly parameters: Readonly<Record<string, string>>;
}

function pageAt({ method, path }: ConsoleRequest): MatchedPage | null {
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

/** Shows why the request was refused. The form is still on the previous page, to which the browser can go back. */
function refusedPage(call: ConsoleCall, error: ServiceError): ConsoleReply {
  const { language, request } = call;
  const [, , first = ''] = request.path.split('/');
  const section = sections.find(({ path }) => path === `/${first}`) ?? sections[0];
  const isMissing = error.code === 'not_found';
  const title = (isMissing ? texts.missingTitle : texts.refusedTitle)[language];
  const body = html`<section class="card"><p>${error.text[language]}</p>
<p><a class="button plain" href="${pathOf(call, section.path)}">${texts.back[language]}</a></p></section>`;
  const status = error instanceof PassingError ? PassingError.status : errorCodes[error.code].status;
  return pageOf(call, { section: section.name, title, body, status });
}
