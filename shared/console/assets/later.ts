import { html } from '../../pages/html.ts';

/**
 * Asks for the parts of a page that take longer than the page, and puts them where their room is kept. What comes is this
 * very page once more, as a document that runs nothing; its nodes are moved, so that no text is ever made markup here.
 */
export const laterScript = html`'use strict';
{
const asked = new Map();
for (const part of document.querySelectorAll('[data-later]')) {
  asked.set(part.dataset.later, [...(asked.get(part.dataset.later) ?? []), part]);
}
const longestMilliseconds = 40000;

for (const [address, parts] of asked) {
  function stand(name) {
    for (const part of parts) {
      part.setAttribute('aria-busy', String(name === 'waits'));
      for (const one of part.querySelectorAll('[data-waits]')) one.hidden = name !== 'waits';
      for (const one of part.querySelectorAll('[data-fails]')) one.hidden = name !== 'fails';
      for (const one of part.querySelectorAll('[data-asks]')) one.hidden = name === 'waits';
    }
  }

  function load() {
    stand('waits');
    const request = new XMLHttpRequest();
    request.open('GET', address);
    request.responseType = 'document';
    request.timeout = longestMilliseconds;
    request.onerror = request.ontimeout = fail;
    request.onload = () => {
      // Led elsewhere: this page is over, and the other one says why.
      if (new URL(request.responseURL).pathname !== new URL(address, location.href).pathname) {
        location.replace(request.responseURL);
        return;
      }
      const found = parts.map((part) => request.response?.querySelector('[data-part="' + CSS.escape(part.dataset.part) + '"]'));
      if (request.status !== 200 || found.some((part) => !part || part.dataset.later)) return fail();
      parts.forEach((part, index) => {
        part.replaceChildren(...document.importNode(found[index], true).childNodes);
        part.removeAttribute('aria-busy');
        showTimes(part);
      });
    };
    request.send();
  }

  function fail() {
    stand('fails');
    for (const link of parts.flatMap((part) => [...part.querySelectorAll('[data-asks] a')])) {
      link.textContent = link.dataset.again;
      link.onclick = (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        load();
      };
    }
  }

  load();
}
}
`;
