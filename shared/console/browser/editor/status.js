// @ts-check

/** The line of the toolbar that says whether the draft is saved. Its texts are in data attributes. */
export class Status {
  #element;

  /** @param {HTMLElement} element */
  constructor(element) {
    this.#element = element;
  }

  get texts() {
    return this.#element.dataset;
  }

  /** @param {string | undefined} text */
  show(text) {
    this.#set(text, false);
  }

  /** @param {string | undefined} text */
  fail(text) {
    this.#set(text, true);
  }

  /** A failure stays until something was saved. @param {string | undefined} text */
  showUnlessFailed(text) {
    if (!this.#element.classList.contains('bad')) this.show(text);
  }

  /**
   * @param {string | undefined} text
   * @param {boolean} isFailure
   */
  #set(text, isFailure) {
    this.#element.textContent = text ?? '';
    this.#element.classList.toggle('bad', isFailure);
  }
}
