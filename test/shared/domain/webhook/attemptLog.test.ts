import {
  type AttemptOutcome,
  attemptLog,
  type Delivery,
  loggedAttempts,
  newDelivery,
} from '../../../../shared/domain/webhook/delivery.ts';

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, second));
const good: AttemptOutcome = { accepted: true, status: 200, body: 'ok', error: null, durationMilliseconds: 10 };
const bad: AttemptOutcome = { accepted: false, status: 500, body: '', error: 'status', durationMilliseconds: 20 };
const position = { workspaceId: 'ws_1', webhookId: 'whk_1', deliveryId: 'whd_1' };
const fresh = newDelivery(position, { eventId: 'evt_1', eventType: 'email.delivered', body: '{}', createdAt: at(0) });

/** A delivery as the store leaves it after an attempt. */
function tried(seen: Delivery, outcome: AttemptOutcome, second: number, isReplay = false): Delivery {
  return {
    ...seen,
    tries: seen.tries + (isReplay ? 0 : 1),
    replays: seen.replays + (isReplay ? 1 : 0),
    log: [...seen.log, ...loggedAttempts(seen, outcome, { at: at(second), isReplay })],
    responseStatus: outcome.status,
    error: outcome.error,
    durationMilliseconds: outcome.durationMilliseconds,
    updatedAt: at(second),
  };
}
const told = (delivery: Delivery) =>
  attemptLog(delivery).map(({ at: moment, isReplay, responseStatus }) => [
    moment.getUTCSeconds(),
    isReplay,
    responseStatus,
  ]);

describe('the log of a delivery', () => {
  it('costs nothing for a first attempt that went well, and tells of it all the same', () => {
    const delivered = tried(fresh, good, 1);
    expect(delivered.log).toEqual([]);
    expect(told(delivered)).toEqual([[1, false, 200]]);
    expect(told(fresh)).toEqual([]);
  });

  it('has every attempt, the first one of a delivery that is replayed later too', () => {
    expect(told(tried(tried(tried(fresh, bad, 1), bad, 31), good, 51))).toEqual([
      [1, false, 500],
      [31, false, 500],
      [51, false, 200],
    ]);
    expect(told(tried(tried(fresh, good, 1), bad, 9, true))).toEqual([
      [1, false, 200],
      [9, true, 500],
    ]);
  });

  it('tells of the first attempt once when two replays at once have told of it', () => {
    const delivered = tried(fresh, good, 1);
    const both = [2, 3].flatMap((second) => loggedAttempts(delivered, good, { at: at(second), isReplay: true }));
    expect(told({ ...delivered, replays: 2, log: both })).toEqual([
      [1, false, 200],
      [2, true, 200],
      [3, true, 200],
    ]);
  });

  it('ends at 50 entries, and knows the last attempt of a delivery that an earlier release tried', () => {
    let delivery = tried(fresh, bad, 1);
    for (let second = 2; second < 60; second += 1) delivery = tried(delivery, bad, second, true);
    expect(told(delivery)).toHaveLength(50);
    expect(told({ ...tried(fresh, bad, 5), tries: 3, log: [] })).toEqual([[5, false, 500]]);
  });
});
