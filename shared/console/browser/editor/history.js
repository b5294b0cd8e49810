// @ts-check

const maxStates = 200;

/** The states of the form that undo and redo step through. */
export class History {
  /** @type {string[]} */
  #states;
  #position = 0;

  /** @param {string} state */
  constructor(state) {
    this.#states = [state];
  }

  get canUndo() {
    return this.#position > 0;
  }

  get canRedo() {
    return this.#position < this.#states.length - 1;
  }

  /**
   * Adds a state after the current one; the states that were undone are forgotten.
   * @param {string} state
   */
  record(state) {
    if (state === this.#states[this.#position]) return;
    this.#states = [...this.#states.slice(0, this.#position + 1), state].slice(-maxStates);
    this.#position = this.#states.length - 1;
  }

  /**
   * The state one step back (-1) or ahead (1), which becomes the current one; undefined at either end.
   * @param {-1 | 1} step
   */
  move(step) {
    const state = this.#states[this.#position + step];
    if (state !== undefined) this.#position += step;
    return state;
  }
}
