import type { Answer } from '../../platform/aws/signedCall.ts';
import { type Attributes, itemOf } from './attributes.ts';

// biome-ignore lint/suspicious/noExplicitAny: an item is what was stored; who reads it knows its shape
type StoredItem = Record<string, any>;

/** Why one part of a transaction stood in its way; `None` of those that did not. */
export interface CancellationReason {
  readonly Code?: string;
  readonly Message?: string;
  /** As it stood, if it was asked for. */
  readonly Item?: StoredItem;
}

/** DynamoDB refused an operation, or could not do it. `name` is its own (API reference, "Common errors"). */
export class DynamoDbError extends Error {
  override readonly name: string;
  /** As the SDK's errors have it: the log reads it, and the SDK's rules of what is tried again. */
  readonly $metadata: {
    readonly httpStatusCode: number;
    readonly requestId: string | undefined;
    readonly clockSkewCorrected: boolean;
  };
  readonly $response: { readonly statusCode: number; readonly headers: Answer['headers'] };

  constructor(name: string, details: Details, { status, headers, isClockSetRight }: Answer) {
    super(details.message ?? details.Message ?? `DynamoDB answered with ${status}.`);
    this.name = name;
    const requestId = headers['x-amzn-requestid'];
    this.$response = { statusCode: status, headers };
    this.$metadata = { httpStatusCode: status, requestId, clockSkewCorrected: isClockSetRight };
  }
}

export class ConditionalCheckFailedException extends DynamoDbError {
  /** As it stood, if it was asked for and there was one. */
  readonly Item: StoredItem | undefined;
  /** True when an attempt before got no answer: what stands in the way may be what that one wrote. */
  isAfterLostAnswer = false;

  constructor(name: string, details: Details, answer: Answer) {
    super(name, details, answer);
    this.Item = details.Item && itemOf(details.Item);
  }
}

export class TransactionCanceledException extends DynamoDbError {
  /** Part by part. */
  readonly CancellationReasons: readonly CancellationReason[];

  constructor(name: string, details: Details, answer: Answer) {
    super(name, details, answer);
    this.CancellationReasons = (details.CancellationReasons ?? []).map(({ Item, ...reason }) => ({
      ...reason,
      ...(Item && { Item: itemOf(Item) }),
    }));
  }
}

export class TransactionConflictException extends DynamoDbError {}
export class TransactionInProgressException extends DynamoDbError {}

/** What an answer says, and who gave it is not certain: whatever stands between may answer as well. */
interface Details {
  readonly __type?: string;
  readonly code?: string;
  readonly message?: string;
  readonly Message?: string;
  readonly Item?: Attributes;
  readonly CancellationReasons?: readonly (Omit<CancellationReason, 'Item'> & { readonly Item?: Attributes })[];
}

const kinds: Readonly<Record<string, new (name: string, details: Details, answer: Answer) => DynamoDbError>> = {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
};

/** The error that an answer tells (AWS JSON 1.0, "Operation error serialization"). */
export function errorOf(answer: Answer): DynamoDbError {
  const details = detailsOf(answer.text);
  const code = details.__type ?? details.code ?? answer.headers['x-amzn-errortype'];
  const name = typeof code === 'string' ? code.replace(/[:,].*$/, '').replace(/^.*#/, '') : 'DynamoDbError';
  return new (kinds[name] ?? DynamoDbError)(name, details, answer);
}

function detailsOf(text: string): Details {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
