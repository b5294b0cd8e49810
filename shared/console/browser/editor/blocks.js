// @ts-check
// Blocks in the document: added, moved by button, key and mouse, copied, deleted, and rebuilt from saved states.
// New blocks are clones of the page's own templates.
import { closest, fieldsIn, find, findAll, findOptional, isField } from '../dom.js';
import { blockStates, shapeOf, splitPairs } from './draft.js';
import { addTextTools } from './textTools.js';

/** @typedef {import('./draft.js').BlockState} BlockState */
/** @typedef {import('./draft.js').Pairs} Pairs */
/** @typedef {import('./draft.js').Shape} Shape */

/**
 * @typedef {object} BlockEditor
 * @property {(button: HTMLElement) => void} add adds a block of the button's kind
 * @property {(button: HTMLElement) => void} apply moves, copies or deletes the block that the button is in
 * @property {(pairs: Pairs) => void} restore makes the form hold what it held
 */

/** Attributes of a block's elements that hold the path of the block, which changes when it moves. */
const attributesWithPath = ['id', 'name', 'for', 'aria-describedby', 'value', 'data-path', 'data-base', 'data-adds'];

/**
 * @param {HTMLFormElement} form
 * @param {object} options
 * @param {DOMStringMap} options.texts
 * @param {(text: string) => void} options.announce
 * @param {() => void} options.onEdited called after each change
 * @param {() => void} options.onTextEdited called after a button or a key has changed a text
 * @returns {BlockEditor}
 */
export function createBlockEditor(form, { texts, announce, onEdited, onTextEdited }) {
  const blockList = find(form, '[data-list]', HTMLElement);
  for (const block of blocksBelow(form)) showGrip(block);
  moveByKeys();
  moveByDragging();
  return { add, apply, restore };

  /** @param {HTMLElement} button */
  function add(button) {
    const block = createBlock(button.dataset.add ?? '');
    button.closest('[data-adds]')?.previousElementSibling?.append(block);
    changed(block, texts.added);
    firstField(block).focus();
  }

  /** @param {HTMLElement} button */
  function apply(button) {
    const block = blockOf(button);
    switch (button.dataset.step) {
      case 'up':
        moveUp(block);
        break;
      case 'down':
        moveDown(block);
        break;
      case 'copy': {
        const copy = build(stateOf(block));
        block.after(copy);
        changed(copy, texts.added);
        firstField(copy).focus();
        return;
      }
      default: {
        const neighbour = block.nextElementSibling ?? block.previousElementSibling;
        const addButton = block.parentElement?.nextElementSibling?.querySelector('button');
        block.remove();
        changed(null, texts.deleted);
        const next = neighbour ?? addButton;
        if (next instanceof HTMLElement) next.focus();
        return;
      }
    }
    changed(block, movedText(block));
    button.focus();
  }

  /**
   * @param {HTMLElement | null} block
   * @param {string | undefined} text
   */
  function changed(block, text) {
    renumber();
    onEdited();
    if (text) announce(text);
    block?.scrollIntoView({ block: 'nearest' });
  }

  /** @param {HTMLElement} block */
  function movedText(block) {
    const siblings = [...(block.parentElement?.children ?? [])];
    return (texts.moved ?? '')
      .replace('{place}', String(siblings.indexOf(block) + 1))
      .replace('{all}', String(siblings.length));
  }

  /** Alt and an arrow key move the block that has the focus. */
  function moveByKeys() {
    form.addEventListener('keydown', (event) => {
      const block = closest(event, '.block', HTMLElement);
      if (!block || !event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
      event.preventDefault();
      const focused = event.target;
      if (event.key === 'ArrowUp') moveUp(block);
      else moveDown(block);
      changed(block, movedText(block));
      if (focused instanceof HTMLElement) focused.focus();
    });
  }

  function moveByDragging() {
    /** @type {HTMLElement | null} */
    let dragged = null;

    /**
     * The block that the dragged one may be dropped beside.
     * @param {DragEvent} event
     */
    const dropTarget = (event) => {
      if (!dragged) return null;
      let target = closest(event, '.block', HTMLElement);
      // Columns cannot be dropped into a column.
      if (dragged.dataset.kind?.startsWith('columns')) {
        for (let outer = outerBlock(target); outer; outer = outerBlock(target)) target = outer;
      }
      return target && !dragged.contains(target) ? target : null;
    };
    const clearMarks = () => {
      for (const element of findAll(form, '.before, .after', HTMLElement)) element.classList.remove('before', 'after');
    };

    form.addEventListener('dragstart', (event) => {
      const grip = closest(event, '.grip', HTMLElement);
      if (!grip || !event.dataTransfer) return;
      dragged = blockOf(grip);
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData('text/plain', '');
      event.dataTransfer.setDragImage(dragged, 10, 10);
      dragged.classList.add('dragged');
    });
    form.addEventListener('dragover', (event) => {
      const target = dropTarget(event);
      clearMarks();
      if (!target) return;
      event.preventDefault();
      const box = target.getBoundingClientRect();
      target.classList.add(event.clientY < box.top + box.height / 2 ? 'before' : 'after');
    });
    form.addEventListener('drop', (event) => {
      const target = dropTarget(event);
      if (!target || !dragged) return;
      event.preventDefault();
      if (target.classList.contains('before')) target.before(dragged);
      else target.after(dragged);
      changed(dragged, movedText(dragged));
    });
    form.addEventListener('dragend', () => {
      clearMarks();
      dragged?.classList.remove('dragged');
      dragged = null;
    });
  }

  /** @param {Pairs} pairs */
  function restore(pairs) {
    const { others, blocks } = splitPairs(pairs);
    const states = blockStates(blocks, 'content');
    const isSameShape =
      JSON.stringify(childBlocks(blockList).map(shapeOfBlock)) === JSON.stringify(states.map(shapeOf));
    if (isSameShape) {
      for (const [path, fields] of blocks) for (const [field, value] of fields) setField(`${path}.${field}`, value);
      const names = new Set(pairs.map(([name]) => name));
      for (const box of findAll(blockList, 'input[type=checkbox]', HTMLInputElement)) box.checked = names.has(box.name);
    } else {
      blockList.replaceChildren(...states.map(build));
      renumber();
    }
    for (const [name, value] of others) setField(name, value);
    const shared = findOptional(form, 'input[type=checkbox][name=shared]', HTMLInputElement);
    if (shared) shared.checked = others.has('shared');
  }

  /**
   * @param {string} name
   * @param {string} value
   */
  function setField(name, value) {
    const field = form.elements.namedItem(name);
    if (!isField(field) || field.type === 'hidden' || field.type === 'checkbox') return;
    if (field.value !== value) field.value = value;
  }

  /**
   * @param {BlockState} state
   * @returns {HTMLElement}
   */
  function build({ kind, values, lists }) {
    const block = createBlock(kind);
    const known = new Map(values);
    for (const field of ownFields(block)) {
      const value = known.get(suffixOf(block, field));
      if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = value === true;
      else if (value !== undefined) field.value = String(value);
    }
    for (const [index, list] of listsIn(block).entries()) list.append(...(lists[index] ?? []).map(build));
    return block;
  }

  /** @param {string} kind */
  function createBlock(kind) {
    const template = find(document, `template[data-new="${CSS.escape(kind)}"]`, HTMLTemplateElement);
    const block = find(document.importNode(template.content, true), '.block', HTMLElement);
    showGrip(block);
    for (const container of findAll(block, '[data-inline]', HTMLElement)) addTextTools(container, onTextEdited);
    return block;
  }

  /** Gives every block the path of its position. Temporary paths keep two blocks from having the same one meanwhile. */
  function renumber() {
    for (const [index, block] of blocksBelow(form).entries()) rename(block, `moving${index}!`);
    renumberList(blockList);
  }
}

/** @param {HTMLElement} list */
function renumberList(list) {
  for (const [index, block] of childBlocks(list).entries()) {
    rename(block, `${list.dataset.base}[${index}]`);
    for (const inner of listsIn(block)) renumberList(inner);
  }
}

/**
 * @param {HTMLElement} block
 * @param {string} path
 */
function rename(block, path) {
  const { path: before = '' } = block.dataset;
  if (before === path) return;
  for (const element of [block, ...block.querySelectorAll('*')]) {
    for (const attribute of attributesWithPath) {
      if (attribute === 'value' && element.tagName !== 'BUTTON') continue;
      const value = element.getAttribute(attribute);
      if (value?.includes(before)) element.setAttribute(attribute, value.replaceAll(before, path));
    }
  }
}

/** @param {HTMLElement} block */
const moveUp = (block) => block.previousElementSibling?.before(block);

/** @param {HTMLElement} block */
const moveDown = (block) => block.nextElementSibling?.after(block);

/** @param {ParentNode} root */
const blocksBelow = (root) => findAll(root, '[data-list] > .block', HTMLElement);

/** @param {ParentNode} root */
const listsIn = (root) => findAll(root, '[data-list]', HTMLElement);

/** @param {HTMLElement} list */
const childBlocks = (list) => [...list.children].filter((child) => child instanceof HTMLElement);

/** @param {HTMLElement} element */
function blockOf(element) {
  const block = element.closest('.block');
  if (block instanceof HTMLElement) return block;
  throw new Error('This element is in no block.');
}

/** @param {HTMLElement | null} block */
function outerBlock(block) {
  const outer = block?.parentElement?.closest('.block');
  return outer instanceof HTMLElement ? outer : null;
}

/** The grip is for the mouse and this script alone. @param {HTMLElement} block */
function showGrip(block) {
  find(block, '.grip', HTMLElement).hidden = false;
}

/** @param {HTMLElement} block */
const firstField = (block) => findOptional(block, 'textarea, input:not([type=hidden]), select', HTMLElement) ?? block;

/** The visible fields of a block without those of the blocks in it. @param {HTMLElement} block */
const ownFields = (block) =>
  fieldsIn(block).filter((field) => field.closest('.block') === block && field.type !== 'hidden');

/**
 * @param {HTMLElement} block
 * @param {import('../dom.js').Field} field
 */
const suffixOf = (block, field) => field.name.slice(block.dataset.path?.length);

/**
 * @param {HTMLElement} block
 * @returns {BlockState}
 */
function stateOf(block) {
  const values = ownFields(block).map((field) => {
    const isBox = field instanceof HTMLInputElement && field.type === 'checkbox';
    return /** @type {const} */ ([suffixOf(block, field), isBox ? field.checked : field.value]);
  });
  const lists = listsIn(block).map((list) => childBlocks(list).map(stateOf));
  return { kind: block.dataset.kind ?? '', values, lists };
}

/**
 * @param {HTMLElement} block
 * @returns {Shape}
 */
const shapeOfBlock = (block) => [
  block.dataset.kind ?? '',
  ...listsIn(block).map((list) => childBlocks(list).map(shapeOfBlock)),
];
