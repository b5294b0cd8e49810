// @ts-check
// Counts whom the rule in the form would reach, a moment after it was changed.
import { find, findOptional } from './dom.js';
import { pauseAfter, shortestPauseMilliseconds } from './requests.js';

/**
 * The answer of `/segments/count`.
 * @typedef {object} Preview
 * @property {string} count
 * @property {string} note
 * @property {readonly { href: string, email: string, name: string }[]} sample
 */

const rule = findOptional(document, '[data-rule]', HTMLElement);
const preview = findOptional(document, '[data-preview]', HTMLElement);
const form = rule?.closest('form');
if (rule && preview && form) previewRule(form, rule, preview);

/**
 * @param {HTMLFormElement} form
 * @param {HTMLElement} rule
 * @param {HTMLElement} preview
 */
function previewRule(form, rule, preview) {
  const count = find(preview, '[data-count]', HTMLElement);
  const note = find(preview, '[data-note]', HTMLElement);
  const sampleTitle = find(preview, '[data-sample-title]', HTMLElement);
  const sampleList = find(preview, '[data-sample]', HTMLElement);
  let timer = 0;
  let latestRequest = 0;
  let pauseMilliseconds = shortestPauseMilliseconds;

  async function load() {
    latestRequest += 1;
    const request = latestRequest;
    const startedAt = performance.now();
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
    body.delete('do');
    count.setAttribute('aria-busy', 'true');
    try {
      const answer = await fetch(rule.dataset.countAt ?? '', { method: 'POST', body });
      if (answer.ok && request === latestRequest) show(await answer.json());
    } catch {
      // The next change tries again.
    } finally {
      pauseMilliseconds = pauseAfter(performance.now() - startedAt);
      if (request === latestRequest) count.removeAttribute('aria-busy');
    }
  }

  /** @param {Preview} answer */
  function show({ count: number, note: text, sample }) {
    count.textContent = number;
    note.textContent = text;
    sampleTitle.hidden = sample.length === 0;
    sampleList.replaceChildren(...sample.map(sampleElement));
  }

  form.addEventListener('input', ({ target }) => {
    if (!(target instanceof Node) || !rule.contains(target)) return;
    clearTimeout(timer);
    timer = setTimeout(load, pauseMilliseconds);
  });
  load();
}

/** @param {Preview['sample'][number]} person */
function sampleElement({ href, email, name }) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = href;
  link.textContent = email;
  const label = document.createElement('span');
  label.className = 'soft';
  label.textContent = ` ${name}`;
  item.append(link, label);
  return item;
}
