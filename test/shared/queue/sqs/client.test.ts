import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import type { Input, Target } from '../../../../shared/queue/sqs/operations.ts';
import { usePair } from '../../platform/aws/besideSdk.ts';
import { failureOf, type Script, tell } from '../../platform/aws/jsonServer.ts';
import { pair, QueueUrl, refuse } from './clients.ts';

const clients = usePair(pair);
const message = { QueueUrl, MessageBody: 'é' };
const Entries = [{ Id: '0', MessageBody: 'é', MessageGroupId: 'ws_1', DelaySeconds: undefined }];
const handles = [{ Id: '0', ReceiptHandle: 'handle' }];
const arn = 'arn:aws:sqs:us-east-1:000000000000:test';

describe('a call', () => {
  const asked: { readonly [Asked in Target]: readonly [Input<Asked>, object] } = {
    'AmazonSQS.SendMessage': [message, new SendMessageCommand(message)],
    'AmazonSQS.SendMessageBatch': [{ QueueUrl, Entries }, new SendMessageBatchCommand({ QueueUrl, Entries })],
    'AmazonSQS.ReceiveMessage': [
      { QueueUrl, MessageSystemAttributeNames: ['All'], VisibilityTimeout: 60 },
      new ReceiveMessageCommand({ QueueUrl, MessageSystemAttributeNames: ['All'], VisibilityTimeout: 60 }),
    ],
    'AmazonSQS.DeleteMessageBatch': [
      { QueueUrl, Entries: handles },
      new DeleteMessageBatchCommand({ QueueUrl, Entries: handles }),
    ],
    'AmazonSQS.ChangeMessageVisibilityBatch': [
      { QueueUrl, Entries: handles },
      new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries: handles }),
    ],
    'AmazonSQS.GetQueueAttributes': [
      { QueueUrl, AttributeNames: ['All'] },
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }),
    ],
    'AmazonSQS.GetQueueUrl': [{ QueueName: 'test' }, new GetQueueUrlCommand({ QueueName: 'test' })],
    'AmazonSQS.StartMessageMoveTask': [{ SourceArn: arn }, new StartMessageMoveTaskCommand({ SourceArn: arn })],
  };

  it.each(Object.entries(asked))('asks as the SDK asks: %s', async (target, [input, command]) => {
    clients.server.answerBy((response) => tell(response, {}));
    await clients.own.call(target as Target, input as Input<Target>);
    // Our answer lacks the checksums that the SDK looks for.
    await clients.sdk.send(command as SendMessageCommand).catch(() => {});
    const [own, theirs] = clients.server.heard.map(({ operation, input: sent, headers }) => {
      const { host, 'content-type': type, 'x-amz-target': header, 'x-amzn-query-mode': mode, authorization } = headers;
      const scope = authorization?.replace(/, (SignedHeaders|Signature)=.*/, '');
      return { operation, sent, host, type, header, mode, scope, length: headers['content-length'] };
    });
    expect(own).toEqual(theirs);
    expect(own).toMatchObject({ header: target, mode: 'true' });
  });

  it('is of no chain of invocations, which Lambda would end after the sixteenth', async () => {
    clients.server.answerBy((response) => tell(response, {}));
    const trace = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=0;Lineage=1:a87bd80c:16';
    Object.assign(process.env, { AWS_LAMBDA_FUNCTION_NAME: 'mailroom-campaign', _X_AMZN_TRACE_ID: trace });
    await clients.own.call('AmazonSQS.SendMessage', message);
    await clients.sdk.send(new SendMessageCommand(message)).catch(() => {});
    delete process.env.AWS_LAMBDA_FUNCTION_NAME;
    delete process.env._X_AMZN_TRACE_ID;
    expect(clients.server.heard.map(({ headers }) => headers['x-amzn-trace-id'])).toEqual([undefined, trace]);
  });
});

describe('a refusal', () => {
  const ownNamespace = 'AWS.SimpleQueueService.';
  /** Shapes of the JSON protocol, and what its older one calls them (API reference, and the model's `awsQueryError`). */
  const refusals: readonly (readonly [shape: string, code: string | undefined, status: number])[] = [
    ['QueueDoesNotExist', `${ownNamespace}NonExistentQueue`, 400],
    ['QueueDoesNotExist', undefined, 400],
    ['UnsupportedOperation', `${ownNamespace}UnsupportedOperation`, 400],
    ['TooManyEntriesInBatchRequest', `${ownNamespace}TooManyEntriesInBatchRequest`, 400],
    ['ResourceNotFoundException', 'ResourceNotFoundException', 404],
    ['InvalidAddress', 'InvalidAddress', 404],
    ['InvalidSecurity', 'InvalidSecurity', 403],
    ['OverLimit', 'OverLimit', 403],
    ['ReceiptHandleIsInvalid', 'ReceiptHandleIsInvalid', 404],
    ['KmsAccessDenied', 'KMS.AccessDeniedException', 400],
    ['KmsOptInRequired', 'KMS.OptInRequired', 403],
    // Not of SQS's own model.
    ['AccessDeniedException', 'AccessDenied', 403],
    ['InvalidParameterValueException', 'InvalidParameterValue', 400],
    ['ExpiredTokenException', undefined, 403],
    ['InvalidAction', undefined, 400],
  ];

  it.each(refusals)('%s (%s) is known by the name that it has in the SDK', async (shape, code, status) => {
    clients.server.answerBy((response) => {
      response.setHeader('x-amzn-RequestId', 'request-1');
      refuse(response, shape, code, status);
    });
    const error = await failureOf(clients.own.call('AmazonSQS.SendMessage', message));
    const theirs = await failureOf(clients.sdk.send(new SendMessageCommand(message)));
    const metadata = { httpStatusCode: status, requestId: 'request-1' };
    expect(theirs).toMatchObject({ message: 'Refused.', $metadata: metadata });
    expect(error).toMatchObject({ name: theirs.name, message: 'Refused.', $metadata: metadata });
    expect(clients.server.heard).toHaveLength(2);
  });

  it.each<[string, Script]>([
    ['a page of a proxy', (response) => response.writeHead(403).end('<html>')],
    ['nothing', (response) => response.writeHead(400).end()],
  ])('of whoever stands between is one as well: %s', async (_name, script) => {
    clients.server.answerBy(script);
    expect(await failureOf(clients.own.call('AmazonSQS.SendMessage', message))).toMatchObject({ name: 'SqsError' });
  });
});

describe('an answer', () => {
  it.each(['', 'null', '[]', '"text"', '{"QueueUrl":'])('that is no object is none: %s', async (text) => {
    clients.server.answerBy((response) => response.writeHead(200).end(text));
    expect(await failureOf(clients.own.call('AmazonSQS.GetQueueUrl', { QueueName: 'test' }))).toMatchObject({
      name: 'GarbledAnswer',
    });
  });
});
