// @ts-check
import { find, findAll, findOptional, inputNamed } from '../dom.js';

/** The message as it is saved, in the frame beside the form. */
export class Preview {
  #form;
  #address;
  #status;
  #frame;
  /** How the address of the preview names the person that it is shown as: sealed by the service. */
  #person;

  /**
   * @param {HTMLFormElement} form
   * @param {string} address of the editor
   * @param {import('./status.js').Status} status
   */
  constructor(form, address, status) {
    this.#form = form;
    this.#address = address;
    this.#status = status;
    this.#frame = find(form, 'iframe', HTMLIFrameElement);
    this.#person = this.#frame.dataset.as ?? '';
  }

  get variant() {
    return this.#frame.dataset.variant ?? '0';
  }

  load() {
    const pressed = findOptional(this.#form, '[data-view][aria-pressed=true]', HTMLElement);
    const view = pressed?.dataset.view ?? 'desktop';
    const query = new URLSearchParams({ view, revision: inputNamed(this.#form, 'revision').value });
    if (this.variant !== '0') query.set('variant', this.variant);
    if (this.#person) query.set('as', this.#person);
    this.#frame.className = view;
    this.#frame.src = `${this.#frame.dataset.frame}?${query}`;
  }

  /** @param {HTMLElement} button of a view */
  choose(button) {
    for (const other of findAll(this.#form, '[data-view]', HTMLElement)) {
      other.setAttribute('aria-pressed', String(other === button));
    }
    inputNamed(this.#form, 'view').value = button.dataset.view ?? '';
    this.load();
  }

  /**
   * Shows the message as the person whose address was typed would see it.
   * @param {() => boolean} isSaved
   */
  async showAs(isSaved) {
    const { texts } = this.#status;
    const { value: address } = inputNamed(this.#form, 'as');
    const body = new URLSearchParams({ form_token: inputNamed(this.#form, 'form_token').value, as: address });
    try {
      const answer = await fetch(`${this.#address}/as`, { method: 'POST', body, redirect: 'error' });
      if (!answer.ok) {
        this.#status.fail(answer.status === 401 || answer.status === 403 ? texts.over : texts.offline);
        return;
      }
      /** @type {{ as?: string, message?: string }} */
      const { as = '', message } = await answer.json();
      if (message) {
        this.#status.fail(`${address}: ${message}`);
        return;
      }
      this.#person = as;
      if (isSaved()) this.#status.show(texts.saved);
      this.load();
    } catch {
      this.#status.fail(texts.offline);
    }
  }
}
