// @ts-check
// Loads the parts of a page that take longer than the page itself. The answer is the same page again, parsed into a
// document that runs no scripts; its nodes are moved here, so that no text is ever parsed as markup in this document.
import { findAll } from './dom.js';
import { showTimes } from './times.js';

const timeoutMilliseconds = 40_000;

/** @type {Map<string, HTMLElement[]>} */
const partsByAddress = new Map();
for (const part of findAll(document, '[data-deferred]', HTMLElement)) {
  const address = part.dataset.deferred ?? '';
  partsByAddress.set(address, [...(partsByAddress.get(address) ?? []), part]);
}
for (const [address, parts] of partsByAddress) load(address, parts);

/**
 * @param {string} address
 * @param {readonly HTMLElement[]} parts
 */
function load(address, parts) {
  showState(parts, 'loading');
  const fail = () => offerRetry(address, parts);
  const request = new XMLHttpRequest();
  request.open('GET', address);
  request.responseType = 'document';
  request.timeout = timeoutMilliseconds;
  request.onerror = fail;
  request.ontimeout = fail;
  request.onload = () => {
    // Redirected: this page is out of date, and the other one says why.
    if (new URL(request.responseURL).pathname !== new URL(address, location.href).pathname) {
      location.replace(request.responseURL);
      return;
    }
    const loaded = request.status === 200 ? parts.map((part) => partIn(request.responseXML, part)) : [];
    if (loaded.length === 0 || loaded.some((part) => part === null)) fail();
    else for (const [index, part] of parts.entries()) replaceContent(part, loaded[index] ?? null);
  };
  request.send();
}

/**
 * The same part of the answer; null when it is missing or still deferred.
 * @param {Document | null} answer
 * @param {HTMLElement} part
 */
function partIn(answer, part) {
  const found = answer?.querySelector(`[data-part="${CSS.escape(part.dataset.part ?? '')}"]`);
  return found instanceof HTMLElement && found.dataset.deferred === undefined ? found : null;
}

/**
 * @param {HTMLElement} part
 * @param {HTMLElement | null} loaded
 */
function replaceContent(part, loaded) {
  if (loaded) part.replaceChildren(...document.importNode(loaded, true).childNodes);
  part.removeAttribute('aria-busy');
  showTimes(part);
}

/**
 * @param {readonly HTMLElement[]} parts
 * @param {'loading' | 'failed'} state
 */
function showState(parts, state) {
  for (const part of parts) {
    part.setAttribute('aria-busy', String(state === 'loading'));
    for (const element of findAll(part, '[data-loading]', HTMLElement)) element.hidden = state !== 'loading';
    for (const element of findAll(part, '[data-failed]', HTMLElement)) element.hidden = state !== 'failed';
    for (const element of findAll(part, '[data-retry]', HTMLElement)) element.hidden = state === 'loading';
  }
}

/**
 * @param {string} address
 * @param {readonly HTMLElement[]} parts
 */
function offerRetry(address, parts) {
  showState(parts, 'failed');
  for (const link of parts.flatMap((part) => findAll(part, '[data-retry] a', HTMLAnchorElement))) {
    link.textContent = link.dataset.retryLabel ?? '';
    link.onclick = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      load(address, parts);
    };
  }
}
