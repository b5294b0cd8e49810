import { ValidationError } from '../../../contract/errors.ts';
import { html } from '../../../pages/html.ts';
import { showPerson } from '../../../services/rights/show.ts';
import { startErasure, startPersonExport } from '../../../services/rights/start.ts';
import { deleteSubscriber } from '../../../services/subscribers/delete.ts';
import { type ConsoleCall, type ConsoleReply, placeOf, redirect } from '../../call.ts';
import { askPage } from '../../frame/ask.ts';
import { type Filled, field, untouched } from '../../frame/form.ts';
import { submitted } from '../../frame/submit.ts';
import { jobPath } from './jobs/parts.ts';
import { personAt, personPath } from './place.ts';
import { peopleTexts as texts } from './texts.ts';

/** All that is kept is looked through, which takes as long as there is much of it: in the background. */
export async function exportOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { email } = await showPerson(call.context, { email: await personAt(call) });
  const { id } = await startPersonExport(call.context, { email });
  return redirect(placeOf(call, jobPath(id)));
}

export async function askUnsubscribe(call: ConsoleCall): Promise<ConsoleReply> {
  const { language } = call;
  const { email } = await showPerson(call.context, { email: await personAt(call) });
  return askPage(call, {
    room: 'people',
    parent: { label: email, path: personPath(call, email) },
    title: texts.unsubscribeTitle[language].replace('{email}', () => email),
    what: [texts.unsubscribeWhat[language]],
    button: texts.unsubscribe,
    action: `${personPath(call, email)}/unsubscribe`,
  });
}

export async function unsubscribeOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { email } = await deleteSubscriber(call.context, { email: await personAt(call) });
  return redirect(placeOf(call, personPath(call, email), { done: 'unsubscribed' }));
}

export async function askErase(call: ConsoleCall, filled: Filled = untouched): Promise<ConsoleReply> {
  const { language } = call;
  const { email } = await showPerson(call.context, { email: await personAt(call) });
  return askPage(call, {
    room: 'people',
    parent: { label: email, path: personPath(call, email) },
    title: texts.eraseTitle[language].replace('{email}', () => email),
    what: [texts.eraseWhat[language], html`<span class="soft">${texts.eraseSlow[language]}</span>`],
    button: texts.erase,
    action: `${personPath(call, email)}/erase`,
    fields: field(filled, language, { name: 'typed', label: texts.typed[language] }),
    filled,
    names: ['typed'],
  });
}

export async function eraseOne(call: ConsoleCall): Promise<ConsoleReply> {
  const act = async () => {
    const { email } = await showPerson(call.context, { email: await personAt(call) });
    if (call.form.get('typed')?.trim().toLowerCase() !== email) {
      throw new ValidationError([{ path: 'typed', text: texts.typedWrong }]);
    }
    const { id } = await startErasure(call.context, { email });
    return redirect(placeOf(call, jobPath(id)));
  };
  return submitted(call, act, (filled) => askErase(call, filled));
}
