import { History } from '../../../../../shared/console/browser/editor/history.js';

describe('the history of the editor', () => {
  it('steps back and ahead, and stays at either end', () => {
    const history = new History('a');
    history.record('b');
    history.record('c');
    expect([history.canUndo, history.canRedo]).toEqual([true, false]);
    expect([history.move(-1), history.move(-1), history.move(-1)]).toEqual(['b', 'a', undefined]);
    expect([history.canUndo, history.canRedo]).toEqual([false, true]);
    expect([history.move(1), history.move(1), history.move(1)]).toEqual(['b', 'c', undefined]);
  });

  it('does not record the same state twice', () => {
    const history = new History('a');
    history.record('a');
    expect(history.canUndo).toBe(false);
  });

  it('forgets what was undone once something else is written', () => {
    const history = new History('a');
    history.record('b');
    history.move(-1);
    history.record('c');
    expect([history.canRedo, history.move(-1), history.move(1)]).toEqual([false, 'a', 'c']);
  });

  it('keeps 200 states', () => {
    const history = new History('0');
    for (let index = 1; index <= 250; index += 1) history.record(String(index));
    let steps = 0;
    let oldest: string | undefined;
    for (let state = history.move(-1); state !== undefined; state = history.move(-1)) {
      steps += 1;
      oldest = state;
    }
    expect([steps, oldest]).toEqual([199, '51']);
  });
});
