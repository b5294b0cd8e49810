import {
  machineTime,
  now,
  nowMilliseconds,
  runAhead,
  serviceStopwatch,
  stopwatch,
} from '../../../shared/platform/clock.ts';

const day = 86_400_000;

afterEach(() => runAhead(() => 0));

describe('a clock that runs ahead', () => {
  it('is ahead for everything but signatures and deadlines', () => {
    const [deadline, age] = [stopwatch(), serviceStopwatch()];
    runAhead(() => day);
    expect(now().getTime() - Date.now()).toBeGreaterThanOrEqual(day - 1000);
    expect(nowMilliseconds() - Date.now()).toBeGreaterThanOrEqual(day - 1000);
    expect(Math.abs(machineTime().getTime() - Date.now())).toBeLessThan(1000);
    expect(machineTime(new Date(3 * day))).toEqual(new Date(2 * day));
    expect(deadline()).toBeLessThan(1000);
    expect(age()).toBeGreaterThanOrEqual(day);
  });
});
