import { operatorRoles } from '../../../../domain/workspace/operatorRole.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { inviteOperator } from '../../../../services/operators/invite.ts';
import { listOperators } from '../../../../services/operators/listOperators.ts';
import { signsInAtProvider } from '../../../../services/operators/provider/beginSignIn.ts';
import { listWorkspaces } from '../../../../services/workspaces/list.ts';
import { type ConsoleCall, type ConsoleReply, deploymentOf, placeOf, redirect } from '../../../call.ts';
import { type Filled, field, formOf, problemsOf, untouched } from '../../../frame/form.ts';
import { cardOf, emptyOf, factsOf, linkButton, momentOf, tableOf } from '../../../frame/parts.ts';
import { submitted } from '../../../frame/submit.ts';
import { roleTexts } from '../../../frame/texts.ts';
import { settingsPage } from '../tabs.ts';
import { grantFields, grantOf, mayInvite, operatorPath, operatorsPath, roleHints } from './grant.ts';
import { linkForm } from './linkForm.ts';
import { operatorTexts as texts } from './texts.ts';

/** Who may sign in, and the way in for others: by invitation at the provider, and where there is none by a link. */
export async function showOperators(call: ConsoleCall, filled: Filled = untouched): Promise<ConsoleReply> {
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
  const actions = linkButton(texts.signOutAll[language], placeOf(call, `${operatorsPath}/sign-out`));
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
    const href = placeOf(call, `${operatorPath(call, email)}/change`);
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

function inviteForm(call: ConsoleCall, filled: Filled, workspaces: Workspaces): Html {
  const { language, context } = call;
  const least = { role: 'viewer', workspaceId: context.workspaceId } as const;
  const label = texts.address[language];
  const hint = texts.inviteHint[language];
  const body = html`${field(filled, language, { name: 'email', label, hint, type: 'email', required: true })}
${grantFields(call, filled, least, workspaces)}
<button>${texts.inviteButton[language]}</button>`;
  const action = placeOf(call, `${operatorsPath}/invite`);
  return html`${problemsOf(filled, language, ['email', 'role', 'reach'])}${formOf(call, { action }, body)}`;
}

export function invite(call: ConsoleCall): Promise<ConsoleReply> {
  const act = async () => {
    const email = (call.form.get('email') ?? '').trim();
    const { mailed } = await inviteOperator(deploymentOf(call), { email, ...grantOf(call) });
    return redirect(placeOf(call, operatorsPath, { done: mailed ? 'operatorMailed' : 'operatorInvited' }));
  };
  return submitted(call, act, (filled) => showOperators(call, filled));
}
