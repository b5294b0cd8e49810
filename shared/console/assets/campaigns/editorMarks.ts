import { html } from '../../../pages/html.ts';

/** Bold, italic, links and merge fields, put into a text by button or key; written as the text holds them. */
export const editorMarks = html`
function marksOf(place) {
  const tools = document.querySelector('template[data-tools]').content.firstElementChild.cloneNode(true);
  // A subject is one line of plain text: only a merge field means something in it.
  if (place.dataset.inline === 'line') for (const one of tools.querySelectorAll('[data-mark]:not([data-mark=merge])')) one.remove();
  const input = place.querySelector('input, textarea');
  tools.setAttribute('aria-label', place.querySelector('label').textContent);
  input.before(tools);
  tools.addEventListener('click', (event) => {
    const mark = event.target.closest('[data-mark]')?.dataset.mark;
    if (mark) marked(input, mark);
  });
  input.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    const mark = { b: 'bold', i: 'italic', k: 'link', m: 'merge' }[event.key.toLowerCase()];
    if (!mark || (place.dataset.inline === 'line' && mark !== 'merge')) return;
    event.preventDefault();
    marked(input, mark);
  });
}
function write(input, text, from, to) {
  input.setRangeText(text, input.selectionStart, input.selectionEnd, 'end');
  if (from !== undefined) input.setSelectionRange(from, to);
  input.focus();
  input.dispatchEvent(new Event('input', { bubbles: true }));
  note();
}
function marked(input, mark) {
  const { selectionStart: start, selectionEnd: end } = input;
  const chosen = input.value.slice(start, end);
  if (mark === 'bold' || mark === 'italic') {
    const sign = mark === 'bold' ? '**' : '*';
    return write(input, sign + chosen + sign, start + sign.length, end + sign.length);
  }
  const dialog = document.querySelector('dialog[data-dialog=' + mark + ']');
  const value = (id) => dialog.querySelector('#' + id).value.trim();
  const set = (id, text) => { dialog.querySelector('#' + id).value = text; };
  if (mark === 'link') {
    set('link-label', chosen);
    set('link-address', /^https?:/.test(chosen) ? chosen : 'https://');
  } else set('merge-fallback', '');
  dialog.returnValue = '';
  dialog.addEventListener('close', () => {
    input.focus();
    input.setSelectionRange(start, end);
    if (dialog.returnValue !== 'insert') return;
    // What would end the field or the link early is no part of it.
    const clean = (text) => text.replace(/[{}|\\r\\n]/g, '');
    if (mark === 'link') {
      const target = value('link-address');
      return write(input, '[' + (value('link-label').replace(/[\\[\\]]/g, '') || target) + '](' + target.replace(/\\s/g, '%20') + ')');
    }
    const which = value('merge-which');
    const name = which === 'fields' ? 'fields.' + value('merge-name').replace(/\\W/g, '') : which;
    const fallback = clean(value('merge-fallback'));
    write(input, '{{' + name + (fallback ? '|' + fallback : '') + '}}');
  }, { once: true });
  dialog.showModal();
}
{
  const which = document.querySelector('#merge-which');
  const own = document.querySelector('[data-own-field]');
  const toggle = () => { own.hidden = which.value !== 'fields'; };
  which.addEventListener('change', toggle);
  toggle();
}
for (const grip of form.querySelectorAll('.grip')) grip.hidden = false;
for (const place of form.querySelectorAll('[data-inline]')) marksOf(place);
`;
