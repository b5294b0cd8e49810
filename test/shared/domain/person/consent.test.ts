import {
  claimConfirmation,
  isClaimed,
  markConfirmationSent,
  mayRepeat,
  noteRefusal,
  repeatConfirmation,
  requestConfirmation,
} from '../../../../shared/domain/person/confirmation.ts';
import { applyFeedback, confirm, isInAudience, leave } from '../../../../shared/domain/person/consent.ts';
import { noPreferences } from '../../../../shared/domain/person/preferences.ts';
import { type Person, type SubscriberStatus, subscriberStatuses } from '../../../../shared/domain/person/subscriber.ts';
import { newSubscriber } from '../../../../shared/domain/person/subscriberValues.ts';
import { type SuppressionReason, suppressionReasons } from '../../../../shared/domain/person/suppression.ts';

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

  it('changes nothing the second time, so that nothing is written and no event is told', () => {
    const left = leave(person('subscribed'), 'unsubscribe', plus(60));
    expect(leave(left, 'unsubscribe', plus(120))).toBe(left);
    expect(leave(left, 'manual', plus(120))).toBe(left);
  });

  it('suppresses an address that is no subscriber, and makes none of it', () => {
    const left = leave(person(null), 'manual', start);
    expect([left.subscriber, left.suppression?.reason]).toEqual([null, 'manual']);
  });

  it('makes an open question void', () => {
    const asked = requestConfirmation(person('pending'), 'c1', start);
    expect(confirm(leave(asked, 'unsubscribe', plus(60)), 'c1', plus(90))[0]).toBe('refused');
  });
});

describe('suppression', () => {
  it('keeps the first date and the higher reason: complaint, bounce, unsubscribe, manual', () => {
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
  ] as const)('moves %s on a %s to %s', (status, reason, wanted) => {
    const suppressed = status === 'complained' ? 'complaint' : status === 'bounced' ? 'bounce' : undefined;
    const moved = applyFeedback(person(status, suppressed), reason, plus(60));
    expect(moved.subscriber?.status).toBe(wanted);
  });

  it('told twice changes nothing, not even for somebody who was taken out in between', () => {
    const bounced = applyFeedback(person('subscribed'), 'bounce', plus(1));
    expect(applyFeedback(bounced, 'bounce', plus(2))).toBe(bounced);
    const left = leave(bounced, 'unsubscribe', plus(3));
    expect(left.subscriber?.status).toBe('unsubscribed');
    expect(applyFeedback(left, 'bounce', plus(4))).toBe(left);
  });
});

describe('confirm', () => {
  const asked = requestConfirmation(person('pending'), 'c1', start);

  it('subscribes, with the moment of the consent', () => {
    const [outcome, confirmed] = confirm(asked, 'c1', plus(60));
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
  ] as const)('with a suppression for %s: %s', (reason, wanted, left) => {
    const waiting = requestConfirmation(person('unsubscribed', reason), 'c1', start);
    const [outcome, confirmed] = confirm(waiting, 'c1', plus(60));
    expect([outcome, confirmed.suppression?.reason ?? null]).toEqual([wanted, left]);
  });

  it('refuses a link of another request, and knows nobody who is not there', () => {
    expect(confirm(asked, 'c0', start)[0]).toBe('refused');
    expect(confirm(asked, undefined, start)[0]).toBe('refused');
    expect(confirm(person(null), 'c1', start)[0]).toBe('unknown');
  });

  it('does not bring back with an old link somebody who confirmed and left', () => {
    const [, confirmed] = confirm(asked, 'c1', plus(60));
    expect(confirm(leave(confirmed, 'unsubscribe', plus(90)), 'c1', plus(120))[0]).toBe('refused');
  });

  it('takes the links of every round of one request', () => {
    const [first] = [asked.confirmation];
    if (!first) throw new Error('No confirmation.');
    const again = repeatConfirmation(asked, first, plus(4000));
    expect(again.confirmation).toMatchObject({ id: 'c1', round: 2, sentAt: null });
    expect(confirm(again, 'c1', plus(4100))[0]).toBe('confirmed');
  });
});

describe('the rounds of a confirmation', () => {
  const asked = requestConfirmation(person('pending'), 'c1', start);
  const open = asked.confirmation;
  if (!open) throw new Error('No confirmation.');

  it('may be repeated after more than an hour', () => {
    expect(mayRepeat(open, plus(3600))).toBe(false);
    expect(mayRepeat(open, plus(3601))).toBe(true);
  });

  it('are claimed by one worker; a dead one keeps the others out for a minute', () => {
    const claimed = claimConfirmation(asked, open, false, plus(1));
    if (!claimed.confirmation) throw new Error('No confirmation.');
    const { confirmation } = claimed;
    expect([300, 301].map((seconds) => isClaimed(confirmation, plus(seconds)))).toEqual([true, false]);
  });

  it('are due until they are sent, and a later round is not taken for an earlier one', () => {
    expect(open.dueAt).not.toBeNull();
    expect(markConfirmationSent(asked, 'c1', 1, plus(5)).confirmation?.dueAt).toBeNull();
    expect(markConfirmationSent(asked, 'c1', 2, plus(5))).toBe(asked);
    expect(markConfirmationSent(asked, 'c0', 1, plus(5))).toBe(asked);
  });

  it('wait an hour when they cannot leave, and are given up with their link', () => {
    expect(noteRefusal(asked, 'c1', 1, plus(60)).confirmation).toMatchObject({
      dueAt: plus(3660).toISOString(),
      isEndKnown: true,
    });
    expect(noteRefusal(asked, 'c1', 1, plus(7 * 86_400 + 1)).confirmation).toBeNull();
  });
});
