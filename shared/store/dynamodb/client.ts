import { connection } from '../../platform/aws/connection.ts';
import { postJson } from '../../platform/aws/jsonCall.ts';
import { Retries } from '../../platform/aws/retries.ts';
import type { ConnectionPolicy, Transport } from '../../platform/aws/transport.ts';
import { wasNeverSent } from '../../platform/aws/unanswered.ts';
import type { Command } from './commands.ts';
import { ConditionalCheckFailedException, DynamoDbError, errorOf } from './errors.ts';

/** What the SDK's client of DynamoDB has for itself (`resolveRetryConfig` in `DynamoDBClient`). Milliseconds. */
const patience = { maxAttempts: 4, baseDelay: 25 };

/** Speaks DynamoDB's JSON 1.0. */
export class DocumentClient {
  readonly #transport: Transport;
  readonly #retries = new Retries(patience);

  constructor(own: Partial<ConnectionPolicy> = {}) {
    this.#transport = connection(own).requestHandler;
  }

  /** Throws a `DynamoDbError`; else what stood in the way. All of it ends with the deadline of the work. */
  async send<Output extends object>(command: Command<object, Output>): Promise<Output> {
    const body = Buffer.from(JSON.stringify(command.request()));
    const target = `DynamoDB_20120810.${command.operation}`;
    const answer = await this.#retries.run(async () => {
      try {
        return await postJson(this.#transport, { service: 'dynamodb', target, body, errorOf });
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) error.isAfterLostAnswer = command.isAnswerLost;
        command.isAnswerLost ||= mayBeDone(error);
        throw error;
      }
    });
    return command.output(answer);
  }

  destroy(): void {
    this.#transport.destroy();
  }
}

/** Whether what was asked may be done though this is all that came of it: only a refusal says that it is not. */
const mayBeDone = (error: unknown): boolean =>
  error instanceof DynamoDbError ? error.$metadata.httpStatusCode >= 500 : !wasNeverSent(error);
