import { ValidationError } from '../../../../contract/errors.ts';
import { html } from '../../../../pages/html.ts';
import { startErasure, startPersonExport } from '../../../../services/rights/rightsJobs.ts';
import { showPerson } from '../../../../services/rights/showPerson.ts';
import { deleteSubscriber } from '../../../../services/subscribers/subscribers.ts';
import { type ConsoleCall, type ConsoleReply, redirect } from '../../../call.ts';
import { confirmationPage } from '../../../layout/confirmationPage.ts';
import { emptyForm, type FormState, field, submitForm } from '../../../layout/form.ts';
import { pathOf, personAt, personPath } from '../../../paths.ts';
import { jobPath } from './jobs/jobElements.ts';
import { peopleTexts as texts } from './peopleTexts.ts';

/** Runs in the background, because it scans all that the workspace stores. */
export async function exportOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { email } = await showPerson(call.context, { email: await personAt(call) });
  const { id } = await startPersonExport(call.context, { email });
  return redirect(pathOf(call, jobPath(id)));
}

export async function askUnsubscribe(call: ConsoleCall): Promise<ConsoleReply> {
  const { language } = call;
  const { email } = await showPerson(call.context, { email: await personAt(call) });
  return confirmationPage(call, {
    section: 'people',
    parent: { label: email, path: personPath(call, email) },
    title: texts.unsubscribeTitle[language].replace('{email}', () => email),
    what: [texts.unsubscribeWhat[language]],
    button: texts.unsubscribe,
    action: `${personPath(call, email)}/unsubscribe`,
  });
}

export async function unsubscribeOne(call: ConsoleCall): Promise<ConsoleReply> {
  const { email } = await deleteSubscriber(call.context, { email: await personAt(call) });
  return redirect(pathOf(call, personPath(call, email), { done: 'unsubscribed' }));
}

export async function askErase(call: ConsoleCall, filled: FormState = emptyForm): Promise<ConsoleReply> {
  const { language } = call;
  const { email } = await showPerson(call.context, { email: await personAt(call) });
  return confirmationPage(call, {
    section: 'people',
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
    return redirect(pathOf(call, jobPath(id)));
  };
  return submitForm(call, act, (filled) => askErase(call, filled));
}
