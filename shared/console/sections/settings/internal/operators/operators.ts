import { ValidationError } from '../../../../../contract/errors.ts';
import { characterCount } from '../../../../../domain/encoding.ts';
import { operatorRoles } from '../../../../../domain/workspace/workspace.ts';
import { type Html, html } from '../../../../../pages/html.ts';
import { createSignInLink } from '../../../../../services/operators/linkSignIn.ts';
import { inviteOperator, listOperators, signOutEverywhere } from '../../../../../services/operators/operators.ts';
import { signsInAtProvider } from '../../../../../services/operators/providerSignIn.ts';
import { listWorkspaces } from '../../../../../services/workspaces/workspaces.ts';
import { type ConsoleCall, type ConsoleReply, deploymentOf, redirect } from '../../../../call.ts';
import { confirmationPage } from '../../../../layout/confirmationPage.ts';
import { cardOf, copyable, emptyOf, factsOf, linkButton, momentOf, tableOf } from '../../../../layout/elements.ts';
import { emptyForm, type FormState, field, formOf, problemsOf, submitForm } from '../../../../layout/form.ts';
import { roleTexts } from '../../../../layout/layoutTexts.ts';
import { consoleRoot, pathOf } from '../../../../paths.ts';
import { settingsPage } from '../settingsPage.ts';
import { settingsTexts } from '../settingsTexts.ts';
import { grantFields, grantOf, mayInvite, operatorPath, operatorsPath, roleHints } from './grant.ts';
import { operatorTexts as texts } from './operatorTexts.ts';

/** The list of operators and how to add one: by an invitation if there is a provider, else by a link. */
export async function showOperators(call: ConsoleCall, filled: FormState = emptyForm): Promise<ConsoleReply> {
  const { language } = call;
  const isWrong = filled.issues.length > 0;
  const page = { status: isWrong ? 422 : 200, isWrong };
  if (!mayInvite(call)) {
    const roles = factsOf(operatorRoles.map((role) => [roleTexts[role][language], roleHints[role][language]]));
    return settingsPage(call, 'operators', {
      lead: texts.onlyOwners[language],
      body: cardOf(texts.role[language], roles),
    });
  }
  const actions = linkButton(texts.signOutAll[language], pathOf(call, `${operatorsPath}/sign-out`));
  if (!signsInAtProvider()) {
    const body = cardOf(texts.link[language], linkForm(call, filled));
    return settingsPage(call, 'operators', { ...page, lead: texts.linkWhat[language], actions, body });
  }
  const [operators, workspaces] = await Promise.all([
    listOperators(deploymentOf(call)),
    listWorkspaces(deploymentOf(call)),
  ]);
  const body = html`${cardOf(texts.list[language], tableOfOperators(call, operators, workspaces))}
${cardOf(texts.invite[language], inviteForm(call, filled, workspaces))}`;
  return settingsPage(call, 'operators', { ...page, lead: texts.lead[language], actions, body });
}

type Operators = Awaited<ReturnType<typeof listOperators>>;
type Workspaces = Awaited<ReturnType<typeof listWorkspaces>>;

function tableOfOperators(call: ConsoleCall, operators: Operators, workspaces: Workspaces): Html {
  const { language } = call;
  if (operators.length === 0) return emptyOf(texts.nobody[language], texts.nobodyWhat[language]);
  const columns = [texts.address, texts.role, texts.reach, texts.signedIn, texts.action].map((label) => ({
    label: label[language],
  }));
  const rows = operators.map(({ email, role, workspace_id, signed_in_at }) => {
    const href = pathOf(call, `${operatorPath(call, email)}/change`);
    const name = workspaces.find(({ id }) => id === workspace_id)?.name ?? workspace_id;
    return [
      html`<bdi>${email}</bdi>`,
      roleTexts[role][language],
      workspace_id === null ? texts.all[language] : html`<bdi>${name}</bdi>`,
      signed_in_at === null
        ? html`<span class="soft">${texts.never[language]}</span>`
        : momentOf(signed_in_at, language),
      html`<a href="${href}">${texts.change[language]}<span class="quiet"> ${email}</span></a>`,
    ];
  });
  return tableOf(texts.list[language], columns, rows);
}

function inviteForm(call: ConsoleCall, filled: FormState, workspaces: Workspaces): Html {
  const { language, context } = call;
  const least = { role: 'viewer', workspaceId: context.workspaceId } as const;
  const label = texts.address[language];
  const hint = texts.inviteHint[language];
  const body = html`${field(filled, language, { name: 'email', label, hint, type: 'email', required: true })}
${grantFields(call, filled, least, workspaces)}
<button>${texts.inviteButton[language]}</button>`;
  const action = pathOf(call, `${operatorsPath}/invite`);
  return html`${problemsOf(filled, language, ['email', 'role', 'reach'])}${formOf(call, { action }, body)}`;
}

export function invite(call: ConsoleCall): Promise<ConsoleReply> {
  const act = async () => {
    const email = (call.form.get('email') ?? '').trim();
    const { mailed } = await inviteOperator(deploymentOf(call), { email, ...grantOf(call) });
    return redirect(pathOf(call, operatorsPath, { done: mailed ? 'operatorMailed' : 'operatorInvited' }));
  };
  return submitForm(call, act, (filled) => showOperators(call, filled));
}

/** The link appears in this response only: the table stores a hash of its token. */
export async function makeLink(call: ConsoleCall): Promise<ConsoleReply> {
  const { form, language } = call;
  const act = async () => {
    const name = (form.get('name') ?? '').trim();
    if (name === '' || characterCount(name) > 100 || /\p{Cc}/u.test(name)) {
      throw new ValidationError([{ path: 'name', text: settingsTexts.nameWrong }]);
    }
    const { url } = await createSignInLink(deploymentOf(call), { name, ...grantOf(call) });
    const body = html`<div class="say warn" role="status"><p>${texts.newLinkWhat[language]}</p></div>${copyable(url, language)}
<p></p>${linkButton(settingsTexts.toKeys[language], pathOf(call, operatorsPath))}`;
    const title = texts.newLink[language].replace('{name}', () => name);
    return settingsPage(call, 'operators', { title, body: cardOf(null, body) });
  };
  return submitForm(call, act, (filled) => showOperators(call, filled));
}

export async function askSignOut(call: ConsoleCall): Promise<ConsoleReply> {
  const { language } = call;
  return confirmationPage(call, {
    section: 'settings',
    parent: { label: settingsTexts.operators[language], path: operatorsPath },
    title: texts.signOutAll[language],
    what: [texts.signOutWhat[language]],
    button: texts.signOutAll,
    action: `${operatorsPath}/sign-out`,
  });
}

export async function signOutAll(call: ConsoleCall): Promise<ConsoleReply> {
  await signOutEverywhere(deploymentOf(call));
  return redirect(consoleRoot());
}

/** The form for a sign-in link, if there is no provider. */
function linkForm(call: ConsoleCall, filled: FormState): Html {
  const { language, context, workspaceName } = call;
  const least = { role: 'viewer', workspaceId: context.workspaceId } as const;
  const body = html`${field(filled, language, { name: 'name', label: texts.who[language], hint: texts.whoHint[language], required: true })}
${grantFields(call, filled, least, [{ id: context.workspaceId, name: workspaceName }])}
<button>${texts.makeLink[language]}</button>`;
  const form = formOf(call, { action: pathOf(call, operatorsPath) }, body);
  return html`${problemsOf(filled, language, ['name', 'role', 'reach'])}${form}`;
}
