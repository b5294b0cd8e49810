import { jest } from '@jest/globals';
import { remembered } from '../../../shared/platform/parallel.ts';

afterEach(() => jest.useRealTimers());

/** Answers how often it was asked, and fails when it is told to. */
function counted() {
  const state = { times: 0, fails: false };
  const ask = async () => {
    state.times += 1;
    if (state.fails) throw new Error('Not now.');
    return state.times;
  };
  return { state, ask };
}

describe('what is remembered', () => {
  it('is asked for once by all who want it at the same moment, and again when it is old', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    const { ask } = counted();
    const read = remembered(60_000, ask);
    expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1]);
    jest.advanceTimersByTime(59_999);
    expect(await read()).toBe(1);
    jest.advanceTimersByTime(1);
    expect(await read()).toBe(2);
  });

  it('is requested again by the next caller after a failure', async () => {
    const { state, ask } = counted();
    const read = remembered(60_000, ask);
    state.fails = true;
    await expect(Promise.all([read(), read()])).rejects.toThrow('Not now.');
    expect(state.times).toBe(1);
    state.fails = false;
    expect(await read()).toBe(2);
  });
});
