import { ServiceError } from '../../../shared/contract/errors.ts';
import { type Authentication, admit, rateHeaders } from '../../../shared/http/authenticate.ts';
import { takeSettings } from '../../../shared/platform/config.ts';

takeSettings({ REQUESTS_PER_MINUTE: '600' });

const caller = {
  kind: 'key',
  keyId: 'key_1',
  keyName: 'Shop',
  lastFour: 'abcd',
  workspaceId: 'ws_1',
  scopes: ['emails:send'],
} as const;
const now = new Date('2026-11-21T10:30:48.200Z');
const windowOf = (count: number) => ({ count, resetsAt: Date.parse('2026-11-21T10:31:00Z') / 1000 });
const withKey = (count: number): Authentication => ({ caller, window: windowOf(count), refusal: null });
const withoutKey = (count: number): Authentication => ({
  caller: null,
  window: windowOf(count),
  refusal: new ServiceError('invalid_api_key'),
});

/** The code that refuses a call, null when it is admitted. */
function refusalOf(access: 'public' | 'key' | 'campaigns:read', authentication: Authentication): string | null {
  try {
    admit({ access }, authentication, now);
    return null;
  } catch (error) {
    return (error as ServiceError).code;
  }
}

describe('the rate limit', () => {
  it.each([
    [599, null],
    [600, null],
    [601, 'rate_limit_exceeded'],
  ])('after %i calls of a key: %s', (count, code) => {
    expect(refusalOf('key', withKey(count))).toBe(code);
  });

  it('counts calls without a valid key too, and comes before the refusal of the key', () => {
    expect(refusalOf('key', withoutKey(600))).toBe('invalid_api_key');
    expect(refusalOf('key', withoutKey(601))).toBe('rate_limit_exceeded');
    expect(refusalOf('public', withoutKey(600))).toBeNull();
    expect(refusalOf('public', withoutKey(601))).toBe('rate_limit_exceeded');
  });

  it('comes after the scope', () => {
    expect(refusalOf('campaigns:read', withKey(601))).toBe('insufficient_scope');
  });

  it.each([
    ['2026-11-21T10:30:48.200Z', 12],
    ['2026-11-21T10:30:59.999Z', 1],
    ['2026-11-21T10:31:00.000Z', 1],
    ['2026-11-21T10:31:05.000Z', 1],
  ])('says at %s to wait %i s', (at, seconds) => {
    const refusing = () => admit({ access: 'key' }, withKey(601), new Date(at));
    expect(refusing).toThrow(
      expect.objectContaining({ retryAfterSeconds: seconds, details: { retry_after: seconds } }),
    );
  });

  it.each([
    [0, '600'],
    [600, '0'],
    [601, '0'],
  ])('reports after %i calls that %s are left', (count, left) => {
    expect(rateHeaders(windowOf(count))).toEqual({
      'X-RateLimit-Limit': '600',
      'X-RateLimit-Remaining': left,
      'X-RateLimit-Reset': '1795257060',
    });
  });
});
