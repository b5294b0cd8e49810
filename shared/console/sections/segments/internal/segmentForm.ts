import { type Issue, ServiceError, ValidationError } from '../../../../contract/errors.ts';
import { characterCount } from '../../../../domain/encoding.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { createSegment, editSegment, previewSegment, showSegment } from '../../../../services/segments.ts';
import { type ConsoleCall, type ConsoleReply, dataOf, redirect } from '../../../call.ts';
import { cardOf, numberOf } from '../../../layout/elements.ts';
import { emptyForm, type FormState, field, formOf, problemsOf, submitForm } from '../../../layout/form.ts';
import { layoutTexts } from '../../../layout/layoutTexts.ts';
import { pageOf } from '../../../layout/page.ts';
import { pathOf, personPath } from '../../../paths.ts';
import { builder, changed, type Problems, treeIn } from './ruleForm.ts';
import {
  newCondition,
  type RuleGroup,
  rootPath,
  treeOf,
  unusualTagTests,
  type WrittenRule,
  written,
} from './ruleTree.ts';
import { segmentsTexts as texts } from './segmentTexts.ts';

type SegmentDetail = Awaited<ReturnType<typeof showSegment>>;

export const segmentPath = (id: string): string => `/segments/${encodeURIComponent(id)}`;

const emptyTree: RuleGroup = {
  kind: 'group',
  path: rootPath,
  join: 'all',
  children: [newCondition(`${rootPath}.0`)],
};

interface SegmentDraft {
  readonly root: RuleGroup;
  readonly added?: string | null;
  readonly filled?: FormState;
}

function segmentForm(call: ConsoleCall, before: SegmentDetail | null, draft: SegmentDraft): ConsoleReply {
  const { language } = call;
  const { root, added = null, filled = emptyForm } = draft;
  const places = written(root).places;
  const path = before ? `${segmentPath(before.id)}/edit` : '/segments/add';
  // The first button of the form, so that the Enter key saves and adds nothing.
  const body = html`<button class="quiet" name="do" value="save" tabindex="-1" aria-hidden="true">${texts.save[language]}</button>
${field(filled, language, { name: 'name', label: texts.name[language], value: before?.name ?? '', required: true })}
<div data-rule data-count-at="${pathOf(call, '/segments/count')}">${builder(root, { language, problems: problemsIn(filled, language, places), added })}</div>
<button name="do" value="save">${texts.save[language]}</button>`;
  const isWrong = filled.issues.length > 0;
  const others = filled.issues.filter(({ path: at }) => placeOfIssue(at, places) === null);
  return pageOf(call, {
    section: 'segments',
    parent: before
      ? { label: before.name, path: segmentPath(before.id) }
      : { label: layoutTexts.segments[language], path: '/segments' },
    title: (before ? texts.edit : texts.add)[language],
    body: html`<div class="two builder">${cardOf(
      null,
      html`${isWrong ? problemsOf({ ...filled, issues: others.length > 0 ? others : [{ path: 'name', text: texts.save }] }, language, ['name']) : null}${formOf(call, { action: pathOf(call, path), className: '' }, body)}`,
    )}${cardOf(texts.whom[language], html`<div data-preview>${previewOf(call, null)}</div><noscript><p class="soft">${texts.noScript[language]}</p></noscript>`)}</div>`,
    status: isWrong ? 422 : 200,
    isWrong,
    files: { script: 'segment.js' },
  });
}

/** An issue at `rule.all[1].value` is shown at its condition. */
function problemsIn({ issues }: FormState, language: ConsoleCall['language'], places: WrittenRule['places']): Problems {
  const problems = new Map<string, string[]>();
  for (const { path, text } of issues) {
    const place = placeOfIssue(path, places);
    if (place !== null) problems.set(place, [...(problems.get(place) ?? []), text[language]]);
  }
  return problems;
}

function placeOfIssue(path: string, places: WrittenRule['places']): string | null {
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

/** The entered name and rule. Throws with all problems of the form itself. */
function formValues(form: URLSearchParams): { name: string; rule: unknown } {
  const root = treeIn(form);
  const { rule, places } = written(root);
  const at = new Map([...places].map(([issue, place]) => [place, issue]));
  const issues: Issue[] = [
    ...(root.children.length === 0 ? [{ path: 'rule', text: texts.ruleMissing }] : []),
    ...unusualTagTests(root).map((place) => ({ path: at.get(place) ?? 'rule', text: texts.tagTest })),
  ];
  if (issues.length > 0) throw new ValidationError(issues);
  return { name: nameOf(form), rule };
}

export const showAdd = async (call: ConsoleCall): Promise<ConsoleReply> => segmentForm(call, null, { root: emptyTree });

/** Handles the buttons that change the form and save nothing. */
async function acted(call: ConsoleCall, before: SegmentDetail | null, save: () => Promise<ConsoleReply>) {
  const root = treeIn(call.form);
  const button = call.form.get('do') ?? 'save';
  if (button === 'save') return submitForm(call, save, (filled) => segmentForm(call, before, { root, filled }));
  return segmentForm(call, before, { ...changed(root, button), filled: { values: call.form, issues: [] } });
}

export const addOne = (call: ConsoleCall): Promise<ConsoleReply> =>
  acted(call, null, async () => {
    const { id } = await createSegment(call.context, formValues(call.form));
    return redirect(pathOf(call, segmentPath(id), { done: 'created', count: 'yes' }));
  });

export async function showEdit(call: ConsoleCall): Promise<ConsoleReply> {
  const segment = await showSegment(call.context, { id: call.parameters.id ?? '' });
  return segmentForm(call, segment, { root: treeOf(segment.rule) });
}

export async function editOne(call: ConsoleCall): Promise<ConsoleReply> {
  const before = await showSegment(call.context, { id: call.parameters.id ?? '' });
  return acted(call, before, async () => {
    await editSegment(call.context, { id: before.id, ...formValues(call.form) });
    return redirect(pathOf(call, segmentPath(before.id), { done: 'saved', count: 'yes' }));
  });
}

type Preview = Awaited<ReturnType<typeof previewSegment>>;

/** The number of people and a sample of ten, which the script updates. */
export function previewOf(call: ConsoleCall, preview: Preview | null): Html {
  const { language } = call;
  const count = preview ? numberOf(preview.recipients, language) : '–';
  return html`<dl class="figures"><div><dt>${texts.people[language]}</dt><dd data-count>${count}</dd></div></dl>
<p class="soft small" data-note role="status">${preview ? texts.counted[language] : ''}</p>
<h3${preview && preview.sample.length > 0 ? null : html` hidden`} data-sample-title>${texts.sample[language]}</h3>
<ul class="plainlist" data-sample>${(preview?.sample ?? []).map((person) => {
    const { href, email, name } = lineOf(call, person);
    return html`<li><a href="${href}"><bdi>${email}</bdi></a> <span class="soft"><bdi>${name}</bdi></span></li>`;
  })}</ul>`;
}

const lineOf = (call: ConsoleCall, { email, firstName, lastName }: Preview['sample'][number]) => ({
  href: pathOf(call, personPath(call, email)),
  email,
  name: [firstName, lastName].filter(Boolean).join(' '),
});

/** For the script, after each change of the form. An incomplete rule is not reported as an error yet. */
export async function countWritten(call: ConsoleCall): Promise<ConsoleReply> {
  const { context, form, language } = call;
  try {
    const preview = await previewSegment(context, { rule: written(treeIn(form)).rule });
    const sample = preview.sample.map((person) => lineOf(call, person));
    return dataOf({ count: numberOf(preview.recipients, language), note: texts.counted[language], sample });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'validation_error') throw error;
    return dataOf({ count: '–', note: texts.unfinished[language], sample: [] });
  }
}
