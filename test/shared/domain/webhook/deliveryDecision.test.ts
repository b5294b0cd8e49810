import {
  type DeliveryState,
  decideDelivery,
  deferralSeconds,
  isAccepted,
} from '../../../../shared/domain/webhook/deliveryDecision.ts';

const now = new Date('2026-11-21T10:00:00.000Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);
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
    ['a fresh delivery is attempted', on, fresh, first, { kind: 'attempt' }],
    ['without a subscription everything goes', null, fresh, first, { kind: 'erase' }],
    ['without a delivery there is nothing to do', on, null, first, { kind: 'drop' }],
    ['a delivered one is left alone', on, { ...fresh, status: 'delivered' }, first, { kind: 'drop' }],
    ['a failed one is left alone', on, { ...fresh, status: 'failed' }, first, { kind: 'drop' }],
    ['a message that others have overtaken is dropped', on, { ...fresh, tries: 1 }, first, { kind: 'drop' }],
    [
      'unless it was received before: the retry it should have asked for may be lost',
      on,
      { ...fresh, tries: 1, nextAttemptAt: later(30) },
      { ...first, isRedelivered: true },
      { kind: 'later', at: later(30) },
    ],
    ['a retry waits for its time', on, { ...fresh, nextAttemptAt: later(2) }, first, { kind: 'later', at: later(2) }],
    ['to the second that SQS is exact to', on, { ...fresh, nextAttemptAt: later(1) }, first, { kind: 'attempt' }],
    ['a claim is waited for', on, { ...fresh, claimedUntil: later(20) }, first, { kind: 'later', at: later(20) }],
    ['and means nothing once it is over', on, { ...fresh, claimedUntil: later(-1) }, first, { kind: 'attempt' }],
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
  it('grows to ten minutes, spread over its second half', () => {
    const longest = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100].map((deferrals) => deferralSeconds(deferrals, 1));
    expect(longest).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
    const shortest = [0, 1, 2, 3, 10].map((deferrals) => deferralSeconds(deferrals, 0));
    expect(shortest).toEqual([1, 1, 2, 4, 300]);
  });
});
