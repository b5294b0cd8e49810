import {
  causesOf,
  changeOf,
  isTooOld,
  noEnrolment,
  refusalOf,
  runIdOf,
  runKeyHashOf,
  startByChange,
  wholeHash,
  withStart,
} from '../../../../shared/domain/automation/starting.ts';
import { leave } from '../../../../shared/domain/person/consent.ts';
import { newSubscriber, noPreferences, type Person } from '../../../../shared/domain/person/person.ts';

const now = new Date('2026-11-24T10:00:00Z');
const hoursLater = (hours: number) => new Date(now.getTime() + hours * 3_600_000);

describe('re-entry', () => {
  const open = withStart(noEnrolment, 'run_1', now, true);
  const over = { ...open, openRun: null };
  const refused = (own: typeof open, reentry: Parameters<typeof refusalOf>[1], at = now) =>
    refusalOf({ own, whole: own }, reentry, at);

  it('starts whoever was never in it', () => expect(refused(noEnrolment, 'once')).toBeNull());
  it('has one open run', () => expect(refused(open, 'always')).toBe('already_running'));
  it('is once by default', () => expect(refused(over, 'once', hoursLater(9999))).toBe('reentry'));
  it('may come back some days after the last start', () => {
    expect(refused(over, { after_days: 2 }, hoursLater(47.99))).toBe('reentry');
    expect(refused(over, { after_days: 2 }, hoursLater(48))).toBeNull();
  });
  it('starts twenty times a day, whatever the run key', () => {
    let whole = noEnrolment;
    for (let start = 0; start < 20; start += 1) {
      expect(refusalOf({ own: noEnrolment, whole }, 'always', now)).toBeNull();
      whole = withStart(whole, `run_${start}`, now, false);
    }
    expect(refusalOf({ own: noEnrolment, whole }, 'always', now)).toBe('too_many_starts');
    expect(refusalOf({ own: noEnrolment, whole }, 'always', hoursLater(14))).toBeNull();
    expect(whole.runs).toHaveLength(10);
    expect(whole.runs[0]).toBe('run_19');
  });
});

it('takes an event of the last day', () => {
  expect(isTooOld(now, hoursLater(24))).toBe(false);
  expect(isTooOld(now, hoursLater(24.01))).toBe(true);
});

it('names a run by what started it', () => {
  expect(runIdOf('auto_1', 'event_1', now)).toBe(runIdOf('auto_1', 'event_1', now));
  expect(runIdOf('auto_1', 'event_1', now)).not.toBe(runIdOf('auto_2', 'event_1', now));
});

it('tells values of a run key apart, and has one for none', () => {
  expect(runKeyHashOf('a')).not.toBe(runKeyHashOf('b'));
  for (const nothing of [undefined, null, '']) expect(runKeyHashOf(nothing)).toBe(wholeHash);
});

describe('a change of a person', () => {
  const subscribed: Person = {
    ...{ workspaceId: 'ws_1', email: 'ada@example.net', version: 1, suppression: null, confirmation: null },
    ...{ preferences: noPreferences, subscriber: newSubscriber('subscribed', now) },
  };
  const having = (change: Partial<NonNullable<Person['subscriber']>>): Person => ({
    ...subscribed,
    subscriber: { ...newSubscriber('subscribed', now), ...change },
  });
  const nobody = { ...subscribed, subscriber: null, version: 0 };

  it('is a subscription only when somebody becomes subscribed', () => {
    const pending = { ...subscribed, subscriber: newSubscriber('pending', now) };
    expect(changeOf(nobody, pending, false).subscribed).toBe(false);
    expect(changeOf(pending, subscribed, false).subscribed).toBe(true);
    expect(changeOf(subscribed, having({ tags: ['x'] }), false).subscribed).toBe(false);
  });

  it('starts by import only what asks for it', () => {
    const change = changeOf(nobody, subscribed, true);
    expect(startByChange({ source: 'subscribed' }, change)).toBeNull();
    expect(startByChange({ source: 'subscribed', include_imports: true }, change)).toEqual({});
  });

  it('adds a tag that was absent before', () => {
    const change = changeOf(having({ tags: ['a'] }), having({ tags: ['a', 'b'] }), false);
    expect(causesOf(change)).toEqual(['tag_added b']);
    expect(startByChange({ source: 'tag_added', tag: 'a' }, change)).toBeNull();
    expect(startByChange({ source: 'tag_added', tag: 'b' }, change)).toEqual({ tag: 'b' });
  });

  it('changes a field from one value to another', () => {
    const change = changeOf(
      having({ fields: { plan: 'free', n: 1 } }),
      having({ fields: { plan: 'pro', n: 1 } }),
      false,
    );
    const started = (own: object) => startByChange({ source: 'field_changed', field: 'plan', ...own }, change) !== null;
    expect(started({})).toBe(true);
    expect(started({ from: 'free', to: 'pro' })).toBe(true);
    expect(started({ to: 'free' })).toBe(false);
    expect(started({ from: 'pro' })).toBe(false);
    expect(startByChange({ source: 'field_changed', field: 'n' }, change)).toBeNull();
    const removed = changeOf(having({ fields: { plan: 'free' } }), having({}), false);
    expect(removed.changedFields).toEqual([{ name: 'plan', from: 'free', to: null }]);
  });

  it('is leaving once', () => {
    const left = leave(subscribed, 'unsubscribe', now);
    expect(changeOf(subscribed, left, false).left).toBe('unsubscribed');
    expect(changeOf(left, leave(left, 'complaint', now), false).left).toBeNull();
  });
});
