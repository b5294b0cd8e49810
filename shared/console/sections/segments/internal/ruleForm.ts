import { segmentLimits } from '../../../../domain/segment/ruleParser.ts';
import type { Language } from '../../../../language/languages.ts';
import { type Html, html } from '../../../../pages/html.ts';
import { joinTexts, testTexts } from '../ruleTexts.ts';
import {
  joins,
  type Node,
  newCondition,
  newGroup,
  type RuleCondition,
  type RuleGroup,
  rootPath,
  subjects,
} from './ruleTree.ts';
import { segmentsTexts as texts } from './segmentTexts.ts';

/** Messages by the path of the group or condition. */
export type Problems = ReadonlyMap<string, readonly string[]>;

interface Shown {
  readonly language: Language;
  readonly problems: Problems;
  /** The path of a new condition, which gets the focus. */
  readonly added: string | null;
}

/** The form of a rule. Each button except `save` returns the changed form; nothing is saved before `save`. */
export function builder(root: RuleGroup, shown: Shown): Html {
  return groupOf(root, shown, 1);
}

const nodeOf = (node: Node, shown: Shown, depth: number): Html =>
  node.kind === 'group' ? groupOf(node, shown, depth) : conditionOf(node, shown);

function groupOf(group: RuleGroup, shown: Shown, depth: number): Html {
  const { language } = shown;
  const { path, join, children } = group;
  const isRoot = path === rootPath;
  const options = joins.map(
    (one) => html`<option value="${one}"${one === join ? html` selected` : null}>${joinTexts[one][language]}</option>`,
  );
  const button = (verb: string, label: string, className: string) =>
    html`<button name="do" value="${verb}:${path}" class="${className}" formnovalidate>${label}</button>`;
  const more = depth < segmentLimits.depth - 1 ? button('group', texts.addGroup[language], 'plain small') : null;
  return html`<fieldset class="group" id="at-${path}"><legend class="quiet">${isRoot ? texts.rule[language] : texts.group[language]}</legend>
${isRoot ? null : html`<input type="hidden" name="kind.${path}" value="group">`}
<div class="row"><label class="${isRoot ? 'lead' : 'quiet'}" for="join.${path}">${texts.joined[language]}</label>
<select id="join.${path}" name="join.${path}">${options}</select>${isRoot ? null : button('remove', texts.removeGroup[language], 'link')}</div>
${problemsAt(shown, path)}
${children.map((child) => nodeOf(child, shown, depth + 1))}
<div class="row">${button('condition', texts.addCondition[language], 'plain small')}${more}</div></fieldset>
`;
}

function conditionOf(condition: RuleCondition, shown: Shown): Html {
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

/** Beyond the limits of the contract, so that the contract reports rules that are too large. */
const deepest = 12;
const maxNodes = 300;

/** The rule in a posted form: `kind.0.1` is the kind of the node at the path `0.1`. Gaps in the numbers are allowed. */
export function treeIn(form: URLSearchParams): RuleGroup {
  const childrenOf = new Map<string, number[]>();
  for (const name of [...form.keys()].slice(0, maxNodes * 6)) {
    const [, parent, index] = /^kind\.(0(?:\.\d{1,4}){0,11})\.(\d{1,4})$/.exec(name) ?? [];
    if (parent === undefined || index === undefined) continue;
    childrenOf.set(parent, [...(childrenOf.get(parent) ?? []), Number(index)]);
  }
  const read = (path: string, depth: number): Node => {
    if (path !== rootPath && form.get(`kind.${path}`) !== 'group') return conditionIn(form, path);
    const indices = depth < deepest ? (childrenOf.get(path) ?? []).sort((a, b) => a - b) : [];
    const children = [...new Set(indices)].map((index) => read(`${path}.${index}`, depth + 1));
    const join = joins.find((one) => one === form.get(`join.${path}`)) ?? 'all';
    return { kind: 'group', path, join, children };
  };
  return read(rootPath, 1) as RuleGroup;
}

function conditionIn(form: URLSearchParams, path: string): RuleCondition {
  const value = (name: string) => (form.get(`${name}.${path}`) ?? '').trim();
  return {
    kind: 'condition',
    path,
    subject: subjects.find((one) => one === value('subject')) ?? 'tag',
    field: value('field'),
    test: value('test') || 'equals',
    value: value('value'),
  };
}

/** Applies a button of the form to the rule; also returns the path of an added node. */
export function changed(root: RuleGroup, button: string): { readonly root: RuleGroup; readonly added: string | null } {
  const [verb = '', path = ''] = button.split(':');
  if (verb === 'remove') return { root: without(root, path) as RuleGroup, added: null };
  const parent = find(root, path);
  if (parent?.kind !== 'group') return { root, added: null };
  const last = Number(parent.children.at(-1)?.path.split('.').at(-1) ?? -1);
  const added = `${path}.${last + 1}`;
  const child = verb === 'group' ? newGroup(added) : newCondition(added);
  return { root: withChild(root, path, child) as RuleGroup, added };
}

function find(node: Node, path: string): Node | null {
  if (node.path === path) return node;
  if (node.kind === 'condition') return null;
  return node.children.map((child) => find(child, path)).find((found) => found !== null) ?? null;
}

function withChild(node: Node, path: string, child: Node): Node {
  if (node.kind === 'condition') return node;
  const children = node.children.map((one) => withChild(one, path, child));
  return { ...node, children: node.path === path ? [...children, child] : children };
}

function without(node: Node, path: string): Node {
  if (node.kind === 'condition') return node;
  return { ...node, children: node.children.filter((one) => one.path !== path).map((one) => without(one, path)) };
}
