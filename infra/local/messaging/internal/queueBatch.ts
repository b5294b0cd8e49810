import type { Message } from '@aws-sdk/client-sqs';
import type { SQSEvent, SQSMessageAttribute, SQSRecord, SQSRecordAttributes } from 'aws-lambda';

type MessageAttribute = NonNullable<Message['MessageAttributes']>[string];

const longestRetrySeconds = 30;

/** Lambda's event for received messages (https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html). */
export function sqsEvent(messages: readonly Message[], queueArn: string): SQSEvent {
  return { Records: messages.map((message) => sqsRecord(message, queueArn)) };
}

function sqsRecord(message: Message, queueArn: string): SQSRecord {
  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: { ...message.Attributes } as unknown as SQSRecordAttributes,
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, messageAttribute(value)]),
    ),
    md5OfBody: message.MD5OfBody ?? '',
    ...(message.MD5OfMessageAttributes && { md5OfMessageAttributes: message.MD5OfMessageAttributes }),
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: queueArn.split(':')[3] ?? '',
  };
}

function messageAttribute(value: MessageAttribute): SQSMessageAttribute {
  return {
    dataType: value.DataType ?? 'String',
    ...(value.StringValue !== undefined && { stringValue: value.StringValue }),
    ...(value.BinaryValue && { binaryValue: Buffer.from(value.BinaryValue).toString('base64') }),
    stringListValues: [],
    binaryListValues: [],
  };
}

/**
 * The messages that a handler's answer leaves on the queue. No answer means that all succeeded; a `batchItemFailures`
 * that is malformed or names an unknown message fails the whole batch, as in Lambda
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html#services-sqs-batchfailurereporting).
 */
export function failedMessages(messages: readonly Message[], answer: unknown): readonly Message[] {
  const failures: unknown = (answer as { batchItemFailures?: unknown } | null | undefined)?.batchItemFailures;
  if (failures === undefined || failures === null) return [];
  if (!Array.isArray(failures)) return messages;
  const failed = new Set(failures.map((failure) => failure?.itemIdentifier));
  const found = messages.filter(({ MessageId }) => failed.has(MessageId));
  return found.length === failed.size ? found : messages;
}

/** Seconds until a failed message is retried: 1, 2, 4… and at most 30, by its number of receives. */
export function retryDelaySeconds(message: Message): number {
  const received = Number(message.Attributes?.ApproximateReceiveCount ?? 1);
  return Math.min(2 ** Math.max(0, received - 1), longestRetrySeconds);
}
