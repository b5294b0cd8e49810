import { inZone, isZone, parseWallTime, shownInZone, type ZonedTime } from '../../../shared/domain/zonedTime.ts';

function read(text: string, zone: string): ZonedTime {
  const wall = parseWallTime(text);
  if (!wall) throw new Error(`${text} is no time.`);
  return inZone(wall, zone);
}

const once = (at: string) => ({ kind: 'once', at: new Date(at) });

describe('a time in a zone', () => {
  // By the rules of the IANA time zone database.
  it.each([
    ['2026-12-01 09:00', 'Europe/Paris', '2026-12-01T08:00Z'],
    ['2026-07-01T09:00', 'Europe/Paris', '2026-07-01T07:00Z'],
    ['2026-12-01 09:00:30', 'America/New_York', '2026-12-01T14:00:30Z'],
    ['2026-07-01 00:00', 'Asia/Kathmandu', '2026-06-30T18:15Z'],
    ['2026-01-01 00:30', 'Pacific/Kiritimati', '2025-12-31T10:30Z'],
    ['2026-12-31 23:30', 'Pacific/Pago_Pago', '2027-01-01T10:30Z'],
    ['2026-02-28 12:00', 'UTC', '2026-02-28T12:00Z'],
  ])('%s in %s is %s', (text, zone, at) => {
    expect(read(text, zone)).toEqual(once(at));
  });

  it.each([
    ['2027-03-28 02:00', 'Europe/Paris', '2027-03-28T01:00Z'],
    ['2027-03-28 02:59:59', 'Europe/Paris', '2027-03-28T01:59:59Z'],
    // Lord Howe Island moves its clocks by half an hour.
    ['2026-10-04 02:15', 'Australia/Lord_Howe', '2026-10-03T15:45Z'],
    // Samoa skipped a whole day.
    ['2011-12-30 09:00', 'Pacific/Apia', '2011-12-30T19:00Z'],
  ])('%s in %s never occurs', (text, zone, instead) => {
    expect(read(text, zone)).toEqual({ kind: 'gap', instead: new Date(instead) });
  });

  it('is exact right before and right after a change of the clocks', () => {
    expect(read('2027-03-28 01:59:59', 'Europe/Paris')).toEqual(once('2027-03-28T00:59:59Z'));
    expect(read('2027-03-28 03:00', 'Europe/Paris')).toEqual(once('2027-03-28T01:00Z'));
  });

  it.each([
    ['2026-10-25 02:00', 'Europe/Paris', '2026-10-25T00:00Z', '2026-10-25T01:00Z'],
    ['2026-10-25 02:59:59', 'Europe/Paris', '2026-10-25T00:59:59Z', '2026-10-25T01:59:59Z'],
    ['2026-11-01 01:30', 'America/New_York', '2026-11-01T05:30Z', '2026-11-01T06:30Z'],
    ['2027-04-04 01:45', 'Australia/Lord_Howe', '2027-04-03T14:45Z', '2027-04-03T15:15Z'],
  ])('%s in %s occurs twice', (text, zone, first, second) => {
    expect(read(text, zone)).toEqual({ kind: 'fold', at: new Date(first), later: new Date(second) });
  });

  it.each([
    ['Europe/Paris', '2027-03-26'],
    ['Europe/Paris', '2026-10-23'],
    ['Australia/Lord_Howe', '2027-04-02'],
    ['America/St_Johns', '2026-10-30'],
  ])('of %s is printed as it was read, for every quarter of an hour from %s on', (zone, day) => {
    const start = Date.parse(day);
    for (let at = start; at < start + 4 * 86_400_000; at += 900_000) {
      const found = read(shownInZone(new Date(at), zone).slice(0, 16), zone);
      const times = found.kind === 'fold' ? [found.at, found.later] : found.kind === 'once' ? [found.at] : [];
      expect(times.map((time) => time.getTime())).toContain(at);
    }
  });
});

describe('an invalid time or zone', () => {
  it.each(['2026-02-30 09:00', '2026-02-20 24:00', '2026-02-20 23:60', '2026-2-20 9:00', '2026-02-20', 'tomorrow', ''])(
    '%j',
    (text) => {
      expect(parseWallTime(text)).toBeNull();
    },
  );

  it.each(['+01:00', 'CET', 'EST', 'Mars/Base', '', 'Europe/'])('%j', (name) => {
    expect(isZone(name)).toBe(false);
  });
});
