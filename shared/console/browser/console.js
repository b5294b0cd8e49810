// @ts-check
// Makes the console quicker; every page works without it. Nothing is ever written as markup: the content security policy
// demands trusted types.
import { closest, find, findAll, findOptional, isField } from './dom.js';
import { showTimes } from './times.js';

showTimes(document);

// A new schedule starts in the reader's own time zone.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const zoneSelect = findOptional(document, 'select[name=zone]:not(:has([selected]))', HTMLSelectElement);
if (zoneSelect) {
  zoneSelect.value = timeZone;
  // Browsers disagree on the names of some zones; the service accepts each of them.
  if (zoneSelect.selectedIndex < 0) zoneSelect.add(new Option(timeZone, timeZone, false, true), 0);
}
for (const input of findAll(document, 'input[type=hidden][name=zone]', HTMLInputElement)) input.value = timeZone;

// On a phone the navigation is a strip, on a low screen it is cut off: scroll to the current section. `scrollIntoView`
// would also let the first Tab continue from there and pass over the link that skips the navigation.
const side = findOptional(document, '.side', HTMLElement);
const strip = findOptional(document, '.side ul', HTMLElement);
const current = findOptional(document, '.side [aria-current]', HTMLElement);
if (side && strip && current) {
  const { left, width, bottom } = current.getBoundingClientRect();
  strip.scrollLeft += left - strip.getBoundingClientRect().left - (strip.clientWidth - width) / 2;
  side.scrollTop += Math.max(0, bottom - side.getBoundingClientRect().bottom);
}

for (const button of findAll(document, 'button[data-copy]', HTMLButtonElement)) {
  button.addEventListener('click', async () => {
    const label = button.textContent;
    await navigator.clipboard.writeText(button.dataset.copy ?? '');
    button.textContent = button.dataset.copied ?? '';
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}

// A form is submitted once, however often its button is pressed.
document.addEventListener('submit', (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  if (form.dataset.submitted) event.preventDefault();
  else if (form.method === 'post') {
    form.dataset.submitted = 'yes';
    // A download does not leave the page.
    setTimeout(() => {
      delete form.dataset.submitted;
    }, 5000);
  }
});
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.submitted;
});

// Warns before unsaved changes are lost. The editor and uploads do that themselves; a search has nothing to save.
let hasUnsavedChanges = false;
document.addEventListener('input', ({ target }) => {
  const form = isField(target) ? target.form : null;
  if (form?.method === 'post' && !form.matches('.editor, [role=search], [data-upload]')) hasUnsavedChanges = true;
});
document.addEventListener('submit', () => {
  hasUnsavedChanges = false;
});
addEventListener('beforeunload', (event) => {
  if (hasUnsavedChanges) event.preventDefault();
});

if (location.hash === '#q') document.getElementById('q')?.focus();

const help = findOptional(document, 'dialog[data-help]', HTMLDialogElement);
let awaitsSectionKey = false;
document.addEventListener('keydown', (event) => {
  const isTyping = closest(event, 'input, textarea, select, [contenteditable]', HTMLElement);
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  if (awaitsSectionKey) {
    awaitsSectionKey = false;
    findOptional(document, `.side a[data-key="${CSS.escape(event.key)}"]`, HTMLAnchorElement)?.click();
  } else if (event.key === 'g') {
    awaitsSectionKey = true;
    setTimeout(() => {
      awaitsSectionKey = false;
    }, 1500);
  } else if (event.key === '/') {
    const search = findOptional(document, 'input[type=search]', HTMLInputElement);
    event.preventDefault();
    // A page without a search leads to the search for people.
    if (search) search.focus();
    else location.assign(`${find(document, '.side a[data-key=p]', HTMLAnchorElement).href}#q`);
  } else if (event.key === '?') help?.showModal();
});
for (const button of findAll(document, 'button[data-opens-help]', HTMLButtonElement)) {
  button.addEventListener('click', () => help?.showModal());
}

// A report is printed with its tables.
addEventListener('beforeprint', () => {
  for (const details of findAll(document, 'details', HTMLDetailsElement)) details.open = true;
});
