import { html } from '../../pages/html.ts';

/** Counts whom the rule in the form would reach, a moment after it was changed; what takes long waits for a button. */
export const segmentScript = html`'use strict';
const rule = document.querySelector('[data-rule]');
const preview = document.querySelector('[data-preview]');
if (rule && preview) {
  const form = rule.closest('form');
  const [count, said, title, list] = ['[data-count]', '[data-said]', '[data-sample-title]', '[data-sample]']
    .map((name) => preview.querySelector(name));
  let timer = null;
  let asked = 0;
  let pause = 500;

  async function look() {
    const number = asked += 1;
    const began = performance.now();
    const body = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
    body.delete('do');
    count.setAttribute('aria-busy', 'true');
    try {
      const answer = await fetch(rule.dataset.countAt, { method: 'POST', body });
      if (!answer.ok || number !== asked) return;
      show(await answer.json());
    } catch { /* at the next change */ } finally {
      // Who has a million people is not counted at every key.
      pause = Math.max(500, Math.min(10000, (performance.now() - began) * 2));
      if (number === asked) count.removeAttribute('aria-busy');
    }
  }

  function show({ count: number, said: text, sample }) {
    count.textContent = number;
    said.textContent = text;
    title.hidden = sample.length === 0;
    list.replaceChildren(...sample.map(({ href, email, name }) => {
      const line = document.createElement('li');
      const link = document.createElement('a');
      link.href = href;
      link.textContent = email;
      const soft = document.createElement('span');
      soft.className = 'soft';
      soft.textContent = ' ' + name;
      line.append(link, soft);
      return line;
    }));
  }

  form.addEventListener('input', (event) => {
    if (!rule.contains(event.target)) return;
    clearTimeout(timer);
    timer = setTimeout(look, pause);
  });
  look();
}
`;
