import { type Html, html } from '../../../../pages/html.ts';
import { type ConsoleCall, placeOf } from '../../../call.ts';
import { type Filled, field, formOf, problemsOf } from '../../../frame/form.ts';
import { grantFields, operatorsPath } from './grant.ts';
import { operatorTexts as texts } from './texts.ts';

/** How somebody is let in where there is no provider. */
export function linkForm(call: ConsoleCall, filled: Filled): Html {
  const { language, context, workspaceName } = call;
  const least = { role: 'viewer', workspaceId: context.workspaceId } as const;
  const body = html`${field(filled, language, { name: 'name', label: texts.who[language], hint: texts.whoHint[language], required: true })}
${grantFields(call, filled, least, [{ id: context.workspaceId, name: workspaceName }])}
<button>${texts.makeLink[language]}</button>`;
  const form = formOf(call, { action: placeOf(call, operatorsPath) }, body);
  return html`${problemsOf(filled, language, ['name', 'role', 'reach'])}${form}`;
}
