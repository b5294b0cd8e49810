import { html } from '../../../pages/html.ts';
import { editorBlocks } from './editorBlocks.ts';
import { editorMarks } from './editorMarks.ts';

/**
 * What makes the editor quicker than its form: saved as it is written, undo, drag, marks in the text, the preview beside
 * it. Blocks are made of the page's own templates and moved in the document; no markup is ever made of text, which the
 * policy's trusted types would refuse.
 */
export const editorScript = html`'use strict';
{
const form = document.querySelector('form.editor');
const status = form.querySelector('[data-status]');
const frame = form.querySelector('iframe');
const says = status.dataset;
const address = form.action.replace(/#.*$/, '');
// Each variant has a message of its own: what was written of one is never offered to another.
const keptUnder = 'mailroom ' + new URL(address).pathname + ' ' + frame.dataset.variant;
const passing = ['form_token', 'revision', 'do', 'view', 'as'];

// What is written, as the form would send it.
const entries = () => [...new FormData(form)].filter(([name]) => !passing.includes(name));
const written = () => JSON.stringify(entries());
const asShown = written();
// A page that answers what could not be saved shows it, and nothing of it is saved.
let saved = 'pending' in says ? '' : asShown;

function say(text, isBad) {
  status.textContent = text;
  status.classList.toggle('bad', Boolean(isBad));
}

${editorBlocks}
${editorMarks}

// Undo: one step for each pause in writing, and for each move.
const history = [asShown];
let place = 0;
const undo = form.querySelector('[data-undo]');
const redo = form.querySelector('[data-redo]');
undo.hidden = redo.hidden = false;
function note() {
  const state = written();
  if (state === history[place]) return;
  history.splice(place + 1, history.length, state);
  if (history.length > 200) history.shift();
  place = history.length - 1;
  refresh();
}
function refresh() {
  undo.disabled = place === 0;
  redo.disabled = place === history.length - 1;
}
function step(by) {
  note();
  const next = history[place + by];
  if (next === undefined) return;
  place += by;
  restore(JSON.parse(next));
  refresh();
  say(says.undone);
  changed();
}
undo.addEventListener('click', () => step(-1));
redo.addEventListener('click', () => step(1));

// Saving: a moment after the last key, one call at a time; what cannot be saved is kept in this browser.
let timer = 0;
let pause = 0;
let isSaving = false;
let isOvertaken = false;
let tries = 0;
// What was sent and not answered may be saved: just that is sent again before anything newer, which is no change then.
let unanswered = null;
function changed() {
  const state = written();
  keep(state === saved ? null : state);
  if (state === saved || isOvertaken) return;
  if (!status.classList.contains('bad')) say(says.unsaved);
  clearTimeout(timer);
  timer = setTimeout(save, 900);
}
function keep(state) {
  try {
    if (state === null) localStorage.removeItem(keptUnder);
    else localStorage.setItem(keptUnder, JSON.stringify({ at: new Date().toISOString(), revision: form.elements.revision.value, state }));
  } catch { /* A browser that keeps nothing: the page still warns before it is left. */ }
}
async function save() {
  clearTimeout(timer);
  if (isSaving || isOvertaken) return;
  const state = written();
  if (state === saved && !unanswered) return;
  isSaving = true;
  if (!status.classList.contains('bad')) say(says.saving);
  const sent = unanswered ?? { state, body: new URLSearchParams(new FormData(form)).toString() };
  unanswered = sent;
  try {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await fetch(address + '/save', { method: 'POST', headers, body: sent.body, redirect: 'error' });
    if (answer.ok) settle(await answer.json(), sent.state);
    if (answer.status < 500) unanswered = null;
    if (answer.status === 401 || answer.status === 403) again(says.over);
    else if (answer.status === 413) say(says.large, true);
    else if (!answer.ok) again(says.offline);
  } catch {
    again(says.offline);
  }
  isSaving = false;
  form.dispatchEvent(new Event('mailroom:settled'));
  if (written() !== sent.state) changed();
}
function again(text) {
  say(text, true);
  tries = Math.min(tries + 1, 6);
  clearTimeout(timer);
  timer = setTimeout(save, 1000 * 2 ** tries);
}
addEventListener('online', () => save());
function settle(told, state) {
  tries = 0;
  mark(told.issues);
  if (told.outcome === 'overtaken') {
    isOvertaken = true;
    return say(told.text, true);
  }
  if (told.outcome === 'refused') return say(says.refused, true);
  saved = state;
  form.elements.revision.value = told.revision;
  if (written() === state) keep(null);
  say(says.saved + ' · ' + new Date().toLocaleTimeString(document.documentElement.lang));
  show();
}

// What is wrong is told beside its field, once its writer has left it: an empty form is not scolded.
const touched = new Set();
let problems = [];
form.addEventListener('focusout', (event) => {
  if (event.target.name && event.target.value !== event.target.defaultValue) touched.add(event.target.id);
  if (event.target.name) tell();
});
function mark(issues) {
  problems = issues;
  tell();
}
function tell() {
  for (const field of form.querySelectorAll('.field')) {
    const input = field.querySelector('input, select, textarea');
    const own = problems.filter(({ name }) => name === input.id || name.startsWith(input.id + '[') || name.startsWith(input.id + '.'));
    const isTold = own.length > 0 && input !== document.activeElement && (touched.has(input.id) || input.value !== '');
    let line = field.querySelector('.problem');
    if (!isTold) {
      if (line && input !== document.activeElement) line.remove();
      if (input !== document.activeElement) input.removeAttribute('aria-invalid');
      continue;
    }
    if (!line) {
      line = document.createElement('p');
      line.className = 'problem';
      line.id = input.id + '-problem';
      field.append(line);
      const before = (input.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id && id !== line.id);
      input.setAttribute('aria-describedby', [...before, line.id].join(' '));
    }
    line.textContent = own.map(({ text }) => text).join('; ');
    input.setAttribute('aria-invalid', 'true');
  }
}

// Whom the preview is shown as; what stands in an address is sealed, and only the service can do that.
let person = frame.dataset.as;
async function showAs() {
  const body = new URLSearchParams({ form_token: form.elements.form_token.value, as: form.elements.as.value });
  try {
    const answer = await fetch(address + '/as', { method: 'POST', body, redirect: 'error' });
    if (!answer.ok) return say(answer.status === 401 || answer.status === 403 ? says.over : says.offline, true);
    const told = await answer.json();
    if (told.said) return say(form.elements.as.value + ': ' + told.said, true);
    person = told.as;
    if (written() === saved) say(says.saved);
    show();
  } catch {
    say(says.offline, true);
  }
}

// The preview shows what is saved.
function show() {
  const pressed = form.querySelector('[data-view][aria-pressed=true]')?.dataset.view ?? 'desktop';
  const query = new URLSearchParams({ view: pressed, revision: form.elements.revision.value });
  if (frame.dataset.variant !== '0') query.set('variant', frame.dataset.variant);
  if (person) query.set('as', person);
  frame.className = pressed;
  frame.src = frame.dataset.frame + '?' + query;
}

form.addEventListener('input', (event) => {
  if (event.target.id === 'as') return;
  clearTimeout(pause);
  pause = setTimeout(note, 600);
  changed();
});
form.addEventListener('change', note);
form.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (!button || button.hasAttribute('data-leaves')) return;
  if (button.dataset.view) {
    for (const one of form.querySelectorAll('[data-view]')) one.setAttribute('aria-pressed', String(one === button));
    form.elements.view.value = button.dataset.view;
    show();
  } else if ('as' in button.dataset) showAs();
  else if (button.dataset.add) add(button);
  else if (button.dataset.step) operate(button);
  else if (button.value === 'save') {
    isOvertaken = false;
    saved = written() === saved ? saved : '';
    save();
  } else return;
  event.preventDefault();
});
// Enter in a line of the form saves, as its first button does.
form.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && event.target.tagName === 'INPUT') {
    event.preventDefault();
    if (event.target.id === 'as') showAs();
    else save();
  }
});
document.addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector('dialog[open]')) return;
  const key = event.key.toLowerCase();
  if (key === 's') save();
  else if (key === 'z') step(event.shiftKey ? 1 : -1);
  else if (key === 'y') step(1);
  else return;
  event.preventDefault();
});
// A button that goes elsewhere sends the form, which saves it; after what is being saved, whose count of edits it needs.
form.addEventListener('submit', (event) => {
  if (!isSaving) return void (leaving = true);
  event.preventDefault();
  event.stopPropagation();
  const { submitter } = event;
  form.addEventListener('mailroom:settled', () => form.requestSubmit(submitter), { once: true });
});
let leaving = false;
addEventListener('pageshow', () => { leaving = false; });
addEventListener('beforeunload', (event) => { if (!leaving && written() !== saved) event.preventDefault(); });

// What an earlier visit could not save.
const rest = form.querySelector('[data-offered]');
try {
  const kept = JSON.parse(localStorage.getItem(keptUnder) ?? 'null');
  if (kept && kept.state === asShown) {
    if (saved === asShown) keep(null);
  } else if (kept) {
    const line = document.createElement('p');
    const isOlder = Number(kept.revision) < Number(form.elements.revision.value);
    line.textContent = (isOlder ? says.keptOlder : says.kept).replace('{time}', new Date(kept.at).toLocaleString(document.documentElement.lang));
    const row = document.createElement('div');
    row.className = 'row';
    for (const [text, act] of [[says.restore, () => { restore(JSON.parse(kept.state)); note(); changed(); }], [says.discard, () => keep(null)]]) {
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'plain';
      button.textContent = text;
      button.addEventListener('click', () => { rest.hidden = true; act(); });
      row.append(button);
    }
    rest.append(line, row);
    rest.hidden = false;
  }
} catch { keep(null); }
}
`;
