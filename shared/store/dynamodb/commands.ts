import type {
  BatchGetCommandInput,
  BatchGetCommandOutput,
  BatchWriteCommandInput,
  BatchWriteCommandOutput,
  DeleteCommandInput,
  DeleteCommandOutput,
  GetCommandInput,
  GetCommandOutput,
  PutCommandInput,
  PutCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  ScanCommandInput,
  ScanCommandOutput,
  TransactWriteCommandInput,
  TransactWriteCommandOutput,
  UpdateCommandInput,
  UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';
import * as shapes from './shapes.ts';

export type {
  BatchWriteCommandInput,
  QueryCommandInput,
  ScanCommandInput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';

/**
 * One operation of DynamoDB on items as plain objects, with the names and the shapes of the SDK's document client; of an
 * operation's inputs only those that are older than expressions are missing.
 */
export abstract class Command<Input extends object = object, Output extends object = object> {
  /** As the API reference names it. */
  abstract readonly operation: string;
  readonly input: Input;
  /** True once it may have been done without an answer: a failed condition may be its own doing then. */
  isAnswerLost = false;

  constructor(input: Input) {
    this.input = input;
  }

  /** The input as it travels. */
  request(): object {
    return shapes.singleRequest(this.input);
  }

  /** The output, of what came back. */
  output(answer: object): Output {
    return shapes.singleAnswer(answer) as Output;
  }
}

type Former = 'AttributeUpdates' | 'Expected' | 'KeyConditions' | 'QueryFilter' | 'ScanFilter' | 'ConditionalOperator';
type Asked<Input> = Omit<Input, Former | 'AttributesToGet'>;
type Told<Output> = Omit<Output, '$metadata' | 'ItemCollectionMetrics'>;

export class GetCommand extends Command<Asked<GetCommandInput>, Told<GetCommandOutput>> {
  readonly operation = 'GetItem';
}

export class PutCommand extends Command<Asked<PutCommandInput>, Told<PutCommandOutput>> {
  readonly operation = 'PutItem';
}

export class UpdateCommand extends Command<Asked<UpdateCommandInput>, Told<UpdateCommandOutput>> {
  readonly operation = 'UpdateItem';
}

export class DeleteCommand extends Command<Asked<DeleteCommandInput>, Told<DeleteCommandOutput>> {
  readonly operation = 'DeleteItem';
}

export class QueryCommand extends Command<Asked<QueryCommandInput>, Told<QueryCommandOutput>> {
  readonly operation = 'Query';
}

export class ScanCommand extends Command<Asked<ScanCommandInput>, Told<ScanCommandOutput>> {
  readonly operation = 'Scan';
}

export class BatchGetCommand extends Command<BatchGetCommandInput, Told<BatchGetCommandOutput>> {
  readonly operation = 'BatchGetItem';

  override request(): object {
    return shapes.batchGetRequest(this.input);
  }

  override output(answer: object): Told<BatchGetCommandOutput> {
    return shapes.batchGetAnswer(answer);
  }
}

export class BatchWriteCommand extends Command<BatchWriteCommandInput, Told<BatchWriteCommandOutput>> {
  readonly operation = 'BatchWriteItem';

  override request(): object {
    return shapes.batchWriteRequest(this.input);
  }

  override output(answer: object): Told<BatchWriteCommandOutput> {
    return shapes.batchWriteAnswer(answer);
  }
}

export class TransactWriteCommand extends Command<TransactWriteCommandInput, Told<TransactWriteCommandOutput>> {
  readonly operation = 'TransactWriteItems';

  override request(): object {
    return shapes.transactionRequest(this.input);
  }
}
