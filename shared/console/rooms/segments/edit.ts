import { ValidationError } from '../../../contract/errors.ts';
import { characterCount } from '../../../domain/encoding/characterCount.ts';
import { type Html, html } from '../../../pages/html.ts';
import { createSegment } from '../../../services/segments/create.ts';
import { editSegment } from '../../../services/segments/edit.ts';
import { showSegment } from '../../../services/segments/show.ts';
import { type ConsoleCall, type ConsoleReply, placeOf, redirect } from '../../call.ts';
import { type Filled, field, formOf, problemsOf, untouched } from '../../frame/form.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf } from '../../frame/parts.ts';
import { submitted } from '../../frame/submit.ts';
import { frameTexts } from '../../frame/texts.ts';
import { type Condition, conditionRows, conditionsOf, ruleOf, subjects } from './rule.ts';
import { testTexts, segmentsTexts as texts } from './texts.ts';

type Segment = Awaited<ReturnType<typeof showSegment>>;

export const segmentPath = (id: string): string => `/segments/${encodeURIComponent(id)}`;

function segmentForm(call: ConsoleCall, before: Segment | null, filled: Filled): ConsoleReply {
  const { language } = call;
  const known = before ? conditionsOf(before.rule) : { joined: 'all', rows: [] };
  const joins = (['all', 'any'] as const).map((name) => [name, texts[name][language]] as const);
  const rows = Array.from({ length: conditionRows }, (_, index) =>
    conditionRow(call, filled, index, known?.rows[index]),
  );
  const json = before && !known ? JSON.stringify(before.rule, null, 2) : '';
  const isJson = json !== '' || (filled.values.get('json') ?? '') !== '';
  const body = html`${field(filled, language, { name: 'name', label: texts.name[language], value: before?.name ?? '', required: true })}
${field(filled, language, { name: 'joined', label: texts.joined[language], options: joins, value: known?.joined ?? 'all' })}
${rows}
<details${isJson ? html` open` : null}><summary>${texts.asJson[language]}</summary>
${field(filled, language, { name: 'json', label: texts.rule[language], hint: texts.asJsonHint[language], type: 'textarea', value: json })}</details>
<p></p><button>${texts.save[language]}</button>`;
  const path = before ? `${segmentPath(before.id)}/edit` : '/segments/add';
  const isWrong = filled.issues.length > 0;
  return pageOf(call, {
    room: 'segments',
    parent: before
      ? { label: before.name, path: segmentPath(before.id) }
      : { label: frameTexts.segments[language], path: '/segments' },
    title: (before ? texts.edit : texts.add)[language],
    body: cardOf(
      null,
      html`${problemsOf(filled, language, ['name', 'json'])}${formOf(call, { action: placeOf(call, path), className: 'stack wide' }, body)}`,
    ),
    status: isWrong ? 422 : 200,
    isWrong,
  });
}

function conditionRow({ language }: ConsoleCall, filled: Filled, index: number, known: Condition | undefined): Html {
  const what = [
    ['', texts.none[language]] as const,
    ...subjects.map((subject) => [subject, texts[subject][language]] as const),
  ];
  const tests = Object.entries(testTexts).map(([test, label]) => [test, label[language]] as const);
  const label = texts.condition[language].replace('{number}', String(index + 1));
  return html`<fieldset><legend>${label}</legend><div class="filters">
<div>${field(filled, language, { name: `subject${index}`, label: texts.subject[language], options: what, value: known?.subject ?? '' })}</div>
<div>${field(filled, language, { name: `fieldName${index}`, label: texts.fieldName[language], value: known?.fieldName ?? '' })}</div>
<div>${field(filled, language, { name: `test${index}`, label: texts.test[language], options: tests, value: known?.test ?? 'equals' })}</div>
<div>${field(filled, language, { name: `value${index}`, label: texts.value[language], value: known?.value ?? '' })}</div>
</div></fieldset>`;
}

function nameOf(form: URLSearchParams): string {
  const name = (form.get('name') ?? '').trim();
  if (name !== '' && characterCount(name) <= 100 && !/\p{Cc}/u.test(name)) return name;
  throw new ValidationError([{ path: 'name', text: texts.nameWrong }]);
}

export const showAdd = async (call: ConsoleCall): Promise<ConsoleReply> => segmentForm(call, null, untouched);

export async function addOne(call: ConsoleCall): Promise<ConsoleReply> {
  const act = async () => {
    const { id } = await createSegment(call.context, { name: nameOf(call.form), rule: ruleOf(call.form) });
    return redirect(placeOf(call, segmentPath(id), { done: 'created', count: 'yes' }));
  };
  return submitted(call, act, (filled) => segmentForm(call, null, filled));
}

export async function showEdit(call: ConsoleCall): Promise<ConsoleReply> {
  return segmentForm(call, await showSegment(call.context, { segment: call.parameters.id ?? '' }), untouched);
}

export async function editOne(call: ConsoleCall): Promise<ConsoleReply> {
  const before = await showSegment(call.context, { segment: call.parameters.id ?? '' });
  const act = async () => {
    await editSegment(call.context, { segment: before.id, name: nameOf(call.form), rule: ruleOf(call.form) });
    return redirect(placeOf(call, segmentPath(before.id), { done: 'saved', count: 'yes' }));
  };
  return submitted(call, act, (filled) => segmentForm(call, before, filled));
}
