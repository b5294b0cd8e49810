import { ServiceError } from '../../../../../contract/errors.ts';
import { html } from '../../../../../pages/html.ts';
import {
  changeOperator,
  listOperators,
  noOperator,
  removeOperator,
  signOutOperator,
} from '../../../../../services/operators/operators.ts';
import { listWorkspaces } from '../../../../../services/workspaces/workspaces.ts';
import { type ConsoleCall, type ConsoleReply, deploymentOf, redirect } from '../../../../call.ts';
import { confirmationPage } from '../../../../layout/confirmationPage.ts';
import { cardOf, linkButton } from '../../../../layout/elements.ts';
import { emptyForm, formOf } from '../../../../layout/form.ts';
import { pageOf } from '../../../../layout/page.ts';
import { pathOf } from '../../../../paths.ts';
import { settingsTexts } from '../settingsTexts.ts';
import { grantFields, grantOf, operatorPath, operatorsPath } from './grant.ts';
import { operatorTexts as texts } from './operatorTexts.ts';

/** The address in the path. Throws `not_found`. */
async function addressIn({ places, parameters }: ConsoleCall): Promise<string> {
  const email = await places.open(parameters.operator ?? '');
  if (email === null) throw new ServiceError('not_found', { text: noOperator });
  return email;
}

/** The invited operator of the path. Throws `not_found`. */
async function operatorOf(call: ConsoleCall) {
  const [address, operators] = await Promise.all([addressIn(call), listOperators(deploymentOf(call))]);
  const operator = operators.find(({ email }) => email === address);
  if (!operator) throw new ServiceError('not_found', { text: noOperator });
  return operator;
}

const parentOf = ({ language }: ConsoleCall) => ({ label: settingsTexts.operators[language], path: operatorsPath });

const stepPath = (call: ConsoleCall, email: string, step: string): string => `${operatorPath(call, email)}/${step}`;

const back = (call: ConsoleCall, done: string): ConsoleReply => redirect(pathOf(call, operatorsPath, { done }));

export async function showChange(call: ConsoleCall): Promise<ConsoleReply> {
  const { language } = call;
  const [{ email, role, workspace_id: workspaceId }, workspaces] = await Promise.all([
    operatorOf(call),
    listWorkspaces(deploymentOf(call)),
  ]);
  const form = formOf(
    call,
    { action: pathOf(call, stepPath(call, email, 'change')) },
    html`${grantFields(call, emptyForm, { role, workspaceId }, workspaces)}<button>${texts.save[language]}</button>`,
  );
  const title = texts.changeTitle[language].replace('{email}', () => email);
  const actions = html`${(['end', 'remove'] as const).map((step) =>
    linkButton(texts[step][language], pathOf(call, stepPath(call, email, step))),
  )}`;
  return pageOf(call, { section: 'settings', parent: parentOf(call), title, actions, body: cardOf(null, form) });
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
    return confirmationPage(call, {
      section: 'settings',
      parent: parentOf(call),
      title: texts[title][language].replace('{email}', () => email),
      what: [texts[what][language]],
      button: texts[step],
      action: stepPath(call, email, step),
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
