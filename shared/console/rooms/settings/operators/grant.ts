import { type OperatorRole, operatorRoles } from '../../../../domain/workspace/operatorRole.ts';
import { type Html, html } from '../../../../pages/html.ts';
import type { Invitation } from '../../../../services/operators/invite.ts';
import { type ConsoleCall, may } from '../../../call.ts';
import { type Filled, field, ticks } from '../../../frame/form.ts';
import { roleTexts } from '../../../frame/texts.ts';
import { operatorTexts as texts } from './texts.ts';

export const operatorsPath = '/settings/operators';

/** The pages of one of them: their address stands in it sealed. */
export const operatorPath = ({ places }: Pick<ConsoleCall, 'places'>, email: string): string =>
  `${operatorsPath}/at/${places.seal(email)}`;

/** Who may let others in: an owner of everything. */
export const mayInvite = (call: ConsoleCall): boolean => may(call, 'own') && call.context.actor.workspaceId === null;

export const roleHints = { owner: texts.ownerHint, editor: texts.editorHint, viewer: texts.viewerHint };

interface Granted {
  readonly role: OperatorRole;
  readonly workspaceId: string | null;
}

interface Workspace {
  readonly id: string;
  readonly name: string;
}

/** Role and workspaces, as a form asks for them; `workspaces` are those to choose from besides all. */
export function grantFields(
  { language }: ConsoleCall,
  filled: Filled,
  { role, workspaceId }: Granted,
  workspaces: readonly Workspace[],
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

/** What such a form grants; the least of everything where it says nothing. */
export function grantOf({ form, context }: ConsoleCall): Omit<Invitation, 'email'> {
  const role = operatorRoles.find((one) => one === form.get('role')) ?? 'viewer';
  const reach = form.get('reach');
  return { role, workspaceId: reach === '' ? null : (reach ?? context.workspaceId) };
}
