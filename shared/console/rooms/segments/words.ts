import type { SegmentRule } from '../../../domain/segment/segment.ts';
import type { Language } from '../../../language/languages.ts';
import { type Html, html } from '../../../pages/html.ts';
import { joinTexts, testTexts, segmentsTexts as texts } from './texts.ts';
import { type Condition, type Node, treeOf } from './tree.ts';

/** A rule as a person would say it. */
export const ruleInWords = (rule: SegmentRule, language: Language): Html => words(treeOf(rule), language);

function words(node: Node, language: Language): Html {
  if (node.kind === 'condition') return html`${condition(node, language)}`;
  const [only, ...others] = node.children;
  const isPlain = node.join === 'all' || node.join === 'any';
  if (only && others.length === 0 && isPlain) return words(only, language);
  return html`${joinTexts[node.join][language]}<ul>${node.children.map((child) => html`<li>${words(child, language)}</li>`)}</ul>`;
}

function condition({ subject, field, test, value }: Condition, language: Language): Html {
  const how = Object.hasOwn(testTexts, test) ? testTexts[test as keyof typeof testTexts][language] : test;
  const what = subject === 'field' ? html`<code>${field}</code>` : texts[subject][language];
  return html`${what} ${how} ${value === '' ? null : html`<b><bdi>${value}</bdi></b>`}`;
}

/** The same in one line, for a list of rules. */
export const ruleInShort = (rule: SegmentRule, language: Language): Html => short(treeOf(rule), language);

function short(node: Node, language: Language): Html {
  if (node.kind === 'condition') return condition(node, language);
  const [only, ...others] = node.children;
  if (only && others.length === 0 && (node.join === 'all' || node.join === 'any')) return short(only, language);
  const all = texts.conditions[language].replace('{count}', String(node.children.length));
  return html`${joinTexts[node.join][language]} ${all}`;
}
