import { type OperatorRole, operatorRoles } from '../../../../../domain/workspace/workspace.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import type { Invitation } from '../../../../../services/operators/operators.ts';
import { type ConsoleCall, may } from '../../../../call.ts';
import { type FormState, field, ticks } from '../../../../layout/form.ts';
import { roleTexts } from '../../../../layout/layoutTexts.ts';
import { operatorTexts as texts } from './operatorTexts.ts';

export const operatorsPath = '/settings/operators';

/** The page of an operator: its path contains the encrypted address. */
export const operatorPath = ({ places }: Pick<ConsoleCall, 'places'>, email: string): string =>
  `${operatorsPath}/at/${places.seal(email)}`;

/** Only an owner of all workspaces may invite. */
export const mayInvite = (call: ConsoleCall): boolean => may(call, 'platform');

export const roleHints = { owner: texts.ownerHint, editor: texts.editorHint, viewer: texts.viewerHint };

interface Granted {
  readonly role: OperatorRole;
  readonly workspaceId: string | null;
}

interface WorkspaceChoice {
  readonly id: string;
  readonly name: string;
}

/** The fields for role and workspace; `workspaces` are the options besides all of them. */
export function grantFields(
  { language }: ConsoleCall,
  filled: FormState,
  { role, workspaceId }: Granted,
  workspaces: readonly WorkspaceChoice[],
): Html {
  const roles = operatorRoles.map((value) => ({
    value,
    label: roleTexts[value][language],
    hint: roleHints[value][language],
  }));
  const reach = [
    ['', texts.everywhere[language]],
    ...workspaces.map(({ id, name }): [string, string] => [id, name]),
  ] as const;
  return html`${ticks(filled, language, { name: 'role', legend: texts.role[language], choices: roles, chosen: [role], type: 'radio' })}
${field(filled, language, { name: 'reach', label: texts.reach[language], options: reach, value: workspaceId ?? '' })}`;
}

/** The entered role and workspace; the lowest rights where a value is missing. */
export function grantOf({ form, context }: ConsoleCall): Omit<Invitation, 'email'> {
  const role = operatorRoles.find((one) => one === form.get('role')) ?? 'viewer';
  const reach = form.get('reach');
  return { role, workspaceId: reach === '' ? null : (reach ?? context.workspaceId) };
}
