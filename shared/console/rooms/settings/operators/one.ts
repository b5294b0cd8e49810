import { ServiceError } from '../../../../contract/errors.ts';
import { html } from '../../../../pages/html.ts';
import { changeOperator, noOperator } from '../../../../services/operators/changeOperator.ts';
import { listOperators } from '../../../../services/operators/listOperators.ts';
import { removeOperator } from '../../../../services/operators/removeOperator.ts';
import { signOutOperator } from '../../../../services/operators/signOut.ts';
import { listWorkspaces } from '../../../../services/workspaces/list.ts';
import { type ConsoleCall, type ConsoleReply, deploymentOf, placeOf, redirect } from '../../../call.ts';
import { askPage } from '../../../frame/ask.ts';
import { formOf, untouched } from '../../../frame/form.ts';
import { pageOf } from '../../../frame/layout.ts';
import { cardOf, linkButton } from '../../../frame/parts.ts';
import { settingsTexts } from '../texts.ts';
import { grantFields, grantOf, operatorsPath } from './grant.ts';
import { operatorTexts as texts } from './texts.ts';

/** Somebody who was invited, by their address in the path. Throws `not_found`. */
async function operatorOf(call: ConsoleCall) {
  const operators = await listOperators(deploymentOf(call));
  const operator = operators.find(({ email }) => email === call.parameters.email);
  if (!operator) throw new ServiceError('not_found', { text: noOperator });
  return operator;
}

const parentOf = ({ language }: ConsoleCall) => ({ label: settingsTexts.operators[language], path: operatorsPath });

const pathOf = (call: ConsoleCall, step: string): string =>
  `${operatorsPath}/${encodeURIComponent(call.parameters.email ?? '')}/${step}`;

const back = (call: ConsoleCall, done: string): ConsoleReply => redirect(placeOf(call, operatorsPath, { done }));

export async function showChange(call: ConsoleCall): Promise<ConsoleReply> {
  const { language } = call;
  const [{ email, role, workspace_id: workspaceId }, workspaces] = await Promise.all([
    operatorOf(call),
    listWorkspaces(deploymentOf(call)),
  ]);
  const form = formOf(
    call,
    { action: placeOf(call, pathOf(call, 'change')) },
    html`${grantFields(call, untouched, { role, workspaceId }, workspaces)}<button>${texts.save[language]}</button>`,
  );
  const title = texts.changeTitle[language].replace('{email}', () => email);
  const actions = html`${(['end', 'remove'] as const).map((step) =>
    linkButton(texts[step][language], placeOf(call, pathOf(call, step))),
  )}`;
  return pageOf(call, { room: 'settings', parent: parentOf(call), title, actions, body: cardOf(null, form) });
}

export async function change(call: ConsoleCall): Promise<ConsoleReply> {
  await changeOperator(deploymentOf(call), { email: call.parameters.email ?? '', ...grantOf(call) });
  return back(call, 'saved');
}

const ask =
  (step: 'remove' | 'end', title: 'removeTitle' | 'endTitle', what: 'removeWhat' | 'endWhat') =>
  async (call: ConsoleCall): Promise<ConsoleReply> => {
    const { language } = call;
    const { email } = await operatorOf(call);
    return askPage(call, {
      room: 'settings',
      parent: parentOf(call),
      title: texts[title][language].replace('{email}', () => email),
      what: [texts[what][language]],
      button: texts[step],
      action: pathOf(call, step),
    });
  };

export const askRemove = ask('remove', 'removeTitle', 'removeWhat');
export const askEnd = ask('end', 'endTitle', 'endWhat');

export async function remove(call: ConsoleCall): Promise<ConsoleReply> {
  await removeOperator(deploymentOf(call), { email: call.parameters.email ?? '' });
  return back(call, 'removed');
}

export async function end(call: ConsoleCall): Promise<ConsoleReply> {
  await signOutOperator(deploymentOf(call), { email: call.parameters.email ?? '' });
  return back(call, 'signedOut');
}
