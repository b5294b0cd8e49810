import { html } from '../../pages/html.ts';

/**
 * What makes the console quicker; each page is whole without it. Nothing is ever written as markup: the policy asks for
 * trusted types.
 */
export const consoleScript = html`'use strict';
const language = document.documentElement.lang;

// Times in the reader's zone; the exact one on hover, there and as it is stored.
const locale = language === 'en' ? 'en-GB' : language;
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });
function showTimes(within) {
  for (const element of within.querySelectorAll('time[data-local]')) {
    const at = new Date(element.dateTime);
    element.title = exact.format(at) + ' (' + element.dateTime + ')';
    element.textContent = moment.format(at);
  }
}
showTimes(document);

// A moment is first of all one of the reader's own zone.
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const zone = document.querySelector('select[name=zone]:not(:has([selected]))');
if (zone) {
  zone.value = timeZone;
  // Engines do not agree on what some zones are called; the service takes each of their names.
  if (zone.selectedIndex < 0) zone.add(new Option(timeZone, timeZone, false, true), 0);
}
for (const hidden of document.querySelectorAll('input[type=hidden][name=zone]')) hidden.value = timeZone;

// On a phone the rooms are a strip: the one that is shown is seen.
document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });

// What is copied by hand a hundred times.
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.addEventListener('click', async () => {
    const said = button.textContent;
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = said; }, 2000);
  });
}

// A form is sent once, however often its button is pressed.
document.addEventListener('submit', (event) => {
  if (event.target.dataset.sent) event.preventDefault();
  else if (event.target.method === 'post') {
    event.target.dataset.sent = 'yes';
    // A download leaves the page where it is.
    setTimeout(() => { delete event.target.dataset.sent; }, 5000);
  }
});
addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent;
});

// What was begun is not left by mistake; what saves itself minds that itself, and a search is nothing that was begun.
let isDirty = false;
document.addEventListener('input', (event) => {
  const form = event.target.form;
  isDirty = isDirty || (form?.method === 'post' && !form.matches('.editor, [role=search], [data-upload]'));
});
document.addEventListener('submit', () => { isDirty = false; });
addEventListener('beforeunload', (event) => { if (isDirty) event.preventDefault(); });

if (location.hash === '#q') document.getElementById('q')?.focus();

// Keys.
const help = document.querySelector('dialog[data-help]');
let isGoing = false;
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select, [contenteditable]');
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) return;
  if (isGoing) {
    isGoing = false;
    document.querySelector('.side a[data-key="' + CSS.escape(event.key) + '"]')?.click();
  } else if (event.key === 'g') {
    isGoing = true;
    setTimeout(() => { isGoing = false; }, 1500);
  } else if (event.key === '/') {
    const search = document.querySelector('input[type=search]');
    event.preventDefault();
    // Where there is nothing to look through, people are what one looks for.
    if (search) search.focus(); else location.assign(document.querySelector('.side a[data-key=p]').href + '#q');
  } else if (event.key === '?') help?.showModal();
});
for (const opener of document.querySelectorAll('button[data-opens-help]')) {
  opener.addEventListener('click', () => help?.showModal());
}

// A report is printed with its tables.
addEventListener('beforeprint', () => { for (const one of document.querySelectorAll('details')) one.open = true; });
`;
