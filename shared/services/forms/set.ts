import { type Issue, ValidationError } from '../../contract/errors.ts';
import { fieldName } from '../../contract/schemas/subscribers.ts';
import { characterCount } from '../../domain/encoding/characterCount.ts';
import {
  type FormField,
  type FormSettings,
  formFieldBounds,
  originOfPage,
} from '../../domain/workspace/formSettings.ts';
import type { Workspace } from '../../domain/workspace/workspace.ts';
import { type Text, textsOf } from '../../language/text.ts';
import { updateSettings } from '../../store/workspace/workspaces.ts';
import type { Context } from '../context.ts';
import { operatorVerb } from '../operators/verb.ts';
import { existingWorkspace } from '../workspaces/existing.ts';
import { type ShownForm, shownForm } from './shown.ts';

/** `null` takes a setting back; what is left out stays as it is. */
export type FormChanges = { readonly [Name in keyof FormSettings]?: FormSettings[Name] | null };

/** Changes what the sign-up form says and where it leads. Throws `validation_error` with everything that is wrong. */
export const setForm = operatorVerb(
  { action: 'form.set', needs: 'change' },
  async (context: Context, { changes }: { readonly changes: FormChanges }): Promise<ShownForm> => {
    const workspace = await existingWorkspace(context.workspaceId);
    const issues = issuesOf(changes, workspace);
    if (issues.length > 0) throw new ValidationError(issues);
    const merged = Object.entries({ ...workspace.form, ...changes });
    const form: FormSettings = Object.fromEntries(merged.filter(([, value]) => value !== null && value !== undefined));
    await updateSettings(workspace.id, { form });
    return shownForm({ ...workspace, form }, workspace.formOrigins);
  },
);

const longestText = 500;

function issuesOf({ text, privacyUrl, redirectUrl, fields }: FormChanges, { formOrigins }: Workspace): Issue[] {
  const issues: Issue[] = fieldIssues(fields ?? []);
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

const isLine = (text: string, longest: number): boolean =>
  text.trim() !== '' && characterCount(text) <= longest && !/\p{Cc}/u.test(text);

function fieldIssues(fields: readonly FormField[]): Issue[] {
  const { fields: most, label: longest, choices: mostChoices, answer } = formFieldBounds;
  const names = fields.map(({ name }) => name);
  const isWrong = (field: FormField, index: number): Text | null => {
    if (!fieldName.test(field.name) || names.indexOf(field.name) !== index) return texts.fieldName;
    if (!isLine(field.label, longest)) return texts.fieldLabel;
    const choices = field.choices ?? [];
    const isFine = choices.length <= mostChoices && choices.every((choice) => isLine(choice, answer));
    return isFine && new Set(choices).size === choices.length ? null : texts.fieldChoices;
  };
  const issues = fields.flatMap((field, index) => {
    const text = isWrong(field, index);
    return text ? [{ path: `fields[${index}]`, text }] : [];
  });
  return fields.length > most ? [...issues, { path: 'fields', text: texts.fields }] : issues;
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
    en: `must have 1 to ${longestText} characters, and none that controls a terminal`,
    fr: `doit compter de 1 à ${longestText} caractères, sans caractère de contrôle`,
  },
  address: {
    en: 'must be the address of a page: https (http for this machine), no user name, no spaces or quotes',
    fr: 'doit être l’adresse d’une page : https (http pour cette machine), sans nom d’utilisateur, espaces ni guillemets',
  },
  origin: {
    en: 'must lead to an origin that may show the form: allow that origin first',
    fr: 'doit mener à une origine qui peut montrer le formulaire : autorisez d’abord cette origine',
  },
});
