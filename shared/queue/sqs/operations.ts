import type {
  ChangeMessageVisibilityBatchCommandInput,
  ChangeMessageVisibilityBatchCommandOutput,
  DeleteMessageBatchCommandInput,
  DeleteMessageBatchCommandOutput,
  GetQueueAttributesCommandInput,
  GetQueueAttributesCommandOutput,
  GetQueueUrlCommandInput,
  GetQueueUrlCommandOutput,
  ReceiveMessageCommandInput,
  ReceiveMessageCommandOutput,
  SendMessageBatchCommandInput,
  SendMessageBatchCommandOutput,
  SendMessageCommandInput,
  SendMessageCommandOutput,
  StartMessageMoveTaskCommandInput,
  StartMessageMoveTaskCommandOutput,
} from '@aws-sdk/client-sqs';

export type { Message, QueueAttributeName } from '@aws-sdk/client-sqs';

/**
 * What is asked of SQS, under the names that travel. A bundle holds those that it asks for, letter by letter: by them
 * the tests know what its role must allow.
 */
interface Operations {
  'AmazonSQS.ChangeMessageVisibilityBatch': [
    ChangeMessageVisibilityBatchCommandInput,
    ChangeMessageVisibilityBatchCommandOutput,
  ];
  'AmazonSQS.DeleteMessageBatch': [DeleteMessageBatchCommandInput, DeleteMessageBatchCommandOutput];
  'AmazonSQS.GetQueueAttributes': [GetQueueAttributesCommandInput, GetQueueAttributesCommandOutput];
  'AmazonSQS.GetQueueUrl': [GetQueueUrlCommandInput, GetQueueUrlCommandOutput];
  'AmazonSQS.ReceiveMessage': [ReceiveMessageCommandInput, ReceiveMessageCommandOutput];
  'AmazonSQS.SendMessage': [SendMessageCommandInput, SendMessageCommandOutput];
  'AmazonSQS.SendMessageBatch': [SendMessageBatchCommandInput, SendMessageBatchCommandOutput];
  'AmazonSQS.StartMessageMoveTask': [StartMessageMoveTaskCommandInput, StartMessageMoveTaskCommandOutput];
}

export type Target = keyof Operations;
export type Input<Asked extends Target> = Operations[Asked][0];
/** Bytes in attributes of messages stay as they travel, in Base64. */
export type Output<Asked extends Target> = Omit<Operations[Asked][1], '$metadata'>;
