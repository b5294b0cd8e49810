// @ts-check
// Makes the editor quicker than its form: saved while it is written, undo and redo, drag and drop, buttons for bold,
// links and merge fields, the preview beside it.
import { closest, find, findAll, inputNamed } from '../dom.js';
import { Autosave } from './autosave.js';
import { createBlockEditor } from './blocks.js';
import { History } from './history.js';
import { Preview } from './preview.js';
import { Problems } from './problems.js';
import { Status } from './status.js';
import { addTextTools, prepareMergeDialog } from './textTools.js';

const form = find(document, 'form.editor', HTMLFormElement);
const address = form.action.replace(/#.*$/, '');
const undoButton = find(form, '[data-undo]', HTMLButtonElement);
const redoButton = find(form, '[data-redo]', HTMLButtonElement);

/** Fields of the form that are no part of the draft. */
const otherFields = ['form_token', 'revision', 'do', 'view', 'as'];

/** The draft as JSON: pairs of names and values, as the form would send them. */
const serialize = () => JSON.stringify([...new FormData(form)].filter(([name]) => !otherFields.includes(name)));

const firstState = serialize();
const status = new Status(find(form, '[data-status]', HTMLElement));
const history = new History(firstState);
const problems = new Problems(form);
const preview = new Preview(form, address, status);
const autosave = new Autosave(form, {
  address,
  // Each variant has a message of its own: what was written of one is never offered for another.
  backupKey: `mailroom ${new URL(address).pathname} ${preview.variant}`,
  // A page that answers what could not be saved shows it, and nothing of it is saved.
  saved: 'pending' in status.texts ? '' : firstState,
  serialize,
  status,
  onSaved: () => preview.load(),
  onIssues: (issues) => problems.show(issues),
});
const blocks = createBlockEditor(form, {
  texts: status.texts,
  announce: (text) => status.show(text),
  onEdited: () => {
    record();
    autosave.changed();
  },
  onTextEdited: record,
});
for (const container of findAll(form, '[data-inline]', HTMLElement)) addTextTools(container, record);
prepareMergeDialog();

undoButton.hidden = false;
redoButton.hidden = false;
undoButton.addEventListener('click', () => move(-1));
redoButton.addEventListener('click', () => move(1));

/** Undo has one step for each pause in writing, and one for each move. */
function record() {
  history.record(serialize());
  updateButtons();
}

function updateButtons() {
  undoButton.disabled = !history.canUndo;
  redoButton.disabled = !history.canRedo;
}

/** @param {-1 | 1} step */
function move(step) {
  record();
  const state = history.move(step);
  if (state === undefined) return;
  blocks.restore(JSON.parse(state));
  updateButtons();
  status.show(status.texts.undone);
  autosave.changed();
}

const pauseMilliseconds = 600;
let recordTimer = 0;
form.addEventListener('input', ({ target }) => {
  if (target instanceof Element && target.id === 'as') return;
  clearTimeout(recordTimer);
  recordTimer = setTimeout(record, pauseMilliseconds);
  autosave.changed();
});
form.addEventListener('change', record);

form.addEventListener('click', (event) => {
  const button = closest(event, 'button', HTMLButtonElement);
  if (!button || button.hasAttribute('data-navigates')) return;
  if (button.dataset.view) preview.choose(button);
  else if ('as' in button.dataset) preview.showAs(() => autosave.isSaved);
  else if (button.dataset.add) blocks.add(button);
  else if (button.dataset.step) blocks.apply(button);
  else if (button.value === 'save') autosave.saveNow();
  else return;
  event.preventDefault();
});

// Enter in a line saves, as the form's first button does.
form.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
  event.preventDefault();
  if (event.target.id === 'as') preview.showAs(() => autosave.isSaved);
  else autosave.save();
});
document.addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || document.querySelector('dialog[open]')) return;
  const key = event.key.toLowerCase();
  if (key === 's') autosave.save();
  else if (key === 'z') move(event.shiftKey ? 1 : -1);
  else if (key === 'y') move(1);
  else return;
  event.preventDefault();
});

// A button that leads to another page submits the form, which saves it. It waits for a save under way, whose revision
// it needs.
let isLeaving = false;
form.addEventListener('submit', (event) => {
  if (!autosave.isSaving) {
    isLeaving = true;
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  const { submitter } = event;
  form.addEventListener('mailroom:settled', () => form.requestSubmit(submitter), { once: true });
});
addEventListener('pageshow', () => {
  isLeaving = false;
});
addEventListener('beforeunload', (event) => {
  if (!isLeaving && !autosave.isSaved) event.preventDefault();
});

offerBackup();

/** Offers what an earlier visit could not save. */
function offerBackup() {
  const backup = autosave.backup(firstState);
  if (!backup) return;
  const { texts } = status;
  const offer = find(form, '[data-backup]', HTMLElement);
  const isOlder = Number(backup.revision) < Number(inputNamed(form, 'revision').value);
  const line = document.createElement('p');
  const time = new Date(backup.at).toLocaleString(document.documentElement.lang);
  line.textContent = ((isOlder ? texts.keptOlder : texts.kept) ?? '').replace('{time}', time);
  const row = document.createElement('div');
  row.className = 'row';
  row.append(
    offerButton(texts.restore, () => {
      blocks.restore(JSON.parse(backup.state));
      record();
      autosave.changed();
    }),
    offerButton(texts.discard, () => autosave.discardBackup()),
  );
  offer.append(line, row);
  offer.hidden = false;

  /**
   * @param {string | undefined} text
   * @param {() => void} onClick
   */
  function offerButton(text, onClick) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'plain';
    button.textContent = text ?? '';
    button.addEventListener('click', () => {
      offer.hidden = true;
      onClick();
    });
    return button;
  }
}
