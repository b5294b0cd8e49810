import { joinTexts, type Notice } from '../contract/pageTexts.ts';
import type { Workspace } from '../domain/workspace/workspace.ts';
import { workspaceOfForm } from '../services/forms/find.ts';
import { signUp } from '../services/subscribers/signUp.ts';
import type { PageCall, PageReply } from './call.ts';
import { formText, type JoinFields, joinForm, trapField } from './joinForm.ts';
import { layout } from './layout.ts';

/** GET: the empty form. */
export async function showForm(call: PageCall): Promise<PageReply> {
  const workspace = await workspaceOfForm(call.parameter);
  if (!workspace) return unknownForm(call);
  return {
    status: 200,
    document: joinForm(call.language, workspace.name),
    frameOrigins: workspace.formOrigins,
  };
}

/** POST: the same answer whoever it is, and the same for a robot that filled in the trap, for which nothing is done. */
export async function join(call: PageCall): Promise<PageReply> {
  const workspace = await workspaceOfForm(call.parameter);
  if (!workspace) return unknownForm(call);
  const fields = fieldsOf(call.form);
  if (call.form.get(trapField)) return answer(call, workspace, 200, joinTexts.accepted, fields.email);
  const result = await signUp(call, {
    workspaceId: workspace.id,
    source: call.source,
    said: formText(call.language, workspace.name),
    ...given(fields),
  });
  switch (result.outcome) {
    case 'accepted':
      return answer(call, workspace, 200, joinTexts.accepted, fields.email);
    case 'unavailable':
      return answer(call, workspace, 503, joinTexts.unavailable);
    case 'too_many': {
      const { retryAfterSeconds } = result;
      return { ...answer(call, workspace, 429, joinTexts.too_many), retryAfterSeconds };
    }
    case 'invalid':
      return {
        status: 422,
        document: joinForm(call.language, workspace.name, fields, result.issues),
        frameOrigins: workspace.formOrigins,
      };
  }
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
  return {
    status,
    document: layout({ language: call.language, workspace: workspace.name, notice, values: { email } }),
    frameOrigins: workspace.formOrigins,
  };
}

function unknownForm({ language }: PageCall): PageReply {
  return { status: 404, document: layout({ language, workspace: null, notice: joinTexts.unknown }) };
}
