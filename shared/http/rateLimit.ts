import { ServiceError } from '../contract/errors.ts';
import { config } from '../platform/config.ts';
import type { RateWindow } from '../store/workspace/rateWindows.ts';

export function rateHeaders(window: RateWindow): Record<string, string> {
  const limit = config('REQUESTS_PER_MINUTE');
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(Math.max(0, limit - window.count)),
    'X-RateLimit-Reset': String(window.resetsAt),
  };
}

/** Throws `rate_limit_exceeded` when the window is full; the call that fills it still passes. */
export function checkRate(window: RateWindow, now: Date): void {
  if (window.count <= config('REQUESTS_PER_MINUTE')) return;
  const retryAfterSeconds = Math.max(1, Math.ceil(window.resetsAt - now.getTime() / 1000));
  throw new ServiceError('rate_limit_exceeded', { details: { retry_after: retryAfterSeconds }, retryAfterSeconds });
}
