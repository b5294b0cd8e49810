import { playStorm } from '../../bench/automations/storm.ts';

/** `npm run storm` plays the same with more people, kills and days. */
describe('runs of automations in a storm', () => {
  it('end as they should, whatever is killed, lost or delivered twice', async () => {
    const storm = { people: 8, kills: 5, seed: 7, days: 11, stepsPerDay: 2 };
    const { kills, runs, problems } = await playStorm(storm);
    expect(problems).toEqual([]);
    expect(runs.started).toBe(8);
    // A kill comes to nothing when its process makes too few calls.
    expect(kills).toBeGreaterThanOrEqual(3);
  }, 600_000);
});
