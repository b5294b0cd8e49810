import { isFailingTooLong, isSlow } from '../../../../shared/domain/webhook/webhook.ts';

const now = new Date('2026-11-21T10:00:00.000Z');
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000);

describe('isFailingTooLong', () => {
  it('is true from the third day on', () => {
    expect(isFailingTooLong({ failingSince: null }, now)).toBe(false);
    expect(isFailingTooLong({ failingSince: later(-3 * 86_400 + 1) }, now)).toBe(false);
    expect(isFailingTooLong({ failingSince: later(-3 * 86_400) }, now)).toBe(true);
  });
});

describe('isSlow', () => {
  it('is true until `slowUntil`', () => {
    expect(isSlow({ slowUntil: null }, now)).toBe(false);
    expect(isSlow({ slowUntil: later(1) }, now)).toBe(true);
    expect(isSlow({ slowUntil: now }, now)).toBe(false);
  });
});
