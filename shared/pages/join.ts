import type { Issue } from '../contract/errors.ts';
import { joinTexts, type Notice } from '../contract/pageTexts.ts';
import type { Brand } from '../domain/workspace/brand.ts';
import { type FormField, redirectOf } from '../domain/workspace/formSettings.ts';
import type { Workspace } from '../domain/workspace/workspace.ts';
import type { Language } from '../language/languages.ts';
import { brandOfPage } from '../services/brand/ofPage.ts';
import { workspaceOfForm } from '../services/forms/find.ts';
import { signUp } from '../services/subscribers/signUp.ts';
import type { PageCall, PageReply } from './call.ts';
import { formText, type JoinFields, joinForm, ownFieldName, trapField } from './joinForm.ts';
import { layout } from './layout.ts';

/** GET: the empty form. */
export async function showForm(call: PageCall): Promise<PageReply> {
  const workspace = await shopOf(call);
  if (!workspace) return unknownForm(call);
  return formPage(call, workspace, 200);
}

/** POST: the same answer whoever it is, and the same for a robot that filled in the trap, for which nothing is done. */
export async function join(call: PageCall): Promise<PageReply> {
  const workspace = await shopOf(call);
  if (!workspace) return unknownForm(call);
  const fields = fieldsOf(call.form, workspace);
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

/** A workspace and how it looks. */
type Shop = Workspace & { readonly brand: Brand | null };

async function shopOf({ parameter }: PageCall): Promise<Shop | null> {
  const workspace = await workspaceOfForm(parameter);
  return workspace && { ...workspace, brand: await brandOfPage(workspace) };
}

/** The workspace's own language, or the reader's. */
const languageOf = (call: PageCall, { form }: Workspace): Language => form?.language ?? call.language;

function formPage(
  call: PageCall,
  workspace: Shop,
  status: number,
  fields?: JoinFields,
  issues?: readonly Issue[],
): PageReply {
  const language = languageOf(call, workspace);
  const location = redirectOf(workspace.form ?? {}, workspace.formOrigins);
  return {
    status,
    document: joinForm(language, workspace, fields, issues),
    brand: workspace.brand,
    frameOrigins: workspace.formOrigins,
    language,
    ...(location && { formTarget: new URL(location).origin }),
  };
}

/** Whoever it is, the same: what is said, or where they are sent instead. */
function accepted(call: PageCall, workspace: Shop, email: string): PageReply {
  const location = redirectOf(workspace.form ?? {}, workspace.formOrigins);
  return { ...answer(call, workspace, 200, joinTexts.accepted, email), ...(location && { location }) };
}

function fieldsOf(form: URLSearchParams, { form: settings }: Workspace): JoinFields {
  const text = (name: string) => (form.get(name) ?? '').trim();
  // A choice that the form does not offer was made by somebody else than its reader.
  const answer = ({ name, choices }: FormField) => {
    const written = text(ownFieldName(name));
    return choices && !choices.includes(written) ? '' : written;
  };
  const own = Object.fromEntries((settings?.fields ?? []).map((field) => [field.name, answer(field)]));
  return { email: text('email'), firstName: text('firstName'), lastName: text('lastName'), own };
}

/** What was left empty was not given. */
function given({ email, firstName, lastName, own }: JoinFields) {
  const fields = Object.entries(own).filter(([, answer]) => answer !== '');
  return {
    email,
    ...(firstName === '' ? {} : { firstName }),
    ...(lastName === '' ? {} : { lastName }),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
  };
}

function answer(call: PageCall, workspace: Shop, status: number, notice: Notice, email = ''): PageReply {
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
