import { upsertSubscriberRequest } from '../../../contract/schemas/subscribers.ts';
import { html } from '../../../pages/html.ts';
import { getSubscriber } from '../../../services/subscribers/get.ts';
import { upsertSubscriber } from '../../../services/subscribers/upsert.ts';
import { type ConsoleCall, type ConsoleReply, placeOf, redirect } from '../../call.ts';
import { type Filled, field, formOf, problemsOf, ticks, untouched } from '../../frame/form.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf } from '../../frame/parts.ts';
import { checked, submitted } from '../../frame/submit.ts';
import { frameTexts } from '../../frame/texts.ts';
import { fieldsOf, linesOf } from './fields.ts';
import { personAt, personPath } from './place.ts';
import { peopleTexts as texts } from './texts.ts';

type Subscriber = Awaited<ReturnType<typeof getSubscriber>>;

const names = ['email', 'firstName', 'lastName', 'tags', 'fields', 'consent'];

/** The form for somebody new, or for who is there. */
function personForm(call: ConsoleCall, before: Subscriber | null, filled: Filled): ConsoleReply {
  const { language } = call;
  const text = (name: keyof typeof texts) => texts[name][language];
  const consent = [
    { value: 'ask', label: text('askFirst'), hint: text('askFirstHint') },
    { value: 'given', label: text('given'), hint: text('givenHint') },
  ];
  const first = before
    ? null
    : html`${field(filled, language, { name: 'email', label: text('address'), type: 'email', required: true })}
${ticks(filled, language, { name: 'consent', legend: text('consent'), choices: consent, chosen: ['ask'], type: 'radio' })}`;
  const body = html`${first}
${field(filled, language, { name: 'firstName', label: text('firstName'), value: before?.firstName ?? '' })}
${field(filled, language, { name: 'lastName', label: text('lastName'), value: before?.lastName ?? '' })}
${field(filled, language, { name: 'tags', label: text('tags'), hint: text('tagsHint'), value: before?.tags.join(', ') ?? '' })}
${field(filled, language, { name: 'fields', label: text('fields'), hint: text('fieldsHint'), type: 'textarea', value: linesOf(before?.fields ?? {}) })}
<button>${before ? text('save') : text('addButton')}</button>`;
  const path = before ? `${personPath(call, before.email)}/edit` : '/people/add';
  const parent = before
    ? { label: before.email, path: personPath(call, before.email) }
    : { label: frameTexts.people[language], path: '/people' };
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    room: 'people',
    parent,
    title: before ? text('edit') : text('add'),
    body: cardOf(
      null,
      html`${problemsOf(filled, language, names)}${formOf(call, { action: placeOf(call, path) }, body)}`,
    ),
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

/** What the form says, in the words of `POST /subscribers`. */
function wantedOf({ form }: ConsoleCall, before: Subscriber | null) {
  const name = (field: string) => form.get(field)?.trim() || null;
  const tags = (form.get('tags') ?? '').split(',').map((tag) => tag.trim());
  return checked(upsertSubscriberRequest, {
    email: before?.email ?? form.get('email')?.trim() ?? '',
    firstName: name('firstName'),
    lastName: name('lastName'),
    tags: [...new Set(tags.filter((tag) => tag !== ''))],
    fields: fieldsOf(form.get('fields') ?? '', before?.fields ?? {}),
    double_opt_in: form.get('consent') !== 'given',
  });
}

export const showAdd = async (call: ConsoleCall): Promise<ConsoleReply> => personForm(call, null, untouched);

/** Nobody here sends `double_opt_in`: it is what they chose at “consent”. */
const inOwnWords = (issue: Filled['issues'][number]): Filled['issues'][number] =>
  issue.path === 'double_opt_in' ? { path: 'consent', text: texts.noSender } : issue;

export async function addPerson(call: ConsoleCall): Promise<ConsoleReply> {
  const act = async () => {
    const { output } = await upsertSubscriber(call.context, wantedOf(call, null));
    const done = output.status === 'pending' ? 'invited' : 'added';
    return redirect(placeOf(call, personPath(call, output.email), { done }));
  };
  return submitted(call, act, (filled) => personForm(call, null, { ...filled, issues: filled.issues.map(inOwnWords) }));
}

export async function showEdit(call: ConsoleCall): Promise<ConsoleReply> {
  const email = await personAt(call);
  return personForm(call, await getSubscriber(call.context, { email }), untouched);
}

export async function editPerson(call: ConsoleCall): Promise<ConsoleReply> {
  const email = await personAt(call);
  const before = await getSubscriber(call.context, { email });
  const act = async () => {
    await upsertSubscriber(call.context, wantedOf(call, before));
    return redirect(placeOf(call, personPath(call, before.email), { done: 'saved' }));
  };
  return submitted(call, act, (filled) => personForm(call, before, filled));
}
