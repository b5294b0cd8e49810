// @ts-check
// What the reference can do besides being read: search the contents, copy code, keep one language for all examples, and
// call the service. The pages are complete without it. The key stays in the fields of this page, and is in no address, no
// storage and no history.

/** @param {string} selector @param {ParentNode} [root] */
const all = (selector, root = document) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);

function search() {
  const field = document.querySelector('input[type=search]');
  const form = field?.closest('form');
  const result = form?.querySelector('[role=status]');
  if (!(field instanceof HTMLInputElement && form && result instanceof HTMLElement)) return;
  const groups = all('nav details').map((element) => ({ element, wasOpen: element.hasAttribute('open') }));
  const links = all('nav details a').map((link) => ({
    item: link.closest('li'),
    text: `${link.dataset.words ?? ''} ${link.textContent}`.toLowerCase(),
    isWhole: link.hasAttribute('data-chapter'),
  }));
  form.hidden = false;
  form.addEventListener('submit', (event) => event.preventDefault());
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { item, text, isWhole } of links) {
      const isFound = words.every((word) => text.includes(word)) && !(isWhole && words.length > 0);
      item?.toggleAttribute('hidden', !isFound);
      if (isFound) count += 1;
    }
    for (const { element, wasOpen } of groups) {
      const isEmpty = all('li', element).every((item) => item.hidden);
      element.toggleAttribute('hidden', isEmpty);
      element.toggleAttribute('open', words.length > 0 ? !isEmpty : wasOpen);
    }
    result.textContent = words.length === 0 ? '' : (result.dataset.text ?? '').replace('{count}', String(count));
  });
}

function copyButtons() {
  for (const button of all('button.copy')) {
    const text = button.textContent;
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.parentElement?.querySelector('code')?.textContent ?? '');
      button.textContent = button.dataset.done ?? '';
      setTimeout(() => {
        button.textContent = text;
      }, 1500);
    });
  }
}

/** A choice of language in one example is a choice for all of this page. */
function oneLanguage() {
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.type !== 'radio') return;
    const top = target.getBoundingClientRect().top;
    for (const other of all('.samples input')) {
      if (other instanceof HTMLInputElement && other.value === target.value) other.checked = true;
    }
    // Examples above may have become longer: what the reader looks at stays where it is.
    scrollBy(0, target.getBoundingClientRect().top - top);
  });
}

/** @param {HTMLFormElement} form */
function addressOf(form) {
  const inputs = /** @type {HTMLInputElement[]} */ (all('input', form));
  const path = (form.dataset.call ?? '').replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(inputs.find(({ dataset }) => dataset.path === name)?.value ?? ''),
  );
  const query = new URLSearchParams(
    inputs
      .filter(({ dataset, value }) => dataset.query && value !== '')
      .map(({ dataset, value }) => [dataset.query ?? '', value]),
  );
  const text = query.toString();
  return `${document.body.dataset.base ?? ''}${path}${text === '' ? '' : `?${text}`}`;
}

/** @param {string} text */
function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, 50_000);
  } catch {
    return text.slice(0, 50_000);
  }
}

/** @param {HTMLFormElement} form */
async function callFrom(form) {
  const status = form.querySelector('[role=status]');
  const result = form.querySelector('pre');
  const key = form.querySelector('[data-key]');
  const { body, method = 'GET' } = form.dataset;
  if (!status || !result) return;
  /** @type {Record<string, string>} */
  const headers = { 'Accept-Language': document.documentElement.lang };
  if (key instanceof HTMLInputElement) headers.Authorization = `Bearer ${key.value}`;
  if (body) headers['Content-Type'] = 'application/json';
  try {
    const answer = await fetch(addressOf(form), {
      method,
      headers,
      ...(body && { body }),
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
    const text = readable(await answer.text());
    status.textContent = `${answer.status} ${answer.statusText}`;
    result.hidden = false;
    (result.firstElementChild ?? result).textContent = text;
  } catch {
    status.textContent = form.dataset.failed ?? '';
    result.hidden = true;
  }
}

function tryForms() {
  const keys = /** @type {HTMLInputElement[]} */ (all('[data-key]'));
  for (const field of keys) {
    field.addEventListener('input', () => {
      for (const other of keys) other.value = field.value;
    });
  }
  addEventListener('pagehide', () => {
    for (const field of keys) field.value = '';
  });
  for (const form of all('form.try')) {
    if (!(form instanceof HTMLFormElement)) continue;
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void callFrom(form);
    });
  }
}

search();
copyButtons();
oneLanguage();
tryForms();
