import { getRetryAfterHint, isThrottlingError, isTransientError, StandardRetryStrategy } from '@smithy/core/retry';
import { DeadlineExceeded, endingWithDeadline, remainingMilliseconds } from '../deadline.ts';
import { UnansweredRequest, wasNeverSent } from './unanswered.ts';

type SdkError = Parameters<typeof isTransientError>[0];
type RetryToken = Awaited<ReturnType<StandardRetryStrategy['acquireInitialRetryToken']>>;

interface Patience {
  readonly maxAttempts: number;
  /** Milliseconds; the first wait is a random part of them, and each further one of twice as much. */
  readonly baseDelay: number;
}

/** What most clients of the SDK have for themselves (`DEFAULT_MAX_ATTEMPTS` and `Retry.delay` of `@smithy/core`). */
export const usualPatience: Patience = { maxAttempts: 3, baseDelay: 50 };

/** Of one client: tries again what the SDK tries again, as often, as late, and as long as its quota lasts. */
export class Retries {
  readonly #strategy: StandardRetryStrategy;

  constructor(patience: Patience) {
    this.#strategy = new StandardRetryStrategy(patience);
  }

  /**
   * What an attempt makes of it in the end, or its last error, which is not said to have been never sent when an earlier
   * attempt went out. All of it ends with the deadline of the work.
   */
  async run<Result>(attempt: () => Promise<Result>): Promise<Result> {
    let mayBeTaken = false;
    let token = await this.#strategy.acquireInitialRetryToken('');
    for (;;) {
      try {
        const result = await attempt();
        this.#strategy.recordSuccess(token);
        return result;
      } catch (error) {
        const told = mayBeTaken && wasNeverSent(error) ? new UnansweredRequest(error, false) : error;
        mayBeTaken ||= !wasNeverSent(error);
        token = await this.#another(token, told as SdkError);
      }
    }
  }

  /** Waits for the next attempt; throws the error of the last one when there is to be none. */
  async #another(token: RetryToken, error: SdkError): Promise<RetryToken> {
    const errorType = typeOf(error);
    if (errorType === undefined) throw error;
    const retryAfterHint = getRetryAfterHint(error.$response);
    try {
      return await endingWithDeadline(
        this.#strategy.refreshRetryTokenForRetry(token, {
          error,
          errorType,
          ...(retryAfterHint && { retryAfterHint }),
        }),
      );
    } catch {
      throw remainingMilliseconds() <= 0 ? new DeadlineExceeded({ cause: error }) : error;
    }
  }
}

/** As the SDK sorts errors; undefined for one that stays as it is. */
function typeOf(error: SdkError) {
  if (isThrottlingError(error)) return 'THROTTLING';
  return isTransientError(error) ? 'TRANSIENT' : undefined;
}
