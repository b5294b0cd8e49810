// @ts-check
import { fieldsIn, findAll, isField } from '../dom.js';
import { isAbout } from './draft.js';

/** @typedef {import('./autosave.js').Issue} Issue */
/** @typedef {import('../dom.js').Field} Field */

/** Shows what is wrong beside its field once its writer has left it: an empty form is not criticised. */
export class Problems {
  #form;
  /** @type {readonly Issue[]} */
  #issues = [];
  /** The ids of the fields that were changed. @type {Set<string>} */
  #changed = new Set();

  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.#form = form;
    form.addEventListener('focusout', ({ target }) => {
      if (!isField(target) || target.name === '') return;
      if (hasChanged(target)) this.#changed.add(target.id);
      this.#render();
    });
  }

  /** @param {readonly Issue[]} issues */
  show(issues) {
    this.#issues = issues;
    this.#render();
  }

  #render() {
    for (const container of findAll(this.#form, '.field', HTMLElement)) {
      const [field] = fieldsIn(container);
      if (field) this.#renderField(container, field);
    }
  }

  /**
   * @param {HTMLElement} container
   * @param {Field} field
   */
  #renderField(container, field) {
    const issues = this.#issues.filter(({ name }) => isAbout(name, field.id));
    const hasFocus = field === document.activeElement;
    const line = container.querySelector('.problem');
    if (issues.length > 0 && !hasFocus && (this.#changed.has(field.id) || field.value !== '')) {
      (line ?? addLine(container, field)).textContent = issues.map(({ text }) => text).join('; ');
      field.setAttribute('aria-invalid', 'true');
    } else if (!hasFocus) {
      line?.remove();
      field.removeAttribute('aria-invalid');
    }
  }
}

/** @param {Field} field */
const hasChanged = (field) => field instanceof HTMLSelectElement || field.value !== field.defaultValue;

/**
 * @param {HTMLElement} container
 * @param {Field} field
 */
function addLine(container, field) {
  const line = document.createElement('p');
  line.className = 'problem';
  line.id = `${field.id}-problem`;
  container.append(line);
  const others = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id !== '' && id !== line.id);
  field.setAttribute('aria-describedby', [...others, line.id].join(' '));
  return line;
}
