import type { ServerResponse } from 'node:http';
import { SQSClient } from '@aws-sdk/client-sqs';
import { SqsClient } from '../../../../shared/queue/sqs/client.ts';
import type { Pair } from '../../platform/aws/besideSdk.ts';
import { tell } from '../../platform/aws/jsonServer.ts';

/** A refusal of SQS's form; the code of the older protocol stands in a header. */
export const refuse = (response: ServerResponse, shape: string, code?: string, status = 400) =>
  tell(
    response,
    { __type: `com.amazonaws.sqs#${shape}`, message: 'Refused.' },
    status,
    code === undefined ? {} : { 'x-amzn-query-error': `${code};Sender` },
  );

/** Ours, and the SDK's to compare it with. */
export const pair: Pair<SqsClient, SQSClient> = {
  variable: 'AWS_ENDPOINT_URL_SQS',
  own: (policy) => new SqsClient(policy),
  sdk: (options) => new SQSClient(options),
};

export const QueueUrl = 'https://sqs.us-east-1.amazonaws.com/000000000000/test';
