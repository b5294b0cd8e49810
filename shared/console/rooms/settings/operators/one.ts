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
import { grantFields, grantOf, operatorPath, operatorsPath } from './grant.ts';
import { operatorTexts as texts } from './texts.ts';

/** Whose page it is. Throws `not_found`. */
async function addressIn({ places, parameters }: ConsoleCall): Promise<string> {
  const email = await places.open(parameters.operator ?? '');
  if (email === null) throw new ServiceError('not_found', { text: noOperator });
  return email;
}

/** Somebody who was invited. Throws `not_found`. */
async function operatorOf(call: ConsoleCall) {
  const [address, operators] = await Promise.all([addressIn(call), listOperators(deploymentOf(call))]);
  const operator = operators.find(({ email }) => email === address);
  if (!operator) throw new ServiceError('not_found', { text: noOperator });
  return operator;
}

const parentOf = ({ language }: ConsoleCall) => ({ label: settingsTexts.operators[language], path: operatorsPath });

const pathOf = (call: ConsoleCall, email: string, step: string): string => `${operatorPath(call, email)}/${step}`;

const back = (call: ConsoleCall, done: string): ConsoleReply => redirect(placeOf(call, operatorsPath, { done }));

export async function showChange(call: ConsoleCall): Promise<ConsoleReply> {
  const { language } = call;
  const [{ email, role, workspace_id: workspaceId }, workspaces] = await Promise.all([
    operatorOf(call),
    listWorkspaces(deploymentOf(call)),
  ]);
  const form = formOf(
    call,
    { action: placeOf(call, pathOf(call, email, 'change')) },
    html`${grantFields(call, untouched, { role, workspaceId }, workspaces)}<button>${texts.save[language]}</button>`,
  );
  const title = texts.changeTitle[language].replace('{email}', () => email);
  const actions = html`${(['end', 'remove'] as const).map((step) =>
    linkButton(texts[step][language], placeOf(call, pathOf(call, email, step))),
  )}`;
  return pageOf(call, { room: 'settings', parent: parentOf(call), title, actions, body: cardOf(null, form) });
}

export async function change(call: ConsoleCall): Promise<ConsoleReply> {
  await changeOperator(deploymentOf(call), { email: await addressIn(call), ...grantOf(call) });
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
      action: pathOf(call, email, step),
    });
  };

export const askRemove = ask('remove', 'removeTitle', 'removeWhat');
export const askEnd = ask('end', 'endTitle', 'endWhat');

export async function remove(call: ConsoleCall): Promise<ConsoleReply> {
  await removeOperator(deploymentOf(call), { email: await addressIn(call) });
  return back(call, 'removed');
}

export async function end(call: ConsoleCall): Promise<ConsoleReply> {
  await signOutOperator(deploymentOf(call), { email: await addressIn(call) });
  return back(call, 'signedOut');
}
