import type { Campaign } from '../../../../shared/domain/campaign/campaign.ts';
import type { Tally } from '../../../../shared/domain/campaign/tally.ts';
import { afterRecount, observe, type WatchState } from '../../../../shared/domain/campaign/watch.ts';

const start = new Date('2026-11-21T08:00:00Z');
const minute = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const day = 24 * 60;

const freeze = {
  id: 'f',
  at: start.toISOString(),
  groups: [{ variant: 0, people: 100 }],
  runners: 1,
  month: '2026-11',
};
const sending = { status: 'sending', freeze, hold: null, test: null, sentAt: null } as unknown as Campaign;
const sent = { ...sending, status: 'sent', sentAt: start.toISOString() } as Campaign;
const unseen: WatchState = {
  outcomes: null,
  movedAt: start,
  counters: null,
  changedAt: start,
  recounted: null,
  days: 1,
};
const half: Tally = { sent: 50 };

/** Looks every two minutes, up to `until`; the minutes at which it was said to be stuck. */
function stuckAt(until: number, seen: (minutes: number) => { campaign?: Campaign; tally?: Tally }): number[] {
  let state = unseen;
  const stuck: number[] = [];
  for (let minutes = 0; minutes <= until; minutes += 2) {
    const { campaign = sending, tally = half } = seen(minutes);
    const observation = observe(state, campaign, tally, minute(minutes));
    if (observation.isStuck) stuck.push(minutes);
    state = observation.state;
  }
  return stuck;
}

const held = { ...sending, hold: { reason: 'provider_paused', since: '', providerCode: null } } as Campaign;

describe('a campaign on its way', () => {
  it('is stuck when no outcome came for 15 minutes, and for as long as none comes', () => {
    expect(stuckAt(22, () => ({}))).toEqual([16, 18, 20, 22]);
    expect(stuckAt(30, (minutes) => ({ tally: { sent: minutes < 20 ? 50 : 51 } }))).toEqual([16, 18]);
  });

  it('is not while it moves, however slowly', () => {
    expect(stuckAt(120, (minutes) => ({ tally: { sent: Math.floor(minutes / 14) } }))).toEqual([]);
  });

  it('moves by outcomes: opens of those who have it are no way forward', () => {
    expect(stuckAt(18, (minutes) => ({ tally: { sent: 50, opened: minutes } }))).toEqual([16, 18]);
  });

  it('is not while something known stands in its way, and has its 15 minutes when that has passed', () => {
    const waiting = { ...sending, test: { winner: null, decideAt: minute(60).toISOString() } } as Campaign;
    expect(stuckAt(60, () => ({ campaign: held }))).toEqual([]);
    expect(stuckAt(58, () => ({ campaign: waiting }))).toEqual([]);
    expect(stuckAt(40, (minutes) => ({ campaign: minutes <= 20 ? held : sending }))).toEqual([38, 40]);
  });

  it('is not while all who are left are in doubt, for the day that a doubt may take', () => {
    const [first] = stuckAt(day + 60, () => ({ tally: { sent: 50, uncertain: 50 } }));
    expect(first).toBe(day + 30);
  });

  it('is counted anew when it has been still for two minutes, and not again before it moves', () => {
    const first = observe(unseen, sending, half, minute(0));
    expect(first).toMatchObject({ wantsRecount: false, nextAt: minute(2) });
    const second = observe(first.state, sending, half, minute(2));
    expect(second.wantsRecount).toBe(true);
    const counted = afterRecount(second.state, 'sending', { tally: half, isExact: true }, minute(2));
    expect(counted.nextAt).toEqual(minute(4));
    const third = observe(counted.state, sending, half, minute(4));
    expect(third.wantsRecount).toBe(false);
    const moved = observe(third.state, sending, { sent: 51 }, minute(6));
    expect(moved.wantsRecount).toBe(false);
    expect(observe(moved.state, sending, { sent: 51 }, minute(8)).wantsRecount).toBe(true);
  });

  it('is looked at more seldom while an operator holds it back', () => {
    const paused = { ...sending, hold: { reason: 'operator', since: '', providerCode: null } } as Campaign;
    expect(observe(unseen, paused, half, minute(0)).nextAt).toEqual(minute(15));
  });
});

describe('a campaign that was sent', () => {
  const still = (tally: Tally, at: number): WatchState => observe(unseen, sent, tally, minute(at)).state;

  it('is counted when it has been still for two minutes, a day later at the latest', () => {
    const first = observe(unseen, sent, half, minute(2));
    expect(first.wantsRecount).toBe(false);
    expect(observe(first.state, sent, half, minute(4)).wantsRecount).toBe(true);
    const opens = (count: number): Tally => ({ sent: 50, opened: count });
    const moving = observe(still(opens(1), day - 2), sent, opens(2), minute(day - 1));
    expect(moving.wantsRecount).toBe(false);
    expect(observe(moving.state, sent, opens(3), minute(day)).wantsRecount).toBe(true);
  });

  it('is counted every day while opens come, then ever more seldom, whether or not anything was seen to move', () => {
    let state = still(half, 2);
    const days: number[] = [];
    for (const opened of [1, 2, 2, 2, 2, 2, 2, 3]) {
      const recount = afterRecount(state, 'sent', { tally: { sent: 50, opened }, isExact: true }, start);
      days.push((recount.nextAt.getTime() - start.getTime()) / 86_400_000);
      expect(observe(recount.state, sent, half, minute(day)).wantsRecount).toBe(true);
      state = recount.state;
    }
    expect(days).toEqual([1, 1, 2, 4, 8, 16, 32, 1]);
  });

  it('is counted again within the hour when some of it moved meanwhile', () => {
    const recount = afterRecount(still(half, 2), 'sent', { tally: half, isExact: false }, start);
    expect(recount).toMatchObject({ nextAt: minute(60), state: { recounted: null } });
  });
});
