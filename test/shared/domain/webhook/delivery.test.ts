import { isId } from '../../../../shared/domain/identifier.ts';
import {
  type AttemptOutcome,
  attemptLog,
  attemptsOf,
  type Delivery,
  type DeliveryState,
  decideDelivery,
  deferralSeconds,
  deliveriesOf,
  isAccepted,
  isHeld,
  loggedAttempts,
  type NewEvent,
  newDelivery,
  nextAttemptAt,
} from '../../../../shared/domain/webhook/delivery.ts';
import { newWebhook } from '../../../../shared/domain/webhook/webhook.ts';

const now = new Date('2026-11-21T10:00:00.000Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
const webhook = (webhookId: string, fields: { enabled?: boolean; events?: NewEvent['type'][] } = {}) =>
  newWebhook(
    { workspaceId: 'ws_1', webhookId },
    { name: 'Test', url: 'https://example.com/', enabled: true, events: ['email.delivered'], ...fields },
    'sealed',
    now,
  );
const event = (cause: string, at = now): NewEvent => ({ type: 'email.delivered', cause, at, data: { n: 1 } });
const deliveriesFor = (happened: NewEvent, ...webhooks: ReturnType<typeof webhook>[]) =>
  deliveriesOf('ws_1', happened, webhooks, later(5));

describe('the deliveries of an event', () => {
  it('go to each webhook that subscribed to its type, with the same body', () => {
    const other = webhook('whk_3', { events: ['email.bounced'] });
    const deliveries = deliveriesFor(event('a'), webhook('whk_1'), webhook('whk_2'), other);
    expect(deliveries.map(({ webhookId }) => webhookId)).toEqual(['whk_1', 'whk_2']);
    expect(new Set(deliveries.map(({ deliveryId }) => deliveryId)).size).toBe(2);
    expect(new Set(deliveries.map(({ body }) => body)).size).toBe(1);
    const [{ eventId = '', body = '' } = {}] = deliveries;
    expect(JSON.parse(body)).toEqual({
      id: eventId,
      type: 'email.delivered',
      created_at: now.toISOString(),
      data: { n: 1 },
    });
    expect(deliveriesFor(event('a'), other)).toEqual([]);
  });

  it('are the same when the event is reported again later', () => {
    const [first] = deliveriesFor(event('a'), webhook('whk_1'));
    const [again] = deliveriesOf('ws_1', event('a'), [webhook('whk_1')], later(500));
    expect(again).toEqual({ ...first, dueAt: later(500) });
  });

  it('have ids that sort by the time of the event, as its own id does', () => {
    const times = [0, 0.001, 0.002, 1, 60, 86_400, 40_000_000];
    const deliveries = times.map((seconds) => deliveriesFor(event('same cause', later(seconds)), webhook('whk_1'))[0]);
    for (const ids of [deliveries.map((one) => one?.eventId ?? ''), deliveries.map((one) => one?.deliveryId ?? '')]) {
      expect([...ids].sort()).toEqual(ids);
      expect(new Set(ids).size).toBe(times.length);
    }
    expect(isId('evt', deliveries[0]?.eventId ?? '')).toBe(true);
    expect(isId('whd', deliveries[0]?.deliveryId ?? '')).toBe(true);
  });

  it('differ with the cause', () => {
    const ids = ['a', 'b', 'c'].map((cause) => deliveriesFor(event(cause), webhook('whk_1'))[0]?.eventId);
    expect(new Set(ids).size).toBe(3);
  });

  it('are due at once, or held back for as long as retries would take', () => {
    const [due, held] = deliveriesFor(event('a'), webhook('whk_1'), webhook('whk_2', { enabled: false }));
    expect(due).toMatchObject({ status: 'pending', tries: 0, error: null, dueAt: later(5), createdAt: now });
    expect(held).toMatchObject({ status: 'pending', error: 'held', dueAt: later(4350) });
    expect([due && isHeld(due), held && isHeld(held)]).toEqual([false, true]);
    expect(due && attemptsOf(due)).toBe(0);
  });
});

const fresh: DeliveryState = {
  status: 'pending',
  tries: 0,
  createdAt: now,
  nextAttemptAt: null,
  claimedUntil: null,
};
const first = { tries: 0, isRedelivered: false };
const on = { enabled: true };
const off = { enabled: false };

describe('decideDelivery', () => {
  it.each([
    ['a new delivery is attempted', on, fresh, first, { kind: 'attempt' }],
    ['without a webhook the log is erased', null, fresh, first, { kind: 'erase' }],
    ['without a delivery there is nothing to do', on, null, first, { kind: 'drop' }],
    ['a delivered one is left alone', on, { ...fresh, status: 'delivered' }, first, { kind: 'drop' }],
    ['a failed one is left alone', on, { ...fresh, status: 'failed' }, first, { kind: 'drop' }],
    ['a message for an earlier attempt is dropped', on, { ...fresh, tries: 1 }, first, { kind: 'drop' }],
    [
      'unless it is a redelivery: the message for the retry may be lost',
      on,
      { ...fresh, tries: 1, nextAttemptAt: later(30) },
      { ...first, isRedelivered: true },
      { kind: 'later', at: later(30) },
    ],
    ['a retry waits for its time', on, { ...fresh, nextAttemptAt: later(2) }, first, { kind: 'later', at: later(2) }],
    ['with the precision of SQS, one second', on, { ...fresh, nextAttemptAt: later(1) }, first, { kind: 'attempt' }],
    ['a claim is waited for', on, { ...fresh, claimedUntil: later(20) }, first, { kind: 'later', at: later(20) }],
    ['an expired claim is ignored', on, { ...fresh, claimedUntil: later(-1) }, first, { kind: 'attempt' }],
    ['disabled: held back', off, fresh, first, { kind: 'hold', until: later(4350) }],
    [
      'disabled: held back as long as retries go on',
      off,
      { ...fresh, createdAt: later(-4349) },
      first,
      { kind: 'hold', until: later(1) },
    ],
    ['disabled: then given up', off, { ...fresh, createdAt: later(-4350) }, first, { kind: 'abandon' }],
  ] as const)('%s', (_, subscription, delivery, message, expected) => {
    expect(decideDelivery(subscription, delivery, message, now)).toEqual(expected);
  });
});

describe('isAccepted', () => {
  it.each([
    [199, false],
    [200, true],
    [299, true],
    [300, false],
  ])('%d: %s', (status, expected) => {
    expect(isAccepted(status)).toBe(expected);
  });
});

describe('deferralSeconds', () => {
  it('grows to ten minutes, spread over the second half', () => {
    const longest = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100].map((deferrals) => deferralSeconds(deferrals, 1));
    expect(longest).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
    const shortest = [0, 1, 2, 3, 10].map((deferrals) => deferralSeconds(deferrals, 0));
    expect(shortest).toEqual([1, 1, 2, 4, 300]);
  });
});

describe('nextAttemptAt', () => {
  it.each([
    [1, '2026-11-21T10:00:30.000Z'],
    [2, '2026-11-21T10:02:00.000Z'],
    [3, '2026-11-21T10:10:00.000Z'],
    [4, '2026-11-21T11:00:00.000Z'],
  ])('after attempt %d it is %s', (attempts, expected) => {
    expect(nextAttemptAt(attempts, now)?.toISOString()).toBe(expected);
  });

  it.each([5, 6, 0, -1])('after attempt %d there is none', (attempts) => {
    expect(nextAttemptAt(attempts, now)).toBeNull();
  });
});

const at = (second: number) => new Date(Date.UTC(2026, 10, 21, 10, 0, second));
const good: AttemptOutcome = { accepted: true, status: 200, body: 'ok', error: null, durationMilliseconds: 10 };
const bad: AttemptOutcome = { accepted: false, status: 500, body: '', error: 'status', durationMilliseconds: 20 };
const position = { workspaceId: 'ws_1', webhookId: 'whk_1', deliveryId: 'whd_1' };
const untried = newDelivery(position, { eventId: 'evt_1', eventType: 'email.delivered', body: '{}', createdAt: at(0) });

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
const attemptsIn = (delivery: Delivery) =>
  attemptLog(delivery).map(({ at: moment, isReplay, responseStatus }) => [
    moment.getUTCSeconds(),
    isReplay,
    responseStatus,
  ]);

describe('the log of a delivery', () => {
  it('stores nothing for a successful first attempt, and lists it all the same', () => {
    const delivered = tried(untried, good, 1);
    expect(delivered.log).toEqual([]);
    expect(attemptsIn(delivered)).toEqual([[1, false, 200]]);
    expect(attemptsIn(untried)).toEqual([]);
  });

  it('has every attempt, including the first one of a delivery that is replayed later', () => {
    expect(attemptsIn(tried(tried(tried(untried, bad, 1), bad, 31), good, 51))).toEqual([
      [1, false, 500],
      [31, false, 500],
      [51, false, 200],
    ]);
    expect(attemptsIn(tried(tried(untried, good, 1), bad, 9, true))).toEqual([
      [1, false, 200],
      [9, true, 500],
    ]);
  });

  it('lists the first attempt once when two simultaneous replays logged it', () => {
    const delivered = tried(untried, good, 1);
    const both = [2, 3].flatMap((second) => loggedAttempts(delivered, good, { at: at(second), isReplay: true }));
    expect(attemptsIn({ ...delivered, replays: 2, log: both })).toEqual([
      [1, false, 200],
      [2, true, 200],
      [3, true, 200],
    ]);
  });

  it('ends at 50 entries, and lists the last attempt of a record without a log', () => {
    let delivery = tried(untried, bad, 1);
    for (let second = 2; second < 60; second += 1) delivery = tried(delivery, bad, second, true);
    expect(attemptsIn(delivery)).toHaveLength(50);
    expect(attemptsIn({ ...tried(untried, bad, 5), tries: 3, log: [] })).toEqual([[5, false, 500]]);
  });
});
