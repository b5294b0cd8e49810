// @ts-check
import { closest, fieldsIn, find, findAll } from '../dom.js';
import { bold, italic, link, mergeField } from './markup.js';

/** @typedef {HTMLInputElement | HTMLTextAreaElement} TextInput */
/** @typedef {'bold' | 'italic' | 'link' | 'merge'} Mark */

/** @type {Readonly<Record<string, Mark>>} */
const markOfKey = { b: 'bold', i: 'italic', k: 'link', m: 'merge' };

/**
 * Adds buttons and keys for bold, italic, links and merge fields to a text.
 * @param {HTMLElement} container
 * @param {() => void} onEdited
 */
export function addTextTools(container, onEdited) {
  const [field] = fieldsIn(container);
  if (!field || field instanceof HTMLSelectElement) return;
  const input = field;
  // A subject is one line of plain text: only merge fields have a meaning in it.
  const isPlainLine = container.dataset.inline === 'line';
  const template = find(document, 'template[data-tools]', HTMLTemplateElement);
  const tools = find(document.importNode(template.content, true), '[role=group]', HTMLElement);
  if (isPlainLine) {
    for (const button of findAll(tools, '[data-mark]:not([data-mark=merge])', HTMLElement)) button.remove();
  }
  tools.setAttribute('aria-label', container.querySelector('label')?.textContent ?? '');
  input.before(tools);
  tools.addEventListener('click', (event) => {
    const mark = closest(event, '[data-mark]', HTMLElement)?.dataset.mark;
    if (mark) apply(/** @type {Mark} */ (mark));
  });
  input.addEventListener('keydown', (event) => {
    if (!(event instanceof KeyboardEvent)) return;
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    const mark = markOfKey[event.key.toLowerCase()];
    if (!mark || (isPlainLine && mark !== 'merge')) return;
    event.preventDefault();
    apply(mark);
  });

  /** @param {Mark} mark */
  function apply(mark) {
    const start = input.selectionStart ?? 0;
    const end = input.selectionEnd ?? 0;
    const selected = input.value.slice(start, end);
    if (mark === 'bold' || mark === 'italic') {
      const marked = mark === 'bold' ? bold(selected) : italic(selected);
      const signs = (marked.length - selected.length) / 2;
      insert(marked, start + signs, end + signs);
    } else if (mark === 'link') askForLink(input, selected, insert);
    else askForMergeField(input, insert);
  }

  /**
   * In the place of what is selected.
   * @param {string} text
   * @param {number} [selectFrom]
   * @param {number} [selectTo]
   */
  function insert(text, selectFrom, selectTo) {
    input.setRangeText(text, input.selectionStart ?? 0, input.selectionEnd ?? 0, 'end');
    if (selectFrom !== undefined && selectTo !== undefined) input.setSelectionRange(selectFrom, selectTo);
    input.focus();
    input.dispatchEvent(new Event('input', { bubbles: true }));
    onEdited();
  }
}

/**
 * @param {TextInput} input
 * @param {string} selected
 * @param {(text: string) => void} insert
 */
function askForLink(input, selected, insert) {
  const dialog = find(document, 'dialog[data-dialog=link]', HTMLDialogElement);
  const label = find(dialog, '#link-label', HTMLInputElement);
  const address = find(dialog, '#link-address', HTMLInputElement);
  label.value = selected;
  address.value = /^https?:/.test(selected) ? selected : 'https://';
  ask(dialog, input, () => insert(link(label.value.trim(), address.value.trim())));
}

/**
 * @param {TextInput} input
 * @param {(text: string) => void} insert
 */
function askForMergeField(input, insert) {
  const dialog = find(document, 'dialog[data-dialog=merge]', HTMLDialogElement);
  const which = find(dialog, '#merge-which', HTMLSelectElement);
  const name = find(dialog, '#merge-name', HTMLInputElement);
  const fallback = find(dialog, '#merge-fallback', HTMLInputElement);
  fallback.value = '';
  ask(dialog, input, () => insert(mergeField(which.value.trim(), name.value.trim(), fallback.value.trim())));
}

/**
 * Opens the dialog; the selection of the text is restored when it closes.
 * @param {HTMLDialogElement} dialog
 * @param {TextInput} input
 * @param {() => void} onInsert
 */
function ask(dialog, input, onInsert) {
  const { selectionStart, selectionEnd } = input;
  dialog.returnValue = '';
  dialog.addEventListener(
    'close',
    () => {
      input.focus();
      input.setSelectionRange(selectionStart, selectionEnd);
      if (dialog.returnValue === 'insert') onInsert();
    },
    { once: true },
  );
  dialog.showModal();
}

/** The name of a field of the workspace is asked for only when it is none of the known ones. */
export function prepareMergeDialog() {
  const which = find(document, '#merge-which', HTMLSelectElement);
  const ownName = find(document, '[data-own-field]', HTMLElement);
  const toggle = () => {
    ownName.hidden = which.value !== 'fields';
  };
  which.addEventListener('change', toggle);
  toggle();
}
