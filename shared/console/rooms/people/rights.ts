import { ServiceError, ValidationError } from '../../../contract/errors.ts';
import { html } from '../../../pages/html.ts';
import { erasePerson } from '../../../services/rights/erase.ts';
import { exportPerson } from '../../../services/rights/export.ts';
import { showPerson } from '../../../services/rights/show.ts';
import { deleteSubscriber } from '../../../services/subscribers/delete.ts';
import { type ConsoleCall, type ConsoleReply, placeOf, redirect } from '../../call.ts';
import { askPage } from '../../frame/ask.ts';
import { type Filled, field, untouched } from '../../frame/form.ts';
import { submitted } from '../../frame/submit.ts';
import { personPath } from './list.ts';
import { peopleTexts as texts } from './texts.ts';

/** What Lambda hands over at most is 6 MB, and what is escaped in it counts twice. */
const mostCharacters = 2_500_000;

export async function exportOne({ context, parameters }: ConsoleCall): Promise<ConsoleReply> {
  const { email } = await showPerson(context, { email: parameters.email ?? '' });
  let body = '';
  for await (const { text } of exportPerson(context, { email })) {
    body += text;
    if (body.length > mostCharacters) throw new ServiceError('conflict', { text: texts.tooLarge });
  }
  return { kind: 'file', type: 'application/json; charset=utf-8', body, saveAs: 'person.json' };
}

export async function askUnsubscribe(call: ConsoleCall): Promise<ConsoleReply> {
  const { language } = call;
  const { email } = await showPerson(call.context, { email: call.parameters.email ?? '' });
  return askPage(call, {
    room: 'people',
    parent: { label: email, path: personPath(email) },
    title: texts.unsubscribeTitle[language].replace('{email}', () => email),
    what: [texts.unsubscribeWhat[language]],
    button: texts.unsubscribe,
    action: `${personPath(email)}/unsubscribe`,
  });
}

export async function unsubscribeOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { email } = await deleteSubscriber(call.context, { email: call.parameters.email ?? '' });
  return redirect(placeOf(call, personPath(email), { done: 'unsubscribed' }));
}

export async function askErase(call: ConsoleCall, filled: Filled = untouched): Promise<ConsoleReply> {
  const { language } = call;
  const { email } = await showPerson(call.context, { email: call.parameters.email ?? '' });
  return askPage(call, {
    room: 'people',
    parent: { label: email, path: personPath(email) },
    title: texts.eraseTitle[language].replace('{email}', () => email),
    what: [texts.eraseWhat[language], html`<span class="soft">${texts.eraseSlow[language]}</span>`],
    button: texts.erase,
    action: `${personPath(email)}/erase`,
    fields: field(filled, language, { name: 'typed', label: texts.typed[language] }),
    filled,
    names: ['typed'],
  });
}

export async function eraseOne(call: ConsoleCall): Promise<ConsoleReply> {
  const act = async () => {
    const { email } = await showPerson(call.context, { email: call.parameters.email ?? '' });
    if (call.form.get('typed')?.trim().toLowerCase() !== email) {
      throw new ValidationError([{ path: 'typed', text: texts.typedWrong }]);
    }
    await erasePerson(call.context, { email });
    return redirect(placeOf(call, '/people', { done: 'erased' }));
  };
  return submitted(call, act, (filled) => askErase(call, filled));
}
