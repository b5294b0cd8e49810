// @ts-check
import { inputNamed } from '../dom.js';
import { backoffMilliseconds } from '../requests.js';

/**
 * The answer of `…/edit/save`.
 * @typedef {object} SaveResult
 * @property {'saved' | 'overtaken' | 'refused'} outcome
 * @property {number} [revision]
 * @property {readonly Issue[]} issues by the names of their fields
 * @property {string} [text]
 */

/** @typedef {{ name: string, text: string }} Issue */

/** What this browser keeps of a draft that could not be saved. @typedef {{ at: string, revision: string, state: string }} Backup */

const pauseMilliseconds = 900;
const maxFailures = 6;

/**
 * Saves the form a moment after the last change, one request at a time. What is not saved yet is kept in this browser,
 * under a key of its own for each variant's message.
 */
export class Autosave {
  #form;
  #address;
  #backupKey;
  #serialize;
  #status;
  #onSaved;
  #onIssues;
  /** The state that the service has. */
  #saved;
  #timer = 0;
  #failures = 0;
  #isOvertaken = false;
  #isSaving = false;
  /**
   * Sent without an answer, so that it may be saved: the same is sent again before anything newer, which then is no
   * conflicting change.
   * @type {{ state: string, body: string } | null}
   */
  #unanswered = null;

  /**
   * @param {HTMLFormElement} form
   * @param {object} options
   * @param {string} options.address of the editor
   * @param {string} options.backupKey
   * @param {string} options.saved the state that the service has
   * @param {() => string} options.serialize
   * @param {import('./status.js').Status} options.status
   * @param {() => void} options.onSaved
   * @param {(issues: readonly Issue[]) => void} options.onIssues
   */
  constructor(form, { address, backupKey, saved, serialize, status, onSaved, onIssues }) {
    this.#form = form;
    this.#address = address;
    this.#backupKey = backupKey;
    this.#saved = saved;
    this.#serialize = serialize;
    this.#status = status;
    this.#onSaved = onSaved;
    this.#onIssues = onIssues;
    addEventListener('online', () => this.save());
  }

  get isSaving() {
    return this.#isSaving;
  }

  get isSaved() {
    return this.#serialize() === this.#saved;
  }

  /** To be called after each change. */
  changed() {
    const state = this.#serialize();
    const isSaved = state === this.#saved;
    this.#keep(isSaved ? null : state);
    if (isSaved || this.#isOvertaken) return;
    this.#status.showUnlessFailed(this.#status.texts.unsaved);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), pauseMilliseconds);
  }

  /** The save button: tries again even when another tab was faster, or the service has refused the draft. */
  saveNow() {
    this.#isOvertaken = false;
    if (!this.isSaved) this.#saved = '';
    return this.save();
  }

  async save() {
    clearTimeout(this.#timer);
    if (this.#isSaving || this.#isOvertaken) return;
    const state = this.#serialize();
    if (state === this.#saved && !this.#unanswered) return;
    this.#isSaving = true;
    this.#status.showUnlessFailed(this.#status.texts.saving);
    const sent = this.#unanswered ?? { state, body: urlEncoded(this.#form) };
    this.#unanswered = sent;
    await this.#send(sent);
    this.#isSaving = false;
    this.#form.dispatchEvent(new Event('mailroom:settled'));
    if (this.#serialize() !== sent.state) this.changed();
  }

  /** @param {{ state: string, body: string }} sent */
  async #send({ state, body }) {
    const { texts } = this.#status;
    try {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const answer = await fetch(`${this.#address}/save`, { method: 'POST', headers, body, redirect: 'error' });
      if (answer.ok) this.#settle(await answer.json(), state);
      if (answer.status < 500) this.#unanswered = null;
      if (answer.status === 401 || answer.status === 403) this.#retry(texts.over);
      else if (answer.status === 413) this.#status.fail(texts.large);
      else if (!answer.ok) this.#retry(texts.offline);
    } catch {
      this.#retry(texts.offline);
    }
  }

  /**
   * @param {SaveResult} result
   * @param {string} state
   */
  #settle({ outcome, revision, issues, text }, state) {
    this.#failures = 0;
    this.#onIssues(issues);
    if (outcome === 'overtaken') {
      this.#isOvertaken = true;
      this.#status.fail(text);
    } else if (outcome === 'refused') this.#status.fail(this.#status.texts.refused);
    else {
      this.#saved = state;
      inputNamed(this.#form, 'revision').value = String(revision);
      if (this.#serialize() === state) this.#keep(null);
      const time = new Date().toLocaleTimeString(document.documentElement.lang);
      this.#status.show(`${this.#status.texts.saved} · ${time}`);
      this.#onSaved();
    }
  }

  /** @param {string | undefined} reason */
  #retry(reason) {
    this.#status.fail(reason);
    this.#failures = Math.min(this.#failures + 1, maxFailures);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), backoffMilliseconds(this.#failures));
  }

  /**
   * What an earlier visit could not save; null when it is what the form holds.
   * @param {string} shown
   * @returns {Backup | null}
   */
  backup(shown) {
    try {
      /** @type {Backup | null} */
      const backup = JSON.parse(localStorage.getItem(this.#backupKey) ?? 'null');
      if (backup?.state !== shown) return backup;
      if (this.#saved === shown) this.discardBackup();
      return null;
    } catch {
      this.discardBackup();
      return null;
    }
  }

  discardBackup() {
    this.#keep(null);
  }

  /** @param {string | null} state */
  #keep(state) {
    try {
      if (state === null) {
        localStorage.removeItem(this.#backupKey);
        return;
      }
      const { value: revision } = inputNamed(this.#form, 'revision');
      const backup = { at: new Date().toISOString(), revision, state };
      localStorage.setItem(this.#backupKey, JSON.stringify(backup));
    } catch {
      // This browser stores nothing; the page still warns before it is left.
    }
  }
}

/** @param {HTMLFormElement} form */
function urlEncoded(form) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.append(name, value);
  return body.toString();
}
