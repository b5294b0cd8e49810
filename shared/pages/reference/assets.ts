import { createHash } from 'node:crypto';
import { html } from '../html.ts';

/** Colours keep a contrast of 4.5 in both schemes. One column on a phone; beside each other where there is room. */
export const referenceStyle = html`
:root { color-scheme: light dark; --page: #fff; --soft-page: #f4f6f8; --line: #d5dae1; --edge: #737d8a; --text: #1b2027; --soft: #4c5664;
  --accent: #0b57b5; }
@media (prefers-color-scheme: dark) {
  :root { --page: #14181d; --soft-page: #1d2329; --line: #333c46; --edge: #8b96a4; --text: #e9edf1; --soft: #aab4c0; --accent: #8ab8f7; }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--page); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { position: static; }
nav, main { padding: 1rem 1.25rem; min-width: 0; }
nav { background: var(--soft-page); }
nav ul { margin: .25rem 0 1rem; padding: 0; list-style: none; }
nav li a { display: block; padding: .25rem 0; text-decoration: none; }
nav li a:hover { text-decoration: underline; }
nav h2 { margin: 1rem 0 0; font-size: 1rem; }
label { display: block; font-weight: 600; }
input { width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit; background: var(--page);
  border: 1px solid var(--edge); border-radius: .5rem; }
h1 { margin: 0 0 .5rem; font-size: 1.625rem; line-height: 1.25; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.375rem; }
h3 { margin: 1.75rem 0 .25rem; font-size: 1.125rem; }
h4 { margin: 1.25rem 0 .25rem; font-size: 1rem; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
p { margin: .5rem 0; }
code { font: .9em/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
.operation { border-top: 1px solid var(--line); padding-bottom: 1rem; }
.path code { font-weight: 600; }
.fields { margin: .25rem 0; padding: 0 0 0 .875rem; list-style: none; border-left: 2px solid var(--line); }
.fields li { margin: .5rem 0; }
.fields p { margin: .125rem 0; }
.fields li > code { font-weight: 600; }
.type, .facts, .label { color: var(--soft); }
.facts, .label { font-size: .9rem; }
.answer { margin: .375rem 0; }
summary { cursor: pointer; min-height: 1.5rem; }
pre { margin: .25rem 0 .75rem; padding: .75rem 1rem; overflow: auto; max-height: 30rem; background: var(--soft-page);
  border: 1px solid var(--line); border-radius: .5rem; white-space: pre-wrap; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: .375rem .75rem .375rem 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
[hidden] { display: none; }
@media (min-width: 60rem) {
  body { display: grid; grid-template-columns: 19rem minmax(0, 56rem); }
  .skip { position: fixed; }
  nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; border-right: 1px solid var(--line); }
  main { padding: 1.5rem 2.5rem 4rem; }
}
`;

/** Shows what holds all the words that were typed, in the text and in the contents. Without it the page is whole. */
export const referenceScript = html`
const field = document.querySelector('input[type=search]');
const found = document.querySelector('[role=status]');
const sections = [...document.querySelectorAll('[data-search]')].map((element) => ({
  element,
  text: (element.id + ' ' + element.textContent).toLowerCase(),
  link: document.querySelector('nav a[href="#' + CSS.escape(element.id) + '"]'),
}));
field.closest('form').hidden = false;
field.closest('form').addEventListener('submit', (event) => event.preventDefault());
field.addEventListener('input', () => {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let count = 0;
  for (const { element, text, link } of sections) {
    element.hidden = !words.every((word) => text.includes(word));
    if (link) link.parentElement.hidden = element.hidden;
    if (!element.hidden) count += 1;
  }
  document.querySelectorAll('[data-rest]').forEach((element) => { element.hidden = words.length > 0; });
  found.textContent = words.length === 0 ? '' : found.dataset.text.replace('{count}', count);
});
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What the policy of the page lets in, and nothing else. */
export const referenceSources = {
  style: hashOf(referenceStyle.toString()),
  script: hashOf(referenceScript.toString()),
};
