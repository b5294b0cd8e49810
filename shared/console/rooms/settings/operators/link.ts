import { ValidationError } from '../../../../contract/errors.ts';
import { characterCount } from '../../../../domain/encoding/characterCount.ts';
import { html } from '../../../../pages/html.ts';
import { createSignIn } from '../../../../services/operators/signIn.ts';
import { signOutEverywhere } from '../../../../services/operators/signOut.ts';
import { type ConsoleCall, type ConsoleReply, deploymentOf, placeOf, redirect } from '../../../call.ts';
import { askPage } from '../../../frame/ask.ts';
import { cardOf, copyable, linkButton } from '../../../frame/parts.ts';
import { submitted } from '../../../frame/submit.ts';
import { consoleRoot } from '../../../root.ts';
import { settingsPage } from '../tabs.ts';
import { settingsTexts } from '../texts.ts';
import { grantOf, operatorsPath } from './grant.ts';
import { showOperators } from './list.ts';
import { operatorTexts as texts } from './texts.ts';

/** The link is in this answer and nowhere else: of its token only a hash is stored. */
export async function makeLink(call: ConsoleCall): Promise<ConsoleReply> {
  const { form, language } = call;
  const act = async () => {
    const name = (form.get('name') ?? '').trim();
    if (name === '' || characterCount(name) > 100 || /\p{Cc}/u.test(name)) {
      throw new ValidationError([{ path: 'name', text: settingsTexts.nameWrong }]);
    }
    const { url } = await createSignIn(deploymentOf(call), { name, ...grantOf(call) });
    const body = html`<div class="say warn" role="status"><p>${texts.newLinkWhat[language]}</p></div>${copyable(url, language)}
<p></p>${linkButton(settingsTexts.toKeys[language], placeOf(call, operatorsPath))}`;
    const title = texts.newLink[language].replace('{name}', () => name);
    return settingsPage(call, 'operators', { title, body: cardOf(null, body) });
  };
  return submitted(call, act, (filled) => showOperators(call, filled));
}

export async function askSignOut(call: ConsoleCall): Promise<ConsoleReply> {
  const { language } = call;
  return askPage(call, {
    room: 'settings',
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
