import { segmentLimits } from '../../../domain/segment/segmentRule.ts';
import type { Language } from '../../../language/languages.ts';
import { type Html, html } from '../../../pages/html.ts';
import { joinTexts, testTexts, segmentsTexts as texts } from './texts.ts';
import { type Condition, type Group, joins, type Node, rootPath, subjects } from './tree.ts';

/** What is wrong, by the place where it stands. */
export type Problems = ReadonlyMap<string, readonly string[]>;

interface Shown {
  readonly language: Language;
  readonly problems: Problems;
  /** What was added just now gets the cursor. */
  readonly added: string | null;
}

/** The form of a rule: each button of it comes back with the form changed, and nothing is saved before `save`. */
export function builder(root: Group, shown: Shown): Html {
  return groupOf(root, shown, 1);
}

const nodeOf = (node: Node, shown: Shown, depth: number): Html =>
  node.kind === 'group' ? groupOf(node, shown, depth) : conditionOf(node, shown);

function groupOf(group: Group, shown: Shown, depth: number): Html {
  const { language } = shown;
  const { path, join, children } = group;
  const isRoot = path === rootPath;
  const options = joins.map(
    (one) => html`<option value="${one}"${one === join ? html` selected` : null}>${joinTexts[one][language]}</option>`,
  );
  const deed = (verb: string, label: string, className: string) =>
    html`<button name="do" value="${verb}:${path}" class="${className}" formnovalidate>${label}</button>`;
  const more = depth < segmentLimits.depth - 1 ? deed('group', texts.addGroup[language], 'plain small') : null;
  return html`<fieldset class="group" id="at-${path}"><legend class="quiet">${isRoot ? texts.rule[language] : texts.group[language]}</legend>
${isRoot ? null : html`<input type="hidden" name="kind.${path}" value="group">`}
<div class="row"><label class="${isRoot ? 'lead' : 'quiet'}" for="join.${path}">${texts.joined[language]}</label>
<select id="join.${path}" name="join.${path}">${options}</select>${isRoot ? null : deed('remove', texts.removeGroup[language], 'link')}</div>
${problemsAt(shown, path)}
${children.map((child) => nodeOf(child, shown, depth + 1))}
<div class="row">${deed('condition', texts.addCondition[language], 'plain small')}${more}</div></fieldset>
`;
}

function conditionOf(condition: Condition, shown: Shown): Html {
  const { language, added } = shown;
  const { path, subject, field, test, value } = condition;
  const focus = path === added ? html` autofocus` : null;
  const isWrong = shown.problems.has(path) ? html` aria-invalid="true" aria-describedby="problem.${path}"` : null;
  const what = subjects.map(
    (one) => html`<option value="${one}"${one === subject ? html` selected` : null}>${texts[one][language]}</option>`,
  );
  const named: Readonly<Record<string, string>> = Object.fromEntries(
    Object.entries(testTexts).map(([name, label]) => [name, label[language]]),
  );
  const tests = test in named ? named : { ...named, [test]: test };
  const how = Object.entries(tests).map(
    ([name, label]) => html`<option value="${name}"${name === test ? html` selected` : null}>${label}</option>`,
  );
  const label = (text: string) => html` aria-label="${text}"`;
  return html`<div class="condition" id="at-${path}"><input type="hidden" name="kind.${path}" value="condition">
<select name="subject.${path}"${label(texts.subject[language])}${focus}>${what}</select>
<input class="of-field" name="field.${path}" value="${field}"${label(texts.fieldName[language])} placeholder="${texts.fieldName[language]}" autocomplete="off" spellcheck="false">
<select name="test.${path}"${label(texts.test[language])}>${how}</select>
<input class="of-value" name="value.${path}" value="${value}"${label(texts.value[language])}${isWrong} placeholder="${texts.value[language]}" autocomplete="off">
<button name="do" value="remove:${path}" class="link" formnovalidate>${texts.removeCondition[language]}</button>
${problemsAt(shown, path)}</div>
`;
}

function problemsAt({ problems }: Shown, path: string): Html | null {
  const own = problems.get(path) ?? [];
  return own.length === 0 ? null : html`<p class="problem" id="problem.${path}">${own.join('; ')}</p>`;
}
