import type { Campaign } from '../../../../shared/domain/campaign/campaign.ts';
import type { Tally } from '../../../../shared/domain/campaign/report.ts';
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

/** Looks every two minutes, up to `until`. Returns the minutes at which the campaign counts as stuck. */
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

describe('a campaign while it is being sent', () => {
  it('is stuck after 15 minutes without an outcome, until the next one', () => {
    expect(stuckAt(22, () => ({}))).toEqual([16, 18, 20, 22]);
    expect(stuckAt(30, (minutes) => ({ tally: { sent: minutes < 20 ? 50 : 51 } }))).toEqual([16, 18]);
  });

  it('is stuck from the end of the fifteenth minute', () => {
    const { state } = observe(unseen, sending, half, minute(0));
    const stuck = [15 - 0.001, 15].map((minutes) => observe(state, sending, half, minute(minutes)).isStuck);
    expect(stuck).toEqual([false, true]);
  });

  it('is not stuck while outcomes arrive, however slowly', () => {
    expect(stuckAt(120, (minutes) => ({ tally: { sent: Math.floor(minutes / 14) } }))).toEqual([]);
  });

  it('makes progress by outcomes, not by opens', () => {
    expect(stuckAt(18, (minutes) => ({ tally: { sent: 50, opened: minutes } }))).toEqual([16, 18]);
  });

  it('is not stuck while it is held back for a known reason, nor in the 15 minutes after', () => {
    const waiting = { ...sending, test: { winner: null, decideAt: minute(60).toISOString() } } as Campaign;
    expect(stuckAt(60, () => ({ campaign: held }))).toEqual([]);
    expect(stuckAt(58, () => ({ campaign: waiting }))).toEqual([]);
    expect(stuckAt(40, (minutes) => ({ campaign: minutes <= 20 ? held : sending }))).toEqual([38, 40]);
  });

  it('is not stuck while only uncertain outcomes are left, which takes a day at most', () => {
    const [first] = stuckAt(day + 60, () => ({ tally: { sent: 50, uncertain: 50 } }));
    expect(first).toBe(day + 30);
  });

  it('is recounted after two minutes without a change, and not again before the next change', () => {
    const first = observe(unseen, sending, half, minute(0));
    expect(first).toMatchObject({ isRecountDue: false, nextAt: minute(2) });
    const second = observe(first.state, sending, half, minute(2));
    expect(second.isRecountDue).toBe(true);
    const counted = afterRecount(second.state, 'sending', { tally: half, isExact: true }, minute(2));
    expect(counted.nextAt).toEqual(minute(4));
    const third = observe(counted.state, sending, half, minute(4));
    expect(third.isRecountDue).toBe(false);
    const moved = observe(third.state, sending, { sent: 51 }, minute(6));
    expect(moved.isRecountDue).toBe(false);
    expect(observe(moved.state, sending, { sent: 51 }, minute(8)).isRecountDue).toBe(true);
  });

  it('is checked less often while an operator holds it back', () => {
    const paused = { ...sending, hold: { reason: 'operator', since: '', providerCode: null } } as Campaign;
    expect(observe(unseen, paused, half, minute(0)).nextAt).toEqual(minute(15));
  });
});

describe('a campaign that was sent', () => {
  const still = (tally: Tally, at: number): WatchState => observe(unseen, sent, tally, minute(at)).state;

  it('is recounted after two minutes without a change, or after a day at the latest', () => {
    const first = observe(unseen, sent, half, minute(2));
    expect(first.isRecountDue).toBe(false);
    expect(observe(first.state, sent, half, minute(4)).isRecountDue).toBe(true);
    const opens = (count: number): Tally => ({ sent: 50, opened: count });
    const moving = observe(still(opens(1), day - 2), sent, opens(2), minute(day - 1));
    expect(moving.isRecountDue).toBe(false);
    expect(observe(moving.state, sent, opens(3), minute(day)).isRecountDue).toBe(true);
  });

  it('is recounted daily while opens arrive, then less and less often', () => {
    let state = still(half, 2);
    const days: number[] = [];
    for (const opened of [1, 2, 2, 2, 2, 2, 2, 2, 3]) {
      const recount = afterRecount(state, 'sent', { tally: { sent: 50, opened }, isExact: true }, start);
      days.push((recount.nextAt.getTime() - start.getTime()) / 86_400_000);
      expect(observe(recount.state, sent, half, minute(day)).isRecountDue).toBe(true);
      state = recount.state;
    }
    expect(days).toEqual([1, 1, 2, 4, 8, 16, 32, 32, 1]);
  });

  it('is recounted after an hour when counters changed during the recount', () => {
    const recount = afterRecount(still(half, 2), 'sent', { tally: half, isExact: false }, start);
    expect(recount).toMatchObject({ nextAt: minute(60), state: { recounted: null } });
  });
});
