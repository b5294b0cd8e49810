import { playStorm } from '../../bench/automations/storm.ts';

/** `npm run storm` plays the same with more people and kills. */
describe('runs of automations in a storm', () => {
  it('end as they should, whatever is killed, lost or delivered twice', async () => {
    const { kills, runs, problems } = await playStorm({ people: 12, kills: 12, seed: 7 });
    expect(problems).toEqual([]);
    expect(runs.started).toBe(12);
    expect(kills).toBeGreaterThan(5);
  }, 600_000);
});
