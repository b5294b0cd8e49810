import {
  delayEnd,
  isTooLate,
  nextDate,
  quietUntil,
  storedDuration,
  zoneOf,
} from '../../../../../shared/domain/automation/internal/timing.ts';
import { momentAt, parseWallTime } from '../../../../../shared/domain/zonedTime.ts';

const paris = 'Europe/Paris';
const at = (text: string) => new Date(text);
const iso = (date: Date | 'exit' | null) => (date instanceof Date ? date.toISOString() : date);

describe('durations', () => {
  it.each([
    ['1 minute', 60_000],
    ['30 minutes', 1_800_000],
    ['3 days', 259_200_000],
    ['2 weeks', 1_209_600_000],
  ])('%s', (text, milliseconds) => expect(storedDuration(text)).toBe(milliseconds));

  it.each(['3 months', '3days', '-1 day', '1.5 hours', ''])('"%s" is none', (text) =>
    expect(storedDuration(text)).toBe(0),
  );
});

describe('local times', () => {
  const moment = (text: string, zone: string) => momentAt(parseWallTime(text) ?? { asUtc: 0 }, zone).toISOString();

  it('takes the moment after a time that the clocks skip', () => {
    expect(moment('2026-03-29 02:30', paris)).toBe('2026-03-29T01:00:00.000Z');
    expect(moment('2026-03-29 02:00', paris)).toBe('2026-03-29T01:00:00.000Z');
    // Half an hour is skipped here.
    expect(moment('2026-10-04 02:10', 'Australia/Lord_Howe')).toBe('2026-10-03T15:30:00.000Z');
  });

  it('takes the first of a time that comes twice', () =>
    expect(moment('2026-10-25 02:30', paris)).toBe('2026-10-25T00:30:00.000Z'));
});

describe('the end of a delay', () => {
  const from = at('2026-11-24T10:00:00Z');

  it('adds a duration', () => expect(iso(delayEnd({ duration: '3 days' }, from, {}))).toBe('2026-11-27T10:00:00.000Z'));

  it('takes the next time of day, this very moment included', () => {
    const until = { time: '11:00', zone: paris };
    expect(iso(delayEnd({ until }, from, {}))).toBe('2026-11-24T10:00:00.000Z');
    expect(iso(delayEnd({ until }, at('2026-11-24T10:00:01Z'), {}))).toBe('2026-11-25T10:00:00.000Z');
  });

  it('takes the next of some weekdays after a duration', () => {
    const until = { time: '09:00', zone: paris, weekdays: ['monday', 'thursday'] as const };
    expect(iso(delayEnd({ until }, from, {}))).toBe('2026-11-26T08:00:00.000Z');
    expect(iso(delayEnd({ duration: '3 days', until }, from, {}))).toBe('2026-11-30T08:00:00.000Z');
    // The same weekday, when its time is over: a week later.
    const tuesday = { time: '09:00', zone: paris, weekdays: ['tuesday'] as const };
    expect(iso(delayEnd({ until: tuesday }, from, {}))).toBe('2026-12-01T08:00:00.000Z');
  });

  it('takes the person’s own zone where it is one', () => {
    const until = { time: '09:00', zone: paris, zone_field: 'zone' };
    expect(iso(delayEnd({ until }, from, { zone: 'America/New_York' }))).toBe('2026-11-24T14:00:00.000Z');
    expect(zoneOf(paris, 'zone', { zone: 'Mars/Olympus' })).toBe(paris);
    expect(zoneOf(paris, 'zone', { zone: 7 })).toBe(paris);
  });

  it('keeps the time of day over a change of the clocks', () => {
    const until = { time: '02:30', zone: paris };
    expect(iso(delayEnd({ until }, at('2026-03-28T12:00:00Z'), {}))).toBe('2026-03-29T01:00:00.000Z');
  });

  it('follows a date of the person, and says what to do without one', () => {
    const until_field = { field: 'trial_end', offset_days: -3, at: '09:00', zone: paris, if_missing: 'exit' as const };
    expect(iso(delayEnd({ until_field }, from, { trial_end: '2026-12-10' }))).toBe('2026-12-07T08:00:00.000Z');
    for (const fields of [{}, { trial_end: 'soon' }, { trial_end: '2026-02-30' }, { trial_end: 5 }])
      expect(delayEnd({ until_field }, from, fields)).toBe('exit');
    expect(delayEnd({ until_field: { ...until_field, if_missing: 'continue' } }, from, {})).toEqual(from);
  });
});

describe('quiet hours', () => {
  const night = { from: '21:00', to: '08:00', zone: paris };
  it.each([
    ['2026-11-24T19:59:59Z', null],
    ['2026-11-24T20:00:00Z', '2026-11-25T07:00:00.000Z'],
    ['2026-11-25T06:59:59Z', '2026-11-25T07:00:00.000Z'],
    ['2026-11-25T07:00:00Z', null],
  ])('over midnight, at %s', (now, end) => expect(iso(quietUntil(night, at(now), {}))).toBe(end));

  it('within a day', () => {
    const noon = { from: '12:00', to: '14:00', zone: 'UTC' };
    expect(iso(quietUntil(noon, at('2026-11-24T12:30:00Z'), {}))).toBe('2026-11-24T14:00:00.000Z');
    expect(quietUntil(noon, at('2026-11-24T11:59:00Z'), {})).toBeNull();
  });

  it('ends where clocks skip its end', () => {
    const skipped = { from: '01:00', to: '02:30', zone: paris };
    expect(iso(quietUntil(skipped, at('2026-03-29T00:30:00Z'), {}))).toBe('2026-03-29T01:00:00.000Z');
  });

  it('is never quiet without hours', () => {
    expect(quietUntil(null, at('2026-11-24T12:00:00Z'), {})).toBeNull();
    expect(quietUntil({ from: '08:00', to: '08:00', zone: paris }, at('2026-11-24T07:00:00Z'), {})).toBeNull();
  });
});

it('is too late only beyond the limit', () => {
  const due = at('2026-11-24T10:00:00Z');
  expect(isTooLate('1 hour', due, at('2026-11-24T11:00:00Z'))).toBe(false);
  expect(isTooLate('1 hour', due, at('2026-11-24T11:00:01Z'))).toBe(true);
  expect(isTooLate(null, due, at('2027-11-24T11:00:01Z'))).toBe(false);
});

describe('the date of a person', () => {
  const date = { field: 'day', at: '09:00', zone: 'UTC' };
  const yearly = { ...date, every: 'year' as const };
  const after = at('2026-11-24T10:00:00Z');

  it('comes once, and not when it is past', () => {
    expect(iso(nextDate(date, { day: '2026-12-01' }, after))).toBe('2026-12-01T09:00:00.000Z');
    expect(nextDate(date, { day: '2026-11-24' }, after)).toBeNull();
    expect(nextDate(date, {}, after)).toBeNull();
  });

  it('comes back each year from its own on', () => {
    expect(iso(nextDate(yearly, { day: '1990-11-25' }, after))).toBe('2026-11-25T09:00:00.000Z');
    expect(iso(nextDate(yearly, { day: '1990-11-24' }, after))).toBe('2027-11-24T09:00:00.000Z');
    expect(iso(nextDate(yearly, { day: '2040-01-01' }, after))).toBe('2040-01-01T09:00:00.000Z');
  });

  it('takes the 28th for 29 February in other years', () => {
    const born = { day: '2000-02-29' };
    expect(iso(nextDate(yearly, born, after))).toBe('2027-02-28T09:00:00.000Z');
    expect(iso(nextDate(yearly, born, at('2027-12-01T00:00:00Z')))).toBe('2028-02-29T09:00:00.000Z');
  });

  it('may lie a year away from its day', () => {
    const late = { ...yearly, offset_days: 365 };
    expect(iso(nextDate(late, { day: '1990-12-01' }, after))).toBe('2026-12-01T09:00:00.000Z');
    const early = { ...yearly, offset_days: -365 };
    expect(iso(nextDate(early, { day: '1990-12-01' }, after))).toBe('2026-12-01T09:00:00.000Z');
  });
});
