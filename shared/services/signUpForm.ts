import { type Issue, ServiceError, ValidationError } from '../contract/errors.ts';
import type { Input } from '../contract/route.ts';
import type { updateFormRoute } from '../contract/routes/form.ts';
import { fieldName } from '../contract/schemas/subscriber.ts';
import { characterCount } from '../domain/encoding.ts';
import {
  type FormField,
  type FormSettings,
  formFieldBounds,
  originOfPage,
  parseWebOrigin,
  type Workspace,
} from '../domain/workspace/workspace.ts';
import { type Text, textsOf } from '../language/text.ts';
import { addLogFields } from '../platform/logger.ts';
import { changeForm, findWorkspaceByPublicId, getWorkspace, updateSettings } from '../store/workspace/workspaces.ts';
import type { Context } from './context.ts';
import { existingWorkspace } from './existingWorkspace.ts';
import { signUpUrl } from './links.ts';
import { operatorVerb, requireRole } from './operatorVerb.ts';

/** The sign-up form of a workspace. */
export async function showForm(context: Context): Promise<FormJson> {
  requireRole(context, 'read');
  const workspace = await existingWorkspace(context.workspaceId);
  return formJson(workspace, workspace.formOrigins);
}

/** `null` resets a setting; an omitted one stays as it is. */
export type FormChanges = { readonly [Name in keyof FormSettings]?: FormSettings[Name] | null };

/** Changes the text, links and questions of the sign-up form. Throws `validation_error` with every problem. */
export const setForm = /* @__PURE__ */ operatorVerb(
  { action: 'form.set', needs: 'change', byKeys: 'audited' },
  async (context: Context, { changes }: { readonly changes: FormChanges }): Promise<FormJson> => {
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    for (let tries = 0; tries < maxTries; tries += 1) {
      const workspace = await existingWorkspace(context.workspaceId, 'strong');
      const issues = issuesOf(changes, workspace);
      if (issues.length > 0) throw new ValidationError(issues);
      const merged = Object.entries({ ...workspace.form, ...Object.fromEntries(given) });
      const form: FormSettings = Object.fromEntries(merged.filter(([, value]) => value !== null));
      // What another call changed meanwhile stays.
      if (given.length === 0 || (await changeForm(workspace, form)))
        return formJson({ ...workspace, form }, workspace.formOrigins);
    }
    throw new ServiceError('conflict', {
      text: {
        en: 'The form is being changed: try again.',
        fr: 'Le formulaire est en cours de modification : réessayez.',
      },
      retryAfterSeconds: 1,
    });
  },
);

/** For applications: changes the given fields of the form; `null` resets one. */
export async function updateForm(
  context: Context,
  { text, privacy_url, redirect_url, language, fields }: Input<typeof updateFormRoute>,
): Promise<FormJson> {
  try {
    const changes = { text, privacyUrl: privacy_url, redirectUrl: redirect_url, language, fields };
    return await setForm(context, { changes });
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const ofApi = (path: string) => (path === 'privacy' || path === 'redirect' ? `${path}_url` : path);
    throw new ValidationError(error.issues.map((issue) => ({ ...issue, path: ofApi(issue.path) })));
  }
}

const maxTries = 5;
const maxTextLength = 500;
/** They are part of the workspace's record, which every send reads. */
const maxAddressLength = 2000;

function issuesOf({ text, privacyUrl, redirectUrl, fields }: FormChanges, { formOrigins }: Workspace): Issue[] {
  const issues: Issue[] = fieldIssues(fields ?? []);
  if (isText(text) && (characterCount(text) > maxTextLength || /[^\P{Cc}\n]/u.test(text) || text.trim() === '')) {
    issues.push({ path: 'text', text: texts.text });
  }
  const originOf = (address: string) => (address.length > maxAddressLength ? null : originOfPage(address));
  if (isText(privacyUrl) && originOf(privacyUrl) === null) issues.push({ path: 'privacy', text: texts.address });
  if (!isText(redirectUrl)) return issues;
  const origin = originOf(redirectUrl);
  if (origin === null) issues.push({ path: 'redirect', text: texts.address });
  else if (!formOrigins.includes(origin)) issues.push({ path: 'redirect', text: texts.redirectOrigin });
  return issues;
}

const isText = (value: string | null | undefined): value is string => typeof value === 'string';

const isLine = (text: string, maxLength: number): boolean =>
  text.trim() !== '' && characterCount(text) <= maxLength && !/\p{Cc}/u.test(text);

function fieldIssues(fields: readonly FormField[]): Issue[] {
  const { fields: maxFields, label: maxLabel, choices: maxChoices, answer: maxChoice } = formFieldBounds;
  const names = fields.map(({ name }) => name);
  const problemOf = (field: FormField, index: number): Text | null => {
    if (!fieldName.test(field.name) || names.indexOf(field.name) !== index) return texts.fieldName;
    if (!isLine(field.label, maxLabel)) return texts.fieldLabel;
    const choices = field.choices ?? [];
    const areValid = choices.length <= maxChoices && choices.every((choice) => isLine(choice, maxChoice));
    return areValid && new Set(choices).size === choices.length ? null : texts.fieldChoices;
  };
  const issues = fields.flatMap((field, index) => {
    const text = problemOf(field, index);
    return text ? [{ path: `fields[${index}]`, text }] : [];
  });
  return fields.length > maxFields ? [...issues, { path: 'fields', text: texts.fields }] : issues;
}

const texts = textsOf({
  fields: {
    en: `must be at most ${formFieldBounds.fields}`,
    fr: `doivent être au plus ${formFieldBounds.fields}`,
  },
  fieldName: {
    en: 'must begin with the name of a custom field, 1 to 64 of A-Z a-z 0-9 _, each once',
    fr: 'doit commencer par le nom d’un champ personnalisé, de 1 à 64 caractères parmi A-Z a-z 0-9 _, chacun une fois',
  },
  fieldLabel: {
    en: `must have a label of 1 to ${formFieldBounds.label} characters, in one line`,
    fr: `doit avoir un libellé de 1 à ${formFieldBounds.label} caractères, sur une ligne`,
  },
  fieldChoices: {
    en: `must have at most ${formFieldBounds.choices} different choices of 1 to ${formFieldBounds.answer} characters`,
    fr: `doit avoir au plus ${formFieldBounds.choices} choix différents de 1 à ${formFieldBounds.answer} caractères`,
  },
  text: {
    en: `must have 1 to ${maxTextLength} characters and no control characters`,
    fr: `doit compter de 1 à ${maxTextLength} caractères, sans caractère de contrôle`,
  },
  address: {
    en: `must be the URL of a page: https (http for this machine), no user name, no spaces or quotes, at most ${maxAddressLength} characters`,
    fr: `doit être l’adresse d’une page : https (http pour cette machine), sans nom d’utilisateur, espaces ni guillemets, ${maxAddressLength} caractères au plus`,
  },
  origin: {
    en: 'must be an origin such as https://www.example.com: https (http for this machine), a host, no path',
    fr: 'doit être une origine comme https://www.example.com : https (http pour cette machine), un hôte, sans chemin',
  },
  redirectOrigin: {
    en: 'must be on an origin that may embed the form: allow that origin first',
    fr: 'doit se trouver sur une origine autorisée à afficher le formulaire : autorisez d’abord cette origine',
  },
});

/** Allows the pages of an origin to embed the form in a frame. */
export const allowFormOrigin = /* @__PURE__ */ operatorVerb(
  { action: 'form.allow', needs: 'change', subject: ({ origin }) => origin },
  async (context: Context, { origin }: { readonly origin: string }): Promise<FormJson> => {
    const workspace = await existingWorkspace(context.workspaceId);
    return setOrigins(workspace, [...workspace.formOrigins, origin]);
  },
);

/** Removes an origin, written as it was allowed, from those that may embed the form. */
export const forbidFormOrigin = /* @__PURE__ */ operatorVerb(
  { action: 'form.forbid', needs: 'change', subject: ({ origin }) => origin },
  async (context: Context, { origin }: { readonly origin: string }): Promise<FormJson> => {
    const workspace = await existingWorkspace(context.workspaceId);
    return setOrigins(
      workspace,
      workspace.formOrigins.filter((allowed) => allowed !== origin),
    );
  },
);

/** Stores the origins whose pages may embed the form. Throws `validation_error`. */
async function setOrigins(workspace: Workspace, origins: readonly string[]): Promise<FormJson> {
  const parsed = origins.map(parseWebOrigin);
  const issues = parsed.flatMap((origin, index) =>
    origin === null ? [{ path: `form_origins[${index}]`, text: texts.origin }] : [],
  );
  if (issues.length > 0) throw new ValidationError(issues);
  const formOrigins = [...new Set(parsed.filter((origin) => origin !== null))];
  await updateSettings(workspace.id, { formOrigins });
  return formJson(workspace, formOrigins);
}

/** Covers the ids that `createWorkspace` makes, and longer ones; other text is not looked up. */
const publicIdPattern = /^[A-Za-z0-9_-]{8,64}$/;

/** The workspace of a sign-up form, by the public id in its URL; null when there is none, or it is being deleted. */
export async function workspaceOfForm(publicId: string): Promise<Workspace | null> {
  const id = publicIdPattern.test(publicId) ? await findWorkspaceByPublicId(publicId) : null;
  addLogFields({ workspace_id: id ?? undefined });
  const workspace = id === null ? null : await getWorkspace(id);
  return workspace?.endedAt ? null : workspace;
}

/** The sign-up form as operators see it, with its URL and the origins that may embed it. */
function formJson({ id, publicId, form = {} }: Workspace, origins: readonly string[]) {
  return {
    object: 'form' as const,
    workspace_id: id,
    url: signUpUrl(publicId),
    origins,
    text: form.text ?? null,
    privacy_url: form.privacyUrl ?? null,
    redirect_url: form.redirectUrl ?? null,
    language: form.language ?? null,
    fields: (form.fields ?? []).map(({ name, label, choices = [] }) => ({ name, label, choices })),
  };
}

export type FormJson = ReturnType<typeof formJson>;
