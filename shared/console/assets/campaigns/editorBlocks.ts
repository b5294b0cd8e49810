import { html } from '../../../pages/html.ts';

/** Blocks in the document: numbered by where they stand, moved by button, key and mouse, made anew from what was written. */
export const editorBlocks = html`
// Names, identifiers and buttons of a block hold its path; each follows when it moves.
const carrying = ['id', 'name', 'for', 'aria-describedby', 'value', 'data-path', 'data-base', 'data-adds'];
function rename(block, from, to) {
  for (const element of [block, ...block.querySelectorAll('*')]) {
    for (const name of carrying) {
      if (name === 'value' && element.tagName !== 'BUTTON') continue;
      const value = element.getAttribute(name);
      if (value?.includes(from)) element.setAttribute(name, value.replaceAll(from, to));
    }
  }
}
function number(list = form.querySelector('[data-list]')) {
  [...list.children].forEach((block, index) => {
    const path = list.dataset.base + '[' + index + ']';
    if (block.dataset.path !== path) rename(block, block.dataset.path, path);
    for (const inner of block.querySelectorAll(':scope [data-list]')) number(inner);
  });
}
// Twice the number of blocks is out of every other's way while they are renumbered.
function renumber() {
  const all = [...form.querySelectorAll('[data-list] > .block')];
  all.forEach((block, index) => rename(block, block.dataset.path, 'moving' + index + '!'));
  number();
}

const make = (kind) => {
  const block = document.querySelector('template[data-new="' + kind + '"]').content.firstElementChild.cloneNode(true);
  prepare(block);
  return block;
};
function prepare(block) {
  const grip = block.querySelector('.grip');
  grip.hidden = false;
  for (const place of block.querySelectorAll(':scope [data-inline]')) marksOf(place);
}
const firstField = (block) => block.querySelector('textarea, input:not([type=hidden]), select') ?? block;

function add(button) {
  const group = button.closest('[data-adds]');
  const list = group.previousElementSibling;
  const block = make(button.dataset.add);
  list.append(block);
  after(block, says.added);
  firstField(block).focus();
}

function operate(button) {
  const block = button.closest('.block');
  const list = block.parentElement;
  const verb = button.dataset.step;
  if (verb === 'up') block.previousElementSibling?.before(block);
  else if (verb === 'down') block.nextElementSibling?.after(block);
  else if (verb === 'copy') {
    const twin = build(stateOf(block));
    block.after(twin);
    after(twin, says.added);
    return firstField(twin).focus();
  } else {
    const next = block.nextElementSibling ?? block.previousElementSibling;
    block.remove();
    after(null, says.deleted);
    return (next ?? list.nextElementSibling.querySelector('button')).focus();
  }
  after(block, said(block));
  button.focus();
}
const said = (block) => says.moved
  .replace('{place}', [...block.parentElement.children].indexOf(block) + 1)
  .replace('{all}', block.parentElement.children.length);
function after(block, text) {
  renumber();
  note();
  changed();
  if (text) say(text);
  block?.scrollIntoView({ block: 'nearest' });
}

// Alt and the arrows move the block that is written in.
form.addEventListener('keydown', (event) => {
  const block = event.target.closest('.block');
  if (!block || !event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
  event.preventDefault();
  const focused = event.target;
  if (event.key === 'ArrowUp') block.previousElementSibling?.before(block);
  else block.nextElementSibling?.after(block);
  after(block, said(block));
  focused.focus();
});

// The mouse, by the grip.
let dragged = null;
form.addEventListener('dragstart', (event) => {
  const grip = event.target.closest?.('.grip');
  if (!grip) return;
  dragged = grip.closest('.block');
  event.dataTransfer.effectAllowed = 'move';
  event.dataTransfer.setData('text/plain', '');
  event.dataTransfer.setDragImage(dragged, 10, 10);
  dragged.classList.add('dragged');
});
const clear = () => { for (const one of form.querySelectorAll('.before, .after')) one.classList.remove('before', 'after'); };
function target(event) {
  if (!dragged) return null;
  let over = event.target.closest?.('.block');
  // What holds columns goes into no column, and nothing into itself.
  while (over && dragged.dataset.kind.startsWith('columns') && over.parentElement.closest('.block')) over = over.parentElement.closest('.block');
  return over && !dragged.contains(over) ? over : null;
}
form.addEventListener('dragover', (event) => {
  const over = target(event);
  clear();
  if (!over) return;
  event.preventDefault();
  const box = over.getBoundingClientRect();
  over.classList.add(event.clientY < box.top + box.height / 2 ? 'before' : 'after');
});
form.addEventListener('drop', (event) => {
  const over = target(event);
  if (!over) return;
  event.preventDefault();
  if (over.classList.contains('before')) over.before(dragged);
  else over.after(dragged);
  after(dragged, said(dragged));
});
form.addEventListener('dragend', () => {
  clear();
  dragged?.classList.remove('dragged');
  dragged = null;
});

// A block as data, and back: for copies and for undo.
const ownFields = (block) => [...block.querySelectorAll('input, textarea, select')]
  .filter((input) => input.closest('.block') === block && input.type !== 'hidden');
const suffix = (block, input) => input.name.slice(block.dataset.path.length);
function stateOf(block) {
  const values = ownFields(block).map((input) => [suffix(block, input), input.type === 'checkbox' ? input.checked : input.value]);
  const lists = [...block.querySelectorAll('[data-list]')].map((list) => [...list.children].map(stateOf));
  return { kind: block.dataset.kind, values, lists };
}
function build({ kind, values, lists }) {
  const block = make(kind);
  const known = new Map(values);
  for (const input of ownFields(block)) {
    const value = known.get(suffix(block, input));
    if (input.type === 'checkbox') input.checked = value === true;
    else if (value !== undefined) input.value = value;
  }
  [...block.querySelectorAll('[data-list]')].forEach((list, index) => list.append(...(lists[index] ?? []).map(build)));
  return block;
}

// The form as it was: fields by their names, blocks from the paths of theirs.
const pathOfBlock = /^(content\\[\\d+\\](?:\\.columns\\[\\d\\]\\[\\d+\\])?)\\.(\\w+)$/;
function restore(pairs) {
  const fields = new Map();
  const blocks = new Map();
  for (const [name, value] of pairs) {
    const [, path, field] = pathOfBlock.exec(name) ?? [];
    if (path === undefined) fields.set(name, value);
    else {
      if (!blocks.has(path)) blocks.set(path, new Map());
      blocks.get(path).set(field, value);
    }
  }
  const under = (base) => {
    const states = [];
    for (let index = 0; blocks.has(base + '[' + index + ']'); index += 1) {
      const path = base + '[' + index + ']';
      const own = blocks.get(path);
      const isColumns = own.get('type') === 'columns';
      const kind = isColumns ? 'columns' + own.get('count') : own.get('type');
      const values = [...own].map(([field, value]) => ['.' + field, field === 'ordered' ? value === 'yes' : value]);
      const lists = isColumns ? [0, 1, 2].map((column) => under(path + '.columns[' + column + ']')) : [];
      states.push({ kind, values, lists });
    }
    return states;
  };
  const list = form.querySelector('[data-list]');
  const wanted = under('content');
  if (JSON.stringify([...list.children].map(kinds)) === JSON.stringify(wanted.map(kindsOf))) {
    for (const path of blocks.keys()) for (const [field, value] of blocks.get(path)) put(path + '.' + field, value);
    for (const input of list.querySelectorAll('input[type=checkbox]')) input.checked = pairs.some(([name]) => name === input.name);
  } else {
    list.replaceChildren(...wanted.map(build));
    renumber();
  }
  for (const [name, value] of fields) put(name, value);
  const shared = form.querySelector('input[type=checkbox][name=shared]');
  if (shared) shared.checked = fields.has('shared');
}
const kinds = (block) => [block.dataset.kind, ...[...block.querySelectorAll('[data-list]')].map((list) => [...list.children].map(kinds))];
const kindsOf = ({ kind, lists }) => [kind, ...lists.slice(0, kind === 'columns3' ? 3 : kind === 'columns2' ? 2 : 0).map((list) => list.map(kindsOf))];
function put(name, value) {
  const input = form.elements.namedItem(name);
  if (input && 'value' in input && input.type !== 'hidden' && input.type !== 'checkbox' && input.value !== value) input.value = value;
}
`;
