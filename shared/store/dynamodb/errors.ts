import { type Answer, detailsOf, type ErrorDetails, shapeOf } from '../../platform/aws/answer.ts';
import { AwsError } from '../../platform/aws/awsError.ts';
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

/** By the names of the API reference, "Common errors". */
export class DynamoDbError extends AwsError {
  constructor(name: string, details: Details, answer: Answer) {
    super('DynamoDB', name, details, answer);
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

/** A write of another region came in between. */
class ReplicatedWriteConflictException extends DynamoDbError {
  /** To be tried again, as it says in its model. */
  readonly $retryable = {};
}

interface Details extends ErrorDetails {
  readonly Item?: Attributes;
  readonly CancellationReasons?: readonly (Omit<CancellationReason, 'Item'> & { readonly Item?: Attributes })[];
}

const kinds: Readonly<Record<string, new (name: string, details: Details, answer: Answer) => DynamoDbError>> = {
  ConditionalCheckFailedException,
  ReplicatedWriteConflictException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
};

/** The error that an answer tells; of one that tells it in no form of DynamoDB's, no more than its name. */
export function errorOf(answer: Answer): DynamoDbError {
  const details = detailsOf<Details>(answer.text);
  const name = shapeOf(details, answer) ?? 'DynamoDbError';
  const Kind = (Object.hasOwn(kinds, name) && kinds[name]) || DynamoDbError;
  try {
    return new Kind(name, details, answer);
  } catch {
    return new DynamoDbError(name, details, answer);
  }
}
