// @ts-check

/**
 * The first element that matches. Throws when there is none of this class: the page and its script disagree.
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T}
 */
export function find(root, selector, type) {
  const element = findOptional(root, selector, type);
  if (element) return element;
  throw new Error(`This page has no ${type.name} ${selector}.`);
}

/**
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T | null}
 */
export function findOptional(root, selector, type) {
  const element = root.querySelector(selector);
  return element instanceof type ? element : null;
}

/**
 * @template {Element} T
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T[]}
 */
export const findAll = (root, selector, type) =>
  [...root.querySelectorAll(selector)].flatMap((element) => (element instanceof type ? element : []));

/**
 * The element of an event if it matches or lies in one that does.
 * @template {Element} T
 * @param {Event} event
 * @param {string} selector
 * @param {new () => T} type
 * @returns {T | null}
 */
export function closest({ target }, selector, type) {
  const element = target instanceof Element ? target.closest(selector) : null;
  return element instanceof type ? element : null;
}

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

/**
 * @param {unknown} element
 * @returns {element is Field}
 */
export const isField = (element) =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement;

/**
 * The fields below an element, hidden ones included.
 * @param {ParentNode} root
 * @returns {Field[]}
 */
export const fieldsIn = (root) => [...root.querySelectorAll('input, textarea, select')].filter(isField);

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {HTMLInputElement}
 */
export function inputNamed(form, name) {
  const input = form.elements.namedItem(name);
  if (input instanceof HTMLInputElement) return input;
  throw new Error(`This form has no input ${name}.`);
}
