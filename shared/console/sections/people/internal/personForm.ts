import { type Issue, ValidationError } from '../../../../contract/errors.ts';
import { upsertSubscriberRequest } from '../../../../contract/schemas/subscriber.ts';
import type { FieldValue } from '../../../../domain/person/person.ts';
import { html } from '../../../../pages/html.ts';
import { getSubscriber, upsertSubscriber } from '../../../../services/subscribers/subscribers.ts';
import { type ConsoleCall, type ConsoleReply, redirect } from '../../../call.ts';
import { cardOf } from '../../../layout/elements.ts';
import {
  emptyForm,
  type FormState,
  field,
  formOf,
  parseForm,
  problemsOf,
  submitForm,
  ticks,
} from '../../../layout/form.ts';
import { layoutTexts } from '../../../layout/layoutTexts.ts';
import { pageOf } from '../../../layout/page.ts';
import { pathOf, personAt, personPath } from '../../../paths.ts';
import { peopleTexts as texts } from './peopleTexts.ts';

type SubscriberDetail = Awaited<ReturnType<typeof getSubscriber>>;

const names = ['email', 'firstName', 'lastName', 'tags', 'fields', 'consent'];

/** The form for a new person, or for editing a stored one. */
function personForm(call: ConsoleCall, before: SubscriberDetail | null, filled: FormState): ConsoleReply {
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
    : { label: layoutTexts.people[language], path: '/people' };
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    section: 'people',
    parent,
    title: before ? text('edit') : text('add'),
    body: cardOf(
      null,
      html`${problemsOf(filled, language, names)}${formOf(call, { action: pathOf(call, path) }, body)}`,
    ),
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

/** The form's values as `POST /subscribers` takes them. */
function formValues({ form }: ConsoleCall, before: SubscriberDetail | null) {
  const name = (field: string) => form.get(field)?.trim() || null;
  const tags = (form.get('tags') ?? '').split(',').map((tag) => tag.trim());
  return parseForm(upsertSubscriberRequest, {
    email: before?.email ?? form.get('email')?.trim() ?? '',
    firstName: name('firstName'),
    lastName: name('lastName'),
    tags: [...new Set(tags.filter((tag) => tag !== ''))],
    fields: fieldsOf(form.get('fields') ?? '', before?.fields ?? {}),
    double_opt_in: form.get('consent') !== 'given',
  });
}

export const showAdd = async (call: ConsoleCall): Promise<ConsoleReply> => personForm(call, null, emptyForm);

/** Rewords issues for the form, which has a field `consent` instead of `double_opt_in`. */
const inOwnWords = (issue: FormState['issues'][number]): FormState['issues'][number] =>
  issue.path === 'double_opt_in' ? { path: 'consent', text: texts.noSender } : issue;

export async function addPerson(call: ConsoleCall): Promise<ConsoleReply> {
  const act = async () => {
    const { output } = await upsertSubscriber(call.context, formValues(call, null));
    const done = output.status === 'pending' ? 'invited' : 'added';
    return redirect(pathOf(call, personPath(call, output.email), { done }));
  };
  return submitForm(call, act, (filled) =>
    personForm(call, null, { ...filled, issues: filled.issues.map(inOwnWords) }),
  );
}

export async function showEdit(call: ConsoleCall): Promise<ConsoleReply> {
  const email = await personAt(call);
  return personForm(call, await getSubscriber(call.context, { email }), emptyForm);
}

export async function editPerson(call: ConsoleCall): Promise<ConsoleReply> {
  const email = await personAt(call);
  const before = await getSubscriber(call.context, { email });
  const act = async () => {
    await upsertSubscriber(call.context, formValues(call, before));
    return redirect(pathOf(call, personPath(call, before.email), { done: 'saved' }));
  };
  return submitForm(call, act, (filled) => personForm(call, before, filled));
}

type Fields = Readonly<Record<string, FieldValue>>;

/** One field per line: `city = Paris`. */
export const linesOf = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name} = ${String(value).replaceAll(/\s*\n\s*/g, ' ')}`)
    .join('\n');

/**
 * The entered fields; null for a field whose line was removed. A value that was not edited keeps its type: an imported
 * "42" stays a text. Throws `validation_error`.
 */
export function fieldsOf(text: string, before: Fields): Record<string, FieldValue | null> {
  const shown = new Map(linesOf(before).split('\n').map(pairOf));
  const fields = new Map<string, FieldValue | null>(Object.keys(before).map((name) => [name, null]));
  const issues: Issue[] = [];
  for (const line of text.split(/\r?\n/).filter((one) => one.trim() !== '')) {
    const [name, value] = pairOf(line);
    if (value === undefined) issues.push(withoutSign(line));
    else fields.set(name, shown.get(name) === value ? (before[name] ?? value) : typed(value));
  }
  if (issues.length > 0) throw new ValidationError(issues);
  return Object.fromEntries(fields);
}

function pairOf(line: string): [string, string | undefined] {
  const at = line.indexOf('=');
  return at < 0 ? [line.trim(), undefined] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
}

/** A number or boolean in JSON notation, else a text. */
function typed(value: string): FieldValue {
  if (value === 'true' || value === 'false') return value === 'true';
  return value !== '' && String(Number(value)) === value && Number.isFinite(Number(value)) ? Number(value) : value;
}

const withoutSign = (line: string): Issue => ({
  path: 'fields',
  text: {
    en: texts.fieldsLine.en.replace('{line}', () => line.slice(0, 80)),
    fr: texts.fieldsLine.fr.replace('{line}', () => line.slice(0, 80)),
  },
});
