import type { Issue } from '../contract/errors.ts';
import { joinTexts, type Notice } from '../contract/pageTexts.ts';
import { redirectOf } from '../domain/workspace/formSettings.ts';
import type { Workspace } from '../domain/workspace/workspace.ts';
import type { Language } from '../language/languages.ts';
import { workspaceOfForm } from '../services/forms/find.ts';
import { signUp } from '../services/subscribers/signUp.ts';
import type { PageCall, PageReply } from './call.ts';
import { formText, type JoinFields, joinForm, trapField } from './joinForm.ts';
import { layout } from './layout.ts';

/** GET: the empty form. */
export async function showForm(call: PageCall): Promise<PageReply> {
  const workspace = await workspaceOfForm(call.parameter);
  if (!workspace) return unknownForm(call);
  return formPage(call, workspace, 200);
}

/** POST: the same answer whoever it is, and the same for a robot that filled in the trap, for which nothing is done. */
export async function join(call: PageCall): Promise<PageReply> {
  const workspace = await workspaceOfForm(call.parameter);
  if (!workspace) return unknownForm(call);
  const fields = fieldsOf(call.form);
  if (call.form.get(trapField)) return accepted(call, workspace, fields.email);
  const result = await signUp(call, {
    workspaceId: workspace.id,
    source: call.source,
    said: formText(languageOf(call, workspace), workspace),
    ...given(fields),
  });
  switch (result.outcome) {
    case 'accepted':
      return accepted(call, workspace, fields.email);
    case 'unavailable':
      return answer(call, workspace, 503, joinTexts.unavailable);
    case 'too_many': {
      const { retryAfterSeconds } = result;
      return { ...answer(call, workspace, 429, joinTexts.too_many), retryAfterSeconds };
    }
    case 'invalid':
      return formPage(call, workspace, 422, fields, result.issues);
  }
}

/** The workspace's own language, or the reader's. */
const languageOf = (call: PageCall, { form }: Workspace): Language => form?.language ?? call.language;

function formPage(
  call: PageCall,
  workspace: Workspace,
  status: number,
  fields?: JoinFields,
  issues?: readonly Issue[],
): PageReply {
  const language = languageOf(call, workspace);
  const location = redirectOf(workspace.form ?? {}, workspace.formOrigins);
  return {
    status,
    document: joinForm(language, workspace, fields, issues),
    frameOrigins: workspace.formOrigins,
    language,
    ...(location && { formTarget: new URL(location).origin }),
  };
}

/** Whoever it is, the same: what is said, or where they are sent instead. */
function accepted(call: PageCall, workspace: Workspace, email: string): PageReply {
  const location = redirectOf(workspace.form ?? {}, workspace.formOrigins);
  return { ...answer(call, workspace, 200, joinTexts.accepted, email), ...(location && { location }) };
}

function fieldsOf(form: URLSearchParams): JoinFields {
  const text = (name: string) => (form.get(name) ?? '').trim();
  return { email: text('email'), firstName: text('firstName'), lastName: text('lastName') };
}

/** A name that was left empty was not given. */
function given({ email, firstName, lastName }: JoinFields) {
  return { email, ...(firstName === '' ? {} : { firstName }), ...(lastName === '' ? {} : { lastName }) };
}

function answer(call: PageCall, workspace: Workspace, status: number, notice: Notice, email = ''): PageReply {
  const language = languageOf(call, workspace);
  return {
    status,
    document: layout({ language, workspace: workspace.name, notice, values: { email } }),
    frameOrigins: workspace.formOrigins,
    language,
  };
}

function unknownForm({ language }: PageCall): PageReply {
  return { status: 404, document: layout({ language, workspace: null, notice: joinTexts.unknown }) };
}
