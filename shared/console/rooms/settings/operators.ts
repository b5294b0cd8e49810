import { ValidationError } from '../../../contract/errors.ts';
import { characterCount } from '../../../domain/encoding/characterCount.ts';
import { operatorRoles } from '../../../domain/workspace/operatorRole.ts';
import { type Html, html } from '../../../pages/html.ts';
import type { DeploymentContext } from '../../../services/context.ts';
import { createSignIn } from '../../../services/operators/signIn.ts';
import { signOutEverywhere } from '../../../services/operators/signOut.ts';
import { type ConsoleCall, type ConsoleReply, may, placeOf, redirect } from '../../call.ts';
import { askPage } from '../../frame/ask.ts';
import { type Filled, field, formOf, problemsOf, ticks, untouched } from '../../frame/form.ts';
import { cardOf, copyable, factsOf, linkButton } from '../../frame/parts.ts';
import { submitted } from '../../frame/submit.ts';
import { roleTexts } from '../../frame/texts.ts';
import { settingsPage } from './tabs.ts';
import { settingsTexts as texts } from './texts.ts';

const path = '/settings/operators';

/** Who may let others in: an owner of everything. */
const mayInvite = (call: ConsoleCall): boolean => may(call, 'own') && call.context.actor.workspaceId === null;

const hints = { owner: texts.ownerHint, editor: texts.editorHint, viewer: texts.viewerHint };

export async function showOperators(call: ConsoleCall, filled: Filled = untouched): Promise<ConsoleReply> {
  const { language } = call;
  const roles = factsOf(operatorRoles.map((role) => [roleTexts[role][language], hints[role][language]]));
  const isWrong = filled.issues.length > 0;
  return settingsPage(call, 'operators', {
    lead: texts.linkWhat[language],
    actions: mayInvite(call) ? linkButton(texts.signOutAll[language], placeOf(call, `${path}/sign-out`)) : null,
    body: mayInvite(call) ? cardOf(texts.link[language], linkForm(call, filled)) : cardOf(texts.role[language], roles),
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

function linkForm(call: ConsoleCall, filled: Filled): Html {
  const { language } = call;
  const roles = operatorRoles.map((value) => ({
    value,
    label: roleTexts[value][language],
    hint: hints[value][language],
  }));
  const reach = [
    ['here', texts.onlyHere[language]],
    ['all', texts.everywhere[language]],
  ] as const;
  const body = html`${field(filled, language, { name: 'name', label: texts.who[language], hint: texts.whoHint[language], required: true })}
${ticks(filled, language, { name: 'role', legend: texts.role[language], choices: roles, chosen: ['viewer'], type: 'radio' })}
${field(filled, language, { name: 'reach', label: texts.reach[language], options: reach, value: 'here' })}
<button>${texts.makeLink[language]}</button>`;
  return html`${problemsOf(filled, language, ['name', 'role', 'reach'])}${formOf(call, { action: placeOf(call, path) }, body)}`;
}

/** The link is in this answer and nowhere else: of its token only a hash is stored. */
export async function makeLink(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, language } = call;
  const act = async () => {
    const name = (form.get('name') ?? '').trim();
    if (name === '' || characterCount(name) > 100 || /\p{Cc}/u.test(name)) {
      throw new ValidationError([{ path: 'name', text: texts.nameWrong }]);
    }
    const role = operatorRoles.find((one) => one === form.get('role')) ?? 'viewer';
    const workspaceId = form.get('reach') === 'all' ? null : context.workspaceId;
    const { url } = await createSignIn(ofDeployment(call), { name, role, workspaceId });
    const body = html`<div class="say warn" role="status"><p>${texts.newLinkWhat[language]}</p></div>${copyable(url, language)}
<p></p>${linkButton(texts.toKeys[language], placeOf(call, path))}`;
    const title = texts.newLink[language].replace('{name}', () => name);
    return settingsPage(call, 'operators', { title, body: cardOf(null, body) });
  };
  return submitted(call, act, (filled) => showOperators(call, filled));
}

export async function askSignOut(call: ConsoleCall): Promise<ConsoleReply> {
  const { language } = call;
  return askPage(call, {
    room: 'settings',
    parent: { label: texts.operators[language], path },
    title: texts.signOutAll[language],
    what: [texts.signOutWhat[language]],
    button: texts.signOutAll,
    action: `${path}/sign-out`,
  });
}

export async function signOutAll(call: ConsoleCall): Promise<ConsoleReply> {
  await signOutEverywhere(ofDeployment(call));
  return redirect('/console');
}

/** Who may enter is a matter of the deployment, not of one workspace. */
const ofDeployment = ({ context: { actor, language, now, requestId } }: ConsoleCall): DeploymentContext => ({
  actor,
  language,
  now,
  requestId,
});
