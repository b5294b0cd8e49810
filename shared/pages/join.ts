import type { Brand } from '../domain/workspace/brand.ts';
import { type FormField, redirectOf, type Workspace } from '../domain/workspace/workspace.ts';
import type { Language } from '../language/languages.ts';
import { brandOfPage } from '../services/brand.ts';
import { createFormToken, isFormToken } from '../services/confirmations/formToken.ts';
import { signUp } from '../services/confirmations/signUp.ts';
import { workspaceOfForm } from '../services/signUpForm.ts';
import type { PageCall, PageReply } from './call.ts';
import {
  type FilledForm,
  formText,
  type JoinFields,
  joinForm,
  ownFieldName,
  tokenField,
  trapField,
} from './joinForm.ts';
import { layout } from './layout.ts';
import { joinTexts, type PageNotice } from './pageTexts.ts';

/** GET: the empty form. */
export async function showForm(call: PageCall): Promise<PageReply> {
  const workspace = await formWorkspaceOf(call);
  if (!workspace) return unknownForm(call);
  return formPage(call, workspace, 200);
}

/** POST: the same answer for every address, and for a robot that filled in the trap and is not signed up. */
export async function join(call: PageCall): Promise<PageReply> {
  const workspace = await formWorkspaceOf(call);
  if (!workspace) return unknownForm(call);
  const fields = fieldsOf(call.form, workspace);
  if (call.form.get(trapField)) return accepted(call, workspace, fields.email);
  const isGenuine = await isFormToken(workspace.publicId, call.form.get(tokenField) ?? '', call.now);
  if (!isGenuine) return formPage(call, workspace, 422, { fields, isStale: true });
  const result = await signUp(call, {
    workspaceId: workspace.id,
    source: call.source,
    formText: formText(languageOf(call, workspace), workspace),
    ...given(fields),
  });
  switch (result.outcome) {
    case 'accepted':
      return accepted(call, workspace, fields.email);
    case 'unavailable':
      return answer(call, workspace, 503, joinTexts.unavailable);
    case 'too_many':
    case 'busy': {
      const { outcome, retryAfterSeconds } = result;
      return { ...answer(call, workspace, 429, joinTexts[outcome]), retryAfterSeconds };
    }
    case 'invalid':
      return formPage(call, workspace, 422, { fields, issues: result.issues });
  }
}

/** The workspace of a form with its brand. */
type FormWorkspace = Workspace & { readonly brand: Brand | null };

async function formWorkspaceOf({ parameter }: PageCall): Promise<FormWorkspace | null> {
  const workspace = await workspaceOfForm(parameter);
  return workspace && { ...workspace, brand: await brandOfPage(workspace) };
}

/** The workspace's own language, or the reader's. */
const languageOf = (call: PageCall, { form }: Workspace): Language => form?.language ?? call.language;

async function formPage(
  call: PageCall,
  workspace: FormWorkspace,
  status: number,
  filled: FilledForm = {},
): Promise<PageReply> {
  const token = await createFormToken(workspace.publicId, call.now);
  const language = languageOf(call, workspace);
  const location = redirectOf(workspace.form ?? {}, workspace.formOrigins);
  return {
    status,
    document: joinForm(language, workspace, { ...filled, token }),
    brand: workspace.brand,
    frameOrigins: workspace.formOrigins,
    language,
    ...(location && { formTarget: new URL(location).origin }),
  };
}

/** The same for every address: a notice, or the redirect that the workspace has chosen. */
function accepted(call: PageCall, workspace: FormWorkspace, email: string): PageReply {
  const location = redirectOf(workspace.form ?? {}, workspace.formOrigins);
  return { ...answer(call, workspace, 200, joinTexts.accepted, email), ...(location && { location }) };
}

function fieldsOf(form: URLSearchParams, { form: settings }: Workspace): JoinFields {
  const text = (name: string) => (form.get(name) ?? '').trim();
  // A choice that the form does not offer did not come from the form.
  const answer = ({ name, choices }: FormField) => {
    const written = text(ownFieldName(name));
    return choices && !choices.includes(written) ? '' : written;
  };
  const own = Object.fromEntries((settings?.fields ?? []).map((field) => [field.name, answer(field)]));
  return { email: text('email'), firstName: text('firstName'), lastName: text('lastName'), own };
}

/** The fields without those that were left empty. */
function given({ email, firstName, lastName, own }: JoinFields) {
  const fields = Object.entries(own).filter(([, answer]) => answer !== '');
  return {
    email,
    ...(firstName === '' ? {} : { firstName }),
    ...(lastName === '' ? {} : { lastName }),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
  };
}

function answer(call: PageCall, workspace: FormWorkspace, status: number, notice: PageNotice, email = ''): PageReply {
  const language = languageOf(call, workspace);
  return {
    status,
    document: layout({ language, workspace: workspace.name, brand: workspace.brand, notice, values: { email } }),
    brand: workspace.brand,
    frameOrigins: workspace.formOrigins,
    language,
  };
}

function unknownForm({ language }: PageCall): PageReply {
  return { status: 404, document: layout({ language, workspace: null, notice: joinTexts.unknown }) };
}
