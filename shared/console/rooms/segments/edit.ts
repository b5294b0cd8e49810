import { type Issue, ValidationError } from '../../../contract/errors.ts';
import { characterCount } from '../../../domain/encoding/characterCount.ts';
import { html } from '../../../pages/html.ts';
import { createSegment } from '../../../services/segments/create.ts';
import { editSegment } from '../../../services/segments/edit.ts';
import { showSegment } from '../../../services/segments/show.ts';
import { segmentFiles } from '../../assets/islands.ts';
import { type ConsoleCall, type ConsoleReply, placeOf, redirect } from '../../call.ts';
import { type Filled, field, formOf, problemsOf, untouched } from '../../frame/form.ts';
import { pageOf } from '../../frame/layout.ts';
import { cardOf } from '../../frame/parts.ts';
import { submitted } from '../../frame/submit.ts';
import { frameTexts } from '../../frame/texts.ts';
import { builder, type Problems } from './builder.ts';
import { changed, treeIn } from './posted.ts';
import { previewOf } from './preview.ts';
import { segmentsTexts as texts } from './texts.ts';
import { type Group, newCondition, oddTags, rootPath, treeOf, type Written, written } from './tree.ts';

type Segment = Awaited<ReturnType<typeof showSegment>>;

export const segmentPath = (id: string): string => `/segments/${encodeURIComponent(id)}`;

const emptyTree: Group = {
  kind: 'group',
  path: rootPath,
  join: 'all',
  children: [newCondition(`${rootPath}.0`)],
};

interface Draft {
  readonly root: Group;
  readonly added?: string | null;
  readonly filled?: Filled;
}

function segmentForm(call: ConsoleCall, before: Segment | null, draft: Draft): ConsoleReply {
  const { language } = call;
  const { root, added = null, filled = untouched } = draft;
  const places = written(root).places;
  const path = before ? `${segmentPath(before.id)}/edit` : '/segments/add';
  // First among the buttons, so that Enter saves and adds nothing.
  const body = html`<button class="quiet" name="do" value="save" tabindex="-1" aria-hidden="true">${texts.save[language]}</button>
${field(filled, language, { name: 'name', label: texts.name[language], value: before?.name ?? '', required: true })}
<div data-rule data-count-at="${placeOf(call, '/segments/count')}">${builder(root, { language, problems: problemsIn(filled, language, places), added })}</div>
<button name="do" value="save">${texts.save[language]}</button>`;
  const isWrong = filled.issues.length > 0;
  const others = filled.issues.filter(({ path: at }) => placeOfIssue(at, places) === null);
  return pageOf(call, {
    room: 'segments',
    parent: before
      ? { label: before.name, path: segmentPath(before.id) }
      : { label: frameTexts.segments[language], path: '/segments' },
    title: (before ? texts.edit : texts.add)[language],
    body: html`<div class="two builder">${cardOf(
      null,
      html`${isWrong ? problemsOf({ ...filled, issues: others.length > 0 ? others : [{ path: 'name', text: texts.save }] }, language, ['name']) : null}${formOf(call, { action: placeOf(call, path), className: '' }, body)}`,
    )}${cardOf(texts.whom[language], html`<div data-preview>${previewOf(call, null)}</div><noscript><p class="soft">${texts.noScript[language]}</p></noscript>`)}</div>`,
    status: isWrong ? 422 : 200,
    isWrong,
    files: segmentFiles,
  });
}

/** `rule.all[1].value` is told at the condition that it is of. */
function problemsIn({ issues }: Filled, language: ConsoleCall['language'], places: Written['places']): Problems {
  const problems = new Map<string, string[]>();
  for (const { path, text } of issues) {
    const place = placeOfIssue(path, places);
    if (place !== null) problems.set(place, [...(problems.get(place) ?? []), text[language]]);
  }
  return problems;
}

function placeOfIssue(path: string, places: Written['places']): string | null {
  for (let at = path; at !== ''; at = at.replace(/\.?[^.]+$/, '')) {
    const place = places.get(at);
    if (place !== undefined) return place;
  }
  return null;
}

function nameOf(form: URLSearchParams): string {
  const name = (form.get('name') ?? '').trim();
  if (name !== '' && characterCount(name) <= 100 && !/\p{Cc}/u.test(name)) return name;
  throw new ValidationError([{ path: 'name', text: texts.nameWrong }]);
}

/** The name and the rule; everything that is wrong with the form itself at once. */
function wantedOf(form: URLSearchParams): { name: string; rule: unknown } {
  const root = treeIn(form);
  const { rule, places } = written(root);
  const at = new Map([...places].map(([issue, place]) => [place, issue]));
  const issues: Issue[] = [
    ...(root.children.length === 0 ? [{ path: 'rule', text: texts.ruleMissing }] : []),
    ...oddTags(root).map((place) => ({ path: at.get(place) ?? 'rule', text: texts.tagTest })),
  ];
  if (issues.length > 0) throw new ValidationError(issues);
  return { name: nameOf(form), rule };
}

export const showAdd = async (call: ConsoleCall): Promise<ConsoleReply> => segmentForm(call, null, { root: emptyTree });

/** A button of the form that is not `save` gives the form back, changed. */
async function acted(call: ConsoleCall, before: Segment | null, save: () => Promise<ConsoleReply>) {
  const root = treeIn(call.form);
  const deed = call.form.get('do') ?? 'save';
  if (deed === 'save') return submitted(call, save, (filled) => segmentForm(call, before, { root, filled }));
  return segmentForm(call, before, { ...changed(root, deed), filled: { values: call.form, issues: [] } });
}

export const addOne = (call: ConsoleCall): Promise<ConsoleReply> =>
  acted(call, null, async () => {
    const { id } = await createSegment(call.context, wantedOf(call.form));
    return redirect(placeOf(call, segmentPath(id), { done: 'created', count: 'yes' }));
  });

export async function showEdit(call: ConsoleCall): Promise<ConsoleReply> {
  const segment = await showSegment(call.context, { segment: call.parameters.id ?? '' });
  return segmentForm(call, segment, { root: treeOf(segment.rule) });
}

export async function editOne(call: ConsoleCall): Promise<ConsoleReply> {
  const before = await showSegment(call.context, { segment: call.parameters.id ?? '' });
  return acted(call, before, async () => {
    await editSegment(call.context, { segment: before.id, ...wantedOf(call.form) });
    return redirect(placeOf(call, segmentPath(before.id), { done: 'saved', count: 'yes' }));
  });
}
