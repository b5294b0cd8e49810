import { getRetryAfterHint, isThrottlingError, isTransientError, StandardRetryStrategy } from '@smithy/core/retry';
import { connection } from '../../platform/aws/connection.ts';
import type { ConnectionPolicy, Transport } from '../../platform/aws/transport.ts';
import { wasNeverSent } from '../../platform/aws/unanswered.ts';
import { DeadlineExceeded, endingWithDeadline, remainingMilliseconds } from '../../platform/deadline.ts';
import type { Command } from './commands.ts';
import { ConditionalCheckFailedException, DynamoDbError } from './errors.ts';
import { exchange } from './exchange.ts';

type SdkError = Parameters<typeof isTransientError>[0];
type RetryToken = Awaited<ReturnType<StandardRetryStrategy['acquireInitialRetryToken']>>;

/** What the SDK's client of DynamoDB has for itself (`resolveRetryConfig` in `DynamoDBClient`). Milliseconds. */
const patience = { maxAttempts: 4, baseDelay: 25 };

/** Speaks DynamoDB's JSON 1.0; tries again what the SDK tries again, as often, as late, and as long as its quota lasts. */
export class DocumentClient {
  readonly #transport: Transport;
  readonly #retries = new StandardRetryStrategy(patience);

  constructor(own: Partial<ConnectionPolicy> = {}) {
    this.#transport = connection(own).requestHandler;
  }

  /** Throws a `DynamoDbError`; else what stood in the way. All of it ends with the deadline of the work. */
  async send<Output extends object>(command: Command<object, Output>): Promise<Output> {
    const body = Buffer.from(JSON.stringify(command.request()));
    let token = await this.#retries.acquireInitialRetryToken('');
    let isAnswerLost = false;
    for (;;) {
      try {
        const answer = await exchange(this.#transport, command.operation, body);
        this.#retries.recordSuccess(token);
        return command.output(answer);
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) error.isAfterLostAnswer = isAnswerLost;
        isAnswerLost ||= mayBeDone(error);
        token = await this.#another(token, error as SdkError);
      }
    }
  }

  destroy(): void {
    this.#transport.destroy();
  }

  /** Waits for the next attempt; throws the error of the last one when there is to be none. */
  async #another(token: RetryToken, error: SdkError): Promise<RetryToken> {
    const errorType = typeOf(error);
    if (errorType === undefined) throw error;
    const retryAfterHint = getRetryAfterHint(error.$response);
    try {
      return await endingWithDeadline(
        this.#retries.refreshRetryTokenForRetry(token, { error, errorType, ...(retryAfterHint && { retryAfterHint }) }),
      );
    } catch {
      throw remainingMilliseconds() <= 0 ? new DeadlineExceeded({ cause: error }) : error;
    }
  }
}

/** Whether what was asked may be done though this is all that came of it: only a refusal says that it is not. */
const mayBeDone = (error: unknown): boolean =>
  error instanceof DynamoDbError ? error.$metadata.httpStatusCode >= 500 : !wasNeverSent(error);

/** As the SDK sorts errors; undefined for one that stays as it is. */
function typeOf(error: SdkError) {
  if (isThrottlingError(error)) return 'THROTTLING';
  return isTransientError(error) || error.name === 'ReplicatedWriteConflictException' ? 'TRANSIENT' : undefined;
}
