import { type Issue, ValidationError } from '../../contract/errors.ts';
import { characterCount } from '../../domain/encoding/characterCount.ts';
import { type FormSettings, originOfPage } from '../../domain/workspace/formSettings.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { textsOf } from '../../language/text.ts';
import { updateSettings } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { requireOperator } from '../requireOperator.ts';
import { existingWorkspace } from '../workspaces/existing.ts';
import { type ShownForm, shownForm } from './shown.ts';

/** `null` takes a setting back; what is left out stays as it is. */
export type FormChanges = { readonly [Name in keyof FormSettings]?: FormSettings[Name] | null };

/** Changes what the sign-up form says and where it leads. Throws `validation_error` with everything that is wrong. */
export async function setForm(context: Context, { changes }: { readonly changes: FormChanges }): Promise<ShownForm> {
  requireOperator(context);
  const workspace = await existingWorkspace(context.workspaceId);
  const issues = issuesOf(changes, workspace);
  if (issues.length > 0) throw new ValidationError(issues);
  const merged = Object.entries({ ...workspace.form, ...changes });
  const form: FormSettings = Object.fromEntries(merged.filter(([, value]) => value !== null && value !== undefined));
  await updateSettings(workspace.id, { form });
  return shownForm({ ...workspace, form }, workspace.formOrigins);
}

const longestText = 500;

function issuesOf({ text, privacyUrl, redirectUrl }: FormChanges, { formOrigins }: Workspace): Issue[] {
  const issues: Issue[] = [];
  if (text && (characterCount(text) > longestText || /[^\P{Cc}\n]/u.test(text) || text.trim() === '')) {
    issues.push({ path: 'text', text: texts.text });
  }
  if (privacyUrl && originOfPage(privacyUrl) === null) issues.push({ path: 'privacy', text: texts.address });
  if (!redirectUrl) return issues;
  const origin = originOfPage(redirectUrl);
  if (origin === null) issues.push({ path: 'redirect', text: texts.address });
  else if (!formOrigins.includes(origin)) issues.push({ path: 'redirect', text: texts.origin });
  return issues;
}

const texts = textsOf({
  text: {
    en: `must have 1 to ${longestText} characters, and none that controls a terminal`,
    fr: `doit compter de 1 à ${longestText} caractères, sans caractère de contrôle`,
  },
  address: {
    en: 'must be the address of a page: https (http for this machine), no user name, no spaces or quotes',
    fr: 'doit être l’adresse d’une page : https (http pour cette machine), sans nom d’utilisateur, espaces ni guillemets',
  },
  origin: {
    en: 'must lead to an origin that may show the form: allow it first with "form allow"',
    fr: 'doit mener à une origine qui peut montrer le formulaire : permettez-la d’abord avec « form allow »',
  },
});
