import {
  applyFeedback,
  claimConfirmation,
  confirm,
  isClaimed,
  isInAudience,
  leave,
  markConfirmationSent,
  mayRepeat,
  noteRefusal,
  repeatConfirmation,
  requestConfirmation,
  withoutExpired,
  withRefusalsOf,
} from '../../../../shared/domain/person/consent.ts';
import {
  newSubscriber,
  noPreferences,
  type Person,
  type SubscriberStatus,
  type SuppressionReason,
  subscriberStatuses,
  suppressionReasons,
} from '../../../../shared/domain/person/person.ts';

const start = new Date('2026-11-21T10:00:00.000Z');
const plus = (seconds: number) => new Date(start.getTime() + seconds * 1000);

function person(status: SubscriberStatus | null, reason?: SuppressionReason): Person {
  return {
    workspaceId: 'ws_1',
    email: 'ada@example.net',
    preferences: noPreferences,
    version: 1,
    subscriber: status && { ...newSubscriber('subscribed', start), status },
    suppression: reason ? { reason, at: start.toISOString() } : null,
    confirmation: null,
  };
}

describe('leave', () => {
  it.each(subscriberStatuses)('moves %s to unsubscribed and suppresses', (status) => {
    const left = leave(person(status), 'unsubscribe', plus(60));
    expect(left.subscriber?.status).toBe('unsubscribed');
    expect(left.suppression).toEqual({ reason: 'unsubscribe', at: plus(60).toISOString() });
    expect(isInAudience(left)).toBe(false);
  });

  it('changes nothing the second time, so that nothing is written and no event emitted', () => {
    const left = leave(person('subscribed'), 'unsubscribe', plus(60));
    expect(leave(left, 'unsubscribe', plus(120))).toBe(left);
    expect(leave(left, 'manual', plus(120))).toBe(left);
  });

  it('suppresses an address without creating a subscriber', () => {
    const left = leave(person(null), 'manual', start);
    expect([left.subscriber, left.suppression?.reason]).toEqual([null, 'manual']);
  });

  it('withdraws an open request for consent', () => {
    const requested = requestConfirmation(person('pending'), 'c1', start);
    expect(confirm(leave(requested, 'unsubscribe', plus(60)), 'c1', plus(90))[0]).toBe('refused');
  });
});

describe('suppression', () => {
  it('keeps the first date and the higher-ranking reason: complaint, bounce, unsubscribe, manual', () => {
    const order = ['manual', 'unsubscribe', 'bounce', 'complaint'];
    for (const first of suppressionReasons) {
      for (const second of suppressionReasons) {
        const both = leave(leave(person(null), first, start), second, plus(60));
        const higher = order.indexOf(second) > order.indexOf(first) ? second : first;
        expect(both.suppression).toEqual({ reason: higher, at: start.toISOString() });
      }
    }
  });
});

describe('applyFeedback', () => {
  it.each([
    ['pending', 'bounce', 'bounced'],
    ['subscribed', 'bounce', 'bounced'],
    ['subscribed', 'complaint', 'complained'],
    ['unsubscribed', 'bounce', 'bounced'],
    ['bounced', 'complaint', 'complained'],
    ['complained', 'bounce', 'complained'],
  ] as const)('moves %s on a %s to %s', (status, reason, expected) => {
    const suppressed = status === 'complained' ? 'complaint' : status === 'bounced' ? 'bounce' : undefined;
    const moved = applyFeedback(person(status, suppressed), reason, plus(60));
    expect(moved.subscriber?.status).toBe(expected);
  });

  it('changes nothing when repeated, even for a person who unsubscribed in between', () => {
    const bounced = applyFeedback(person('subscribed'), 'bounce', plus(1));
    expect(applyFeedback(bounced, 'bounce', plus(2))).toBe(bounced);
    const left = leave(bounced, 'unsubscribe', plus(3));
    expect(left.subscriber?.status).toBe('unsubscribed');
    expect(applyFeedback(left, 'bounce', plus(4))).toBe(left);
  });
});

describe('confirm', () => {
  const requested = requestConfirmation(person('pending'), 'c1', start);

  it('subscribes, with the time of the consent', () => {
    const [outcome, confirmed] = confirm(requested, 'c1', plus(60));
    expect(outcome).toBe('confirmed');
    expect(confirmed.subscriber).toMatchObject({ status: 'subscribed', confirmedAt: plus(60).toISOString() });
    expect(confirm(confirmed, 'c1', plus(90))).toEqual(['already_confirmed', confirmed]);
    expect(isInAudience(confirmed)).toBe(true);
  });

  it.each([
    ['unsubscribe', 'confirmed', null],
    ['manual', 'confirmed', null],
    ['bounce', 'refused', 'bounce'],
    ['complaint', 'refused', 'complaint'],
  ] as const)('with a suppression for %s: %s', (reason, expected, left) => {
    const waiting = requestConfirmation(person('unsubscribed', reason), 'c1', start);
    const [outcome, confirmed] = confirm(waiting, 'c1', plus(60));
    expect([outcome, confirmed.suppression?.reason ?? null]).toEqual([expected, left]);
  });

  it('refuses a link of another request, and an unknown person', () => {
    expect(confirm(requested, 'c0', start)[0]).toBe('refused');
    expect(confirm(requested, undefined, start)[0]).toBe('refused');
    expect(confirm(person(null), 'c1', start)[0]).toBe('unknown');
  });

  it('does not subscribe again by an old link after the person has left', () => {
    const [, confirmed] = confirm(requested, 'c1', plus(60));
    expect(confirm(leave(confirmed, 'unsubscribe', plus(90)), 'c1', plus(120))[0]).toBe('refused');
  });

  it('accepts the links of every round of a request', () => {
    const [first] = [requested.confirmation];
    if (!first) throw new Error('No confirmation.');
    const again = repeatConfirmation(requested, first, plus(4000));
    expect(again.confirmation).toMatchObject({ id: 'c1', round: 2, sentAt: null });
    expect(confirm(again, 'c1', plus(4100))[0]).toBe('confirmed');
  });
});

describe('the rounds of a confirmation', () => {
  const requested = requestConfirmation(person('pending'), 'c1', start);
  const open = requested.confirmation;
  if (!open) throw new Error('No confirmation.');

  it('may be repeated after more than an hour', () => {
    expect(mayRepeat(open, plus(3600))).toBe(false);
    expect(mayRepeat(open, plus(3601))).toBe(true);
  });

  it('are claimed by one process; after a crash the claim ends by itself', () => {
    const claimed = claimConfirmation(requested, open, false, plus(1));
    if (!claimed.confirmation) throw new Error('No confirmation.');
    const { confirmation } = claimed;
    expect([300, 301].map((seconds) => isClaimed(confirmation, plus(seconds)))).toEqual([true, false]);
  });

  it('are due until they are sent, and are distinguished by their number', () => {
    expect(open.dueAt).not.toBeNull();
    expect(markConfirmationSent(requested, 'c1', 1, plus(5)).confirmation?.dueAt).toBeNull();
    expect(markConfirmationSent(requested, 'c1', 2, plus(5))).toBe(requested);
    expect(markConfirmationSent(requested, 'c0', 1, plus(5))).toBe(requested);
  });

  it('have the claim of the latest caller, or else that of the one before', () => {
    const claim = { how: 'api', by: 'key_1' } as const;
    const claimed = requestConfirmation(person('pending'), 'c1', start, claim);
    const before = claimed.confirmation ?? open;
    expect(repeatConfirmation(claimed, before, plus(3601)).confirmation).toMatchObject({ round: 2, claim });
    const latest = { how: 'form', form: 'f1' } as const;
    expect(repeatConfirmation(claimed, before, plus(3601), latest).confirmation?.claim).toEqual(latest);
  });

  it('keep a sign-up for as long as one of their messages is young', () => {
    const sent = markConfirmationSent(requested, 'c1', 1, plus(5));
    expect(withoutExpired(sent, plus(5))).toBe(sent);
    expect(withoutExpired(sent, new Date(plus(5).getTime() + 1))).toMatchObject({
      subscriber: null,
      confirmation: null,
    });
  });

  it('wait an hour after a refusal, and end when their link expires', () => {
    expect(noteRefusal(requested, 'c1', 1, plus(60)).confirmation).toMatchObject({
      dueAt: plus(3660).toISOString(),
      isEndKnown: true,
    });
    expect(noteRefusal(requested, 'c1', 1, plus(7 * 86_400 + 1)).confirmation).toBeNull();
  });
});

describe('withRefusalsOf', () => {
  const statuses = [null, ...subscriberStatuses];
  const reasons = [undefined, ...suppressionReasons];
  const everybody = statuses.flatMap((status) => reasons.map((reason) => person(status, reason)));

  it('lets nobody get mail whom either record keeps from it, and changes nothing a second time', () => {
    for (const own of everybody) {
      for (const other of everybody) {
        const both = withRefusalsOf(own, other);
        const isOut = other.subscriber && !['pending', 'subscribed'].includes(other.subscriber.status);
        if (!isInAudience(own) || other.suppression || isOut) expect(isInAudience(both)).toBe(false);
        else expect(both).toBe(own);
        expect(both.subscriber === null).toBe(own.subscriber === null);
        expect(withRefusalsOf(both, other)).toBe(both);
      }
    }
  });

  it('keeps the dates of the decision, and the higher reason', () => {
    const left = {
      ...person('unsubscribed', 'unsubscribe'),
      suppression: { reason: 'unsubscribe', at: plus(9).toISOString() },
    } as Person;
    const after = withRefusalsOf(person('subscribed'), left);
    expect(after.suppression).toEqual(left.suppression);
    expect(after.subscriber).toMatchObject({ status: 'unsubscribed', unsubscribedAt: plus(9).toISOString() });
    expect(withRefusalsOf(person('complained', 'complaint'), left).suppression?.reason).toBe('complaint');
  });

  it('joins the topics that were left, and a refusal of tracking', () => {
    const own = {
      ...person('subscribed'),
      preferences: { ...noPreferences, opens: 'granted', leftTags: ['a:1'] } as const,
    };
    const other = {
      ...person('subscribed'),
      preferences: { ...noPreferences, clicks: 'denied', leftTags: ['a:1', 'b:2'] } as const,
    };
    expect(withRefusalsOf(own, other).preferences).toEqual({
      opens: 'granted',
      clicks: 'denied',
      leftTags: ['a:1', 'b:2'],
    });
    expect(withRefusalsOf(other, own)).toBe(other);
  });
});
