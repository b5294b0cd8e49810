// @ts-check
import { findAll, findOptional } from './dom.js';

const form = findOptional(document, 'form[data-brand]', HTMLFormElement);

/**
 * The sample follows what is typed, before it is saved.
 * @param {HTMLFormElement} form
 */
function showSample(form) {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && name !== 'form_token') query.set(name, value);
  }
  for (const frame of findAll(document, 'iframe[data-sample]', HTMLIFrameElement)) {
    query.set('view', frame.dataset.view ?? '');
    frame.src = `${frame.dataset.sample}?${query}`;
  }
}

if (form) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(showSample, 300, form);
  });
}
